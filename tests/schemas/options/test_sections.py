from typing import Any

import pytest
from pydantic import ValidationError

from schemas.options.sections import ChunkOptions, EmbedOptions, GateOptions, LimitOptions, RefreshOptions


def test_unknown_names_are_errors() -> None:
    with pytest.raises(ValidationError, match="sise_tokens"):
        RefreshOptions.model_validate({"chunk": {"sise_tokens": 3}})


def test_options_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        ChunkOptions().size_tokens = 3  # type: ignore[misc]


def test_limits_devices_and_thresholds_are_no_part_of_a_recipe() -> None:
    assert LimitOptions().facts() == {}
    assert GateOptions().facts() == {}
    assert set(EmbedOptions().facts()) == {"model", "max_tokens", "too_long"}


@pytest.mark.parametrize("name", ["path", "text", "vector", "not a name", "title"])
def test_a_metadata_column_must_not_take_the_name_of_one_of_pagemills_own(name: str) -> None:
    with pytest.raises(ValidationError, match="cannot be declared"):
        RefreshOptions.model_validate({"columns": {name: "int"}})


def test_an_option_of_another_strategy_is_refused() -> None:
    with pytest.raises(ValidationError, match="strategy sentence has no option percentile: it takes size_tokens"):
        ChunkOptions(percentile=75)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"strategy": "sentence", "size_tokens": 32, "overlap_tokens": 32}, "below size_tokens"),
        ({"strategy": "sentence-window", "n_sentences": 2, "overlap_sentences": 2}, "below n_sentences"),
        ({"strategy": "recursive", "separators": ["", " "]}, "blank"),
        ({"strategy": "parent-child", "size_tokens": 256, "parent_tokens": 128}, "parent_tokens is below"),
        ({"strategy": "parent-child", "child_strategy": "llm"}, "cannot be made of llm"),
    ],
)
def test_values_that_do_not_go_together_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        ChunkOptions.model_validate(given)


def test_a_strategys_defaults_are_part_of_the_recipe_and_keys_of_services_are_not() -> None:
    assert ChunkOptions().facts() == ChunkOptions(overlap_tokens=0).facts()
    assert ChunkOptions(strategy="semantic-percentile").facts()["percentile"] == 95.0
    assert "api_key_variable" not in ChunkOptions(strategy="llm", api_key_variable="KEY").facts()


def test_tables_get_chunks_twice_as_long_if_the_embedder_takes_them() -> None:
    settled = [ChunkOptions(size_tokens=128).resolve(most).table_tokens for most in (512, 200, 64)]
    assert settled == [256, 200, 128]
    assert ChunkOptions(size_tokens=128, table_tokens=130).resolve(512).longest_tokens == 130
    with pytest.raises(ValidationError, match="table_tokens is 100: it must not be below size_tokens, 128"):
        ChunkOptions(size_tokens=128, table_tokens=100)
