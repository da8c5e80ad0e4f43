"""Options of sources that a URL alone does not describe. None is part of a recipe: they say which documents there are."""

from typing import Literal

from pydantic import Field

from schemas.options.frozen import Options


class SourceOptions(Options):
    """How documents are found at the URL of a source."""

    query: str = Field("", description="SELECT statement for a database, without semicolon: each of its rows is a document")
    key: str = Field("id", min_length=1, description="column that names a row for good: the path of the document")
    body: str = Field("body", min_length=1, description="column that holds the document, as text or bytes")
    changed: str = Field(
        "",
        description="column that is another after every change of a row, such as a version or a time; blank: all bodies are read",
    )
    metadata: tuple[str, ...] = Field((), description="columns that are kept as metadata of the document, such as its title")
    media_type: Literal["text/plain", "text/markdown", "text/html", "application/pdf"] = Field(
        "text/plain", description="what the bodies of rows are"
    )
    rights: bool = Field(
        False,
        description="take who may read a document from the source: a folder's POSIX groups, the name of a mailbox's folder",
    )
    depth: int = Field(3, ge=0, description="links that a crawl follows from the first page to any other")
    most_pages: int = Field(10_000, ge=1, description="pages of a site at most; a site with more is not listed completely")
    requests_per_second: float = Field(5, gt=0, description="pace of requests for pages, unless robots.txt asks for less")
