import pytest
from pydantic import ValidationError

from schemas.options import ChunkOptions, EmbedOptions, GateOptions, LimitOptions, RefreshOptions


def test_unknown_names_are_errors() -> None:
    with pytest.raises(ValidationError, match="sise_tokens"):
        RefreshOptions.model_validate({"chunk": {"sise_tokens": 3}})


def test_options_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        ChunkOptions().size_tokens = 3  # type: ignore[misc]


def test_limits_devices_and_thresholds_are_no_part_of_a_recipe() -> None:
    assert LimitOptions().facts() == {}
    assert GateOptions().facts() == {}
    assert set(EmbedOptions().facts()) == {"model", "max_tokens"}


@pytest.mark.parametrize("name", ["path", "text", "vector", "not a name", "title"])
def test_a_metadata_column_must_not_take_the_name_of_one_of_pagemills_own(name: str) -> None:
    with pytest.raises(ValidationError, match="cannot be declared"):
        RefreshOptions.model_validate({"columns": {name: "int"}})
