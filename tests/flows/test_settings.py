import os
from pathlib import Path
from typing import Any

import pytest

from flows.settings import read_chat_options, read_evaluate_options, read_refresh_options
from schemas.errors import InputError
from schemas.options.sections import RefreshOptions


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_parameters_win_over_variables_and_variables_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pagemill.toml").write_text('[chunk]\nsize_tokens = 100\n[gate]\ntiny_tokens = 5\n[columns]\nyear = "int"\n')
    assert read_refresh_options({}).chunk.size_tokens == 100
    monkeypatch.setenv("PAGEMILL_CHUNK_SIZE_TOKENS", "120")
    assert read_refresh_options({}).chunk.size_tokens == 120
    options = read_refresh_options({"chunk": {"size_tokens": 140}})
    assert (options.chunk.size_tokens, options.gate.tiny_tokens, options.columns) == (140, 5, {"year": "int"})


def test_lists_and_flags_can_stand_in_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGEMILL_PLAN_INCLUDE", '["*.pdf", "*.md"]')
    monkeypatch.setenv("PAGEMILL_PLAN_VERIFY", "true")
    monkeypatch.setenv("PAGEMILL_EVALUATE_CUTOFFS", "[2, 4]")
    options = read_refresh_options({})
    assert options.plan.include == ("*.pdf", "*.md")
    assert options.plan.verify
    assert read_evaluate_options({}).cutoffs == (2, 4)


def test_an_unknown_variable_is_an_error_with_a_suggestion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGEMILL_CHUNK_SIZE_TOKEN", "3")
    with pytest.raises(InputError, match="PAGEMILL_CHUNK_SIZE_TOKEN is not an option; did you mean PAGEMILL_CHUNK_SIZE_TOKENS"):
        read_refresh_options({})


def test_variables_of_scripts_are_no_options(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BENCH", "BENCH_CACHE", "SOURCE"):
        monkeypatch.setenv(f"PAGEMILL_{name}", "/somewhere")
    assert read_refresh_options({}) == RefreshOptions()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[chunks]\na = 1\n", r"\[chunks\] is not a section; did you mean chunk"),
        ("[chunk]\nsise_tokens = 1\n", r"chunk.sise_tokens is not an option; did you mean size_tokens"),
        ("[chunk\n", "is not TOML"),
        ("chunk = 3\n", r"chunk must be a section: write a line \[chunk\]"),
        ('[chunk]\nsize_tokens = "many"\n', "chunk.size_tokens: .*got 'many'"),
    ],
)
def test_what_is_wrong_in_the_file_is_named(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "pagemill.toml").write_text(content)
    with pytest.raises(InputError, match=message):
        read_refresh_options({})


def test_a_file_that_is_named_must_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGEMILL_CONFIG", "nowhere.toml")
    with pytest.raises(InputError, match=r"nowhere\.toml does not exist"):
        read_refresh_options({})


def test_settings_that_are_no_regular_file_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pagemill.toml")
    with pytest.raises(InputError, match=r"pagemill\.toml is not a regular file"):
        read_refresh_options({})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"chunk": {"nothing": 1}}, r"chunk\.nothing is not an option; the possible names are .*size_tokens"),
        ({"chunk": {"sise_tokens": 1}}, r"chunk\.sise_tokens is not an option; did you mean size_tokens\?"),
        ({"chunks": {"size_tokens": 1}}, r"\[chunks\] is not a section; did you mean chunk\?"),
        ({"evaluate": {"mode": "fts"}}, r"\[evaluate\] is not a section; the possible names are access, .*publish"),
        ({"chunk": {"strategy": "sentences"}}, r"chunk\.strategy: Input should be 'token-window', 'sentence', .*got 'sentences'"),
        (
            {"chunk": {"strategy": "page", "overlap_tokens": 4}},
            r"chunk: strategy page has no option overlap_tokens: it takes .*columns$",
        ),
        ({"plan": {"exclude": "drafts/**"}}, r"plan\.exclude: write a list, in brackets .*got 'drafts/\*\*'"),
        ({"gate": {"metric": "recall"}}, r"gate\.metric: .*got 'recall'\); meaning: .*such as document_recall@5"),
    ],
)
def test_an_unknown_parameter_or_value_is_an_error_that_names_what_there_is(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_refresh_options(given)


def test_the_key_of_a_language_model_is_no_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGEMILL_API_KEY", "sk-secret")
    monkeypatch.setenv("PAGEMILL_CHAT_MODEL", "reader")
    assert read_refresh_options({}) == RefreshOptions()
    assert read_chat_options({"base_url": "http://127.0.0.1/v1"}).model == "reader"
    with pytest.raises(InputError, match="model is blank"):
        read_chat_options({"base_url": "http://127.0.0.1/v1", "model": " "})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"cutoffs": 5}, "the options are wrong: evaluate.cutoffs: write a list"),
        ({"answers": "builtin"}, "the options are wrong: evaluate: answers are given from budgets of results: set budgets"),
        ({"judge": True, "budgets": [500]}, "the options are wrong: evaluate: there are no answers for judge or nli_model"),
    ],
)
def test_answers_need_budgets_and_a_judge_needs_answers(given: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}"):
        read_evaluate_options(given)
