"""What `pagemill serve` answers: one model for each kind of answer, over HTTP as over MCP."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from schemas.hits import Hit

ANSWERED = "how likely one of them answers the question, from 0 to 1: below 0.35 nothing seems to; null if that is not known"


class Served(BaseModel):
    """Base of answers."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Results(Served):
    """The results of a question, best first, and the generation that they come from."""

    generation: int
    answered: float | None = Field(description=ANSWERED)
    results: list[Hit]


class Passage(Served):
    """A result for a language model: the text, and where it stands. `pages` count from 1, `section` has the outermost first.

    `places` are those of documents without pages: cells (`Sheet2!B4:F40`), times, lines. `also_in` are the paths of other
    documents that say nearly the same.
    """

    document_id: str
    path: str
    title: str
    section: list[str]
    pages: list[int]
    places: list[str]
    also_in: list[str]
    text: str
    score: float


class Passages(Served):
    """The passages that answer a question, best first, and the generation that they come from."""

    generation: int
    answered: float | None = Field(description=ANSWERED)
    passages: list[Passage]


class Documents(Served):
    """Some of the documents that fit a condition, sorted by source and path. `n_documents` counts all that fit."""

    generation: int
    n_documents: int
    documents: list[dict[str, Any]] = Field(description="columns of the table of documents, without their texts")


class DocumentPart(Served):
    """A part of a document's text: the code points [start_char, end_char), of one page or of all of them."""

    generation: int
    document_id: str
    source_name: str
    path: str
    title: str
    author: str | None
    created: str | None
    media_type: str
    state: str
    n_pages: int
    n_chars: int
    page: int | None = Field(description="the page that the part was limited to, counted from 1")
    start_char: int
    end_char: int
    next_start_char: int | None = Field(description="where to continue; null at the end of the text, or of the page")
    text: str


class Health(Served):
    """The state of the server. Without a generation nothing can be searched."""

    status: str = Field(description="ok, or waiting while nothing is published")
    generation: int | None
    published_at: str | None
    n_documents: int | None = Field(description="null if the corpus says who may read its documents")
    n_chunks: int | None
    corpus: str = Field(description="the name of the corpus folder")
    mcp: bool = Field(description="whether /mcp answers")


class Problem(Served):
    """An error: its kind, and what is wrong, where, and what to do."""

    error: str
    message: str
