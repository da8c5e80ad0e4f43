"""Records: rows as dicts, as they travel between rooms. Each names the Arrow type that it is a value of; a test compares them."""

from datetime import datetime
from typing import Literal

from typing_extensions import TypedDict  # Pydantic wants it before Python 3.12


class BBox(TypedDict):
    """A value of `schemas.types.BOX`: a rectangle in points from the page's top left."""

    x0: float
    y0: float
    x1: float
    y1: float


class PageBox(TypedDict):
    """A value of `schemas.types.PAGE_BOX`."""

    page_number: int
    bbox: BBox


class Link(TypedDict):
    """A value of `schemas.tables.elements.LINK`."""

    text: str
    uri: str


class ElementParts(TypedDict, total=False):
    """What not every element has; where it is left out, it is null."""

    level: int | None
    bbox: BBox | None
    html: str | None
    confidence: float | None
    joined_by: str | None
    links: list[Link] | None
    place: str | None
    start_char: int | None
    end_char: int | None


class Element(ElementParts):
    """An element as parse stages it, in `schemas.staged.PARSED`."""

    page_number: int
    kind: str
    text: str


class PlacedElement(Element):
    """An element with the headings above it, in `schemas.staged.DESCRIBED`."""

    section: list[str]


class ElementRow(PlacedElement):
    """A row of `schemas.tables.elements.ELEMENTS`."""

    element_id: str
    document_id: str
    position: int


class Page(TypedDict):
    """A value of `schemas.staged.PAGE`. A page of a format without pages has no size."""

    page_number: int
    width: float
    height: float
    ocr: bool


class Properties(TypedDict):
    """A value of `schemas.staged.PROPERTIES`."""

    title: str | None
    author: str | None
    created: str | None
    modified: str | None
    language: str | None
    extra: str


PropertyName = Literal["title", "author", "created", "modified", "language"]
NO_PROPERTIES: Properties = {
    "title": None, "author": None, "created": None, "modified": None, "language": None, "extra": "{}",
}  # fmt: skip


class FigureWord(BBox):
    """A value of `schemas.staged.FIGURE_WORD`."""

    text: str
    size: float
    turn: int
    line: int


class FigurePicture(TypedDict):
    """What parse finds of a figure: a `ParsedFigure` that has no position yet."""

    image: bytes
    words: list[FigureWord]
    raster: float


class ParsedFigure(FigurePicture):
    """A value of `schemas.staged.PARSED_FIGURE`."""

    position: int


class Reason(TypedDict):
    """Why a step could not handle a document (page 0) or one of its pages: an entry of the staged `rejects`."""

    step: str
    page_number: int
    error: str
    message: str
    remedy: str
    final: bool


class PiiFinding(TypedDict):
    """A value of `schemas.tables.findings.FINDING`."""

    page_number: int
    bbox: BBox | None
    place: str | None
    kind: str
    digest: str


class ParsedDocument(TypedDict):
    """A row of `schemas.staged.PARSED`."""

    text: str | None
    properties: Properties
    pages: list[Page]
    elements: list[Element]
    figures: list[ParsedFigure]
    rejects: list[Reason]


class DescribedFigure(TypedDict):
    """A figure in `schemas.staged.DESCRIBED`."""

    position: int
    kind: str
    confidence: float | None
    embedding: list[float] | None
    ocr_text: str
    description: str
    caption: str | None
    thumbnail: bytes


class AssembledDocument(TypedDict):
    """What chunking needs of a `DescribedDocument`."""

    text: str
    elements: list[PlacedElement]


class DescribedDocument(AssembledDocument):
    """A row of `schemas.staged.DESCRIBED`."""

    figures: list[DescribedFigure]
    rejects: list[Reason]


class Citation(TypedDict):
    """Where a span of a document's text stands."""

    section: list[str]
    pages: list[int]
    boxes: list[PageBox]
    element_positions: list[int]
    places: list[str] | None


class ChunkSpan(Citation):
    """A chunk in `schemas.staged.CHUNKED`."""

    start_char: int
    end_char: int
    text: str
    embedding_text: str
    n_tokens: int
    kind: str
    parent_start_char: int | None
    parent_end_char: int | None
    sentence_ends: list[int] | None


class RejectRow(Reason):
    """A row of `schemas.tables.rejects.REJECTS`."""

    document_id: str
    source_name: str
    path: str
    sha256: str
    recipe: str
    attempts: int
    limits: str
    run_id: str


class GenerationRow(TypedDict):
    """A row of `schemas.tables.generations.GENERATIONS`."""

    generation: int
    format: int
    base: int
    kind: str
    run_id: str
    published_at: datetime
    recipe: str
    recipe_details: str
    embedder: str
    columns: str
    versions: str
    counts: str
    gate: str
    profile: str
    held: bool
    options: str
    purged: str


class MeanRow(TypedDict):
    """A mean over questions, with its interval: a `MetricRow` without what it says of the run."""

    split: str
    domain: str
    metric: str
    cutoff_unit: str
    cutoff: int
    value: float
    low: float
    high: float
    n: int


class MetricRow(MeanRow):
    """A row of `schemas.tables.evaluations.METRICS`."""

    run_id: str
    recipe: str
    evaluated_at: datetime
    generation: int


class ScoreRow(TypedDict):
    """A row of `schemas.tables.evaluations.SCORES`."""

    run_id: str
    question_id: str
    metric: str
    cutoff_unit: str
    cutoff: int
    split: str
    domain: str
    value: float
    lost: str | None
    evaluated_at: datetime


class RetrievedRow(TypedDict):
    """A row of `schemas.tables.evaluations.RETRIEVED`."""

    run_id: str
    question_id: str
    cutoff_unit: str
    cutoff: int
    rank: int
    document_id: str
    path: str
    start_char: int
    end_char: int
    pages: list[int]
    score: float


class RecipeRow(TypedDict):
    """A row of `schemas.tables.evaluations.RECIPES`."""

    run_id: str
    name: str
    recipe: str
    options: str
    evaluated_at: datetime
    n_documents: int
    n_chunks: int
    index_bytes: int
    lengths: list[int]
    chunking_seconds: float | None
    embedding_seconds: float | None
    search_p50_ms: float | None
    search_p95_ms: float | None
