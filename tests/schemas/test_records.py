"""Records are what the Arrow schemas say: the same names, the same types, null where a column may be null."""

import types
from datetime import datetime
from typing import Any, Union, get_args, get_origin, get_type_hints

import pyarrow as pa
import pytest
from typing_extensions import is_typeddict

from schemas import records, staged
from schemas.tables.elements import ELEMENTS, LINK
from schemas.tables.evaluations import METRICS, RECIPES, RETRIEVED, SCORES
from schemas.tables.findings import FINDING
from schemas.tables.generations import GENERATIONS
from schemas.tables.rejects import REJECTS
from schemas.types import BOX, PAGE_BOX

PAIRS = [
    (records.BBox, BOX),
    (records.PageBox, PAGE_BOX),
    (records.Link, LINK),
    (records.Properties, staged.PROPERTIES),
    (records.Page, staged.PAGE),
    (records.FigureWord, staged.FIGURE_WORD),
    (records.ParsedFigure, staged.PARSED_FIGURE),
    (records.PiiFinding, FINDING),
    (records.Reason, staged.REASONS.value_type),
    (records.ParsedDocument, staged.PARSED),
    (records.DescribedDocument, staged.DESCRIBED),
    (records.ChunkSpan, staged.CHUNKED.field("chunks").type.value_type),
    (records.ElementRow, ELEMENTS),
    (records.GenerationRow, GENERATIONS),
    (records.MetricRow, METRICS),
    (records.RecipeRow, RECIPES),
    (records.RejectRow, REJECTS),
    (records.RetrievedRow, RETRIEVED),
    (records.ScoreRow, SCORES),
]


def arrow_kind(kind: pa.DataType) -> Any:
    """Return what Python makes of a value of an Arrow type: a type, or the fields of a struct, or a list of one of these."""
    if pa.types.is_struct(kind):
        return {field.name: (arrow_kind(field.type), field.nullable) for field in kind}
    if pa.types.is_list(kind):
        return [arrow_kind(kind.value_type)]
    names = {
        str: pa.types.is_string(kind) or pa.types.is_large_string(kind),
        bool: pa.types.is_boolean(kind),
        int: pa.types.is_integer(kind),
        float: pa.types.is_floating(kind),
        bytes: pa.types.is_binary(kind),
        datetime: pa.types.is_timestamp(kind),
    }
    return next(name for name, fits in names.items() if fits)


def python_kind(kind: Any) -> Any:
    """Return the same of an annotation."""
    if is_typeddict(kind):
        return {name: python_field(hint) for name, hint in get_type_hints(kind).items()}
    return [python_kind(get_args(kind)[0])] if get_origin(kind) is list else kind


def python_field(hint: Any) -> tuple[Any, bool]:
    options = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    [kind] = [option for option in options if option is not type(None)]
    return python_kind(kind), len(options) > 1


@pytest.mark.parametrize(("record", "schema"), PAIRS, ids=[record.__name__ for record, _ in PAIRS])
def test_a_record_is_a_row_of_its_schema(record: type, schema: pa.Schema | pa.StructType) -> None:
    whole = pa.struct(list(schema)) if isinstance(schema, pa.Schema) else schema
    assert python_kind(record) == arrow_kind(whole)


def test_every_record_that_is_a_whole_row_is_compared() -> None:
    """Those that are left out are parts of others, or what one lacks of another."""
    parts = {"ElementParts", "Element", "PlacedElement", "FigurePicture", "DescribedFigure", "AssembledDocument", "Citation"}
    parts |= {"MeanRow"}
    assert {name for name, value in vars(records).items() if is_typeddict(value)} == {r.__name__ for r, _ in PAIRS} | parts
