import json

import pytest

from schemas.metadata import MOST_NESTED, make_json_value
from schemas.served import Documents


def nested(depth: int) -> object:
    value: object = "a"
    for _ in range(depth):
        value = [value]
    return value


def test_what_is_kept_can_be_listed_and_what_cannot_be_listed_is_not_kept() -> None:
    """The list of documents failed for everybody if one of them had metadata that were nested 255 deep."""
    kept = make_json_value(nested(MOST_NESTED))
    listed = Documents(generation=1, n_documents=1, documents=[{"metadata": kept}]).model_dump_json()
    assert json.loads(listed)["documents"][0]["metadata"] == kept
    with pytest.raises(ValueError, match="nested"):
        make_json_value(nested(MOST_NESTED + 1))
