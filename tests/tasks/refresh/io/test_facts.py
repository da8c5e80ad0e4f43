import importlib.metadata

import pytest

from schemas.options.sections import EmbedOptions, RefreshOptions
from schemas.staged import STEPS
from tasks.embed.io.providers import about
from tasks.refresh.io import libraries
from tasks.refresh.io.facts import make_recipes, step_facts
from tasks.refresh.recipes import Recipes, differences, engine_of

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
    assert all(f"libraries.{library}" in line for line in differences(before.details, after.details))


def test_a_library_stands_with_each_step_that_uses_it_and_with_no_other() -> None:
    facts = step_facts(RefreshOptions(), "torch", about(EmbedOptions()))
    assert {step: sorted(facts[step]["libraries"]) for step in STEPS} == {
        "parse": ["onnxruntime", "pillow"],
        "describe": ["pillow", "tokenizers", "torch", "transformers"],
        "chunk": ["pysbd", "pystemmer", "tokenizers"],
        "embed": ["tokenizers", "torch", "transformers"],
    }


def test_a_build_for_another_device_is_the_same_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libraries, "version", lambda name: "2.13.0+cpu")
    assert libraries.versions(("torch",)) == {"torch": "2.13.0"}


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
    assert (engine_of(by_torch.details), engine_of(in_8_bits.details)) == ("torch", "openvino")
    assert "arithmetic" not in by_torch.details
    assert make_recipes(RefreshOptions(), "torch") == by_torch
    assert make_recipes(RefreshOptions(), "openvino") == in_8_bits
