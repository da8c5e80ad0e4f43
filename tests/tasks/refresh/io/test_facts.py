import importlib.metadata
import json
import os
from typing import Any

import pytest

from schemas import versions
from schemas.options.sections import EmbedOptions, RefreshOptions
from schemas.staged import STEPS
from tasks.embed.io.providers import read_model_info
from tasks.parse.io import facts as parse_facts
from tasks.refresh.io import libraries
from tasks.refresh.io.facts import gather_step_facts, make_recipes
from tasks.refresh.run import Recipes, find_embedding_engine, list_recipe_differences
from tests.tasks.golden import GOLDEN, UPDATE

BOUNDARY_STEPS = ("sentences", "proposals")


def changed(before: Recipes, after: Recipes) -> list[str]:
    return [name for name in (*STEPS, *BOUNDARY_STEPS) if getattr(before, name) != getattr(after, name)]


@pytest.mark.parametrize(
    ("library", "first"),
    [
        ("onnxruntime", "parse"),
        ("pillow", "parse"),
        ("pysbd", "chunk"),
        ("tokenizers", "describe"),
        ("torch", "describe"),
        ("transformers", "describe"),
    ],
)
def test_another_version_of_a_library_is_another_recipe_from_the_step_on_that_uses_it(
    monkeypatch: pytest.MonkeyPatch, library: str, first: str
) -> None:
    before = make_recipes(RefreshOptions(), "torch")
    installed = importlib.metadata.version
    monkeypatch.setattr(libraries, "version", lambda name: "0.0.1" if name == library else installed(name))
    after = make_recipes(RefreshOptions(), "torch")
    assert changed(before, after) == [*STEPS[STEPS.index(first) :], *BOUNDARY_STEPS]
    assert before.embedder == after.embedder
    assert all(f"libraries.{library}" in line for line in list_recipe_differences(before.details, after.details))


def test_a_library_stands_with_each_step_that_uses_it_and_with_no_other() -> None:
    facts = gather_step_facts(RefreshOptions(), "torch", read_model_info(EmbedOptions()))
    assert {step: sorted(facts[step]["libraries"]) for step in STEPS} == {
        "parse": ["onnxruntime", "pillow"],
        "describe": ["pillow", "tokenizers", "torch", "transformers"],
        "chunk": ["pysbd", "pystemmer", "tokenizers"],
        "embed": ["tokenizers", "torch", "transformers"],
    }


def test_a_build_for_another_device_is_the_same_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libraries, "version", lambda name: "2.13.0+cpu")
    assert libraries.find_library_versions(("torch",)) == {"torch": "2.13.0"}


def test_how_much_of_a_sentence_is_seen_is_part_of_the_recipe_of_its_vector() -> None:
    whole, cut = (
        make_recipes(RefreshOptions.model_validate({"embed": {"max_tokens": n}, "chunk": {"size_tokens": 64}}))
        for n in (None, 200)
    )
    assert changed(whole, cut) == ["embed", "sentences"]
    own = make_recipes(RefreshOptions.model_validate({"embed": {"max_tokens": 256}}))
    assert own.sentences == whole.sentences, "256 is the model's own setting"
    averaged = make_recipes(RefreshOptions.model_validate({"embed": {"too_long": "mean"}}))
    assert averaged.sentences == whole.sentences, "sentences are always cut"


def test_the_engine_is_part_of_the_recipe_and_torch_leaves_it_as_it_was() -> None:
    chosen = [RefreshOptions.model_validate({"embed": {"engine": name}}) for name in ("torch", "openvino")]
    by_torch, in_8_bits = map(make_recipes, chosen)
    assert changed(by_torch, in_8_bits) == ["embed", "sentences"]
    assert by_torch.embedder == in_8_bits.embedder
    assert (find_embedding_engine(by_torch.details), find_embedding_engine(in_8_bits.details)) == ("torch", "openvino")
    assert "arithmetic" not in by_torch.details
    assert make_recipes(RefreshOptions(), "torch") == by_torch
    assert make_recipes(RefreshOptions(), "openvino") == in_8_bits


OPTIONS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "openvino": {"embed": {"engine": "openvino"}},
    "semantic": {"chunk": {"strategy": "semantic-merge", "context": ["title", "section"]}},
    "language-model": {"chunk": {"strategy": "llm", "endpoint": "http://127.0.0.1:1/v1", "chat_model": "one"}},
    "parent-child": {"chunk": {"strategy": "parent-child", "parent_tokens": 500}, "parse": {"ocr_languages": "eng"}},
    "prompts": {"embed": {"query_prompt": "query: ", "document_prompt": "passage: ", "dimensions": 128, "too_long": "mean"}},
    "figures": {"describe": {"labels": ["map", "photograph"], "hidden_text": True}, "parse": {"figure_dpi": 72}},
}


def test_recipes_of_the_same_options_versions_and_models_keep_their_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A corpus on disk knows its recipe by this hash: one that changes without a reason computes every document again."""
    monkeypatch.setattr(libraries, "version", lambda name: "1")
    monkeypatch.setattr(parse_facts, "engine_facts", lambda options: {"pymupdf": "1", "tesseract": {"version": "1"}})
    for name in ("PARSER", "DESCRIBER", "CHUNKER", "EMBEDDER", "DETECTION", "TERMS", "QUANTISING"):
        monkeypatch.setattr(versions, f"{name}_VERSION", "1")
    found = {name: make_recipes(RefreshOptions.model_validate(given), "torch") for name, given in OPTIONS.items()}
    seen = json.dumps({name: recipes.model_dump(exclude={"details"}) for name, recipes in found.items()}, indent=2) + "\n"
    golden = GOLDEN / "recipes.json"
    if UPDATE in os.environ:
        golden.write_text(seen)
    assert seen == golden.read_text()
