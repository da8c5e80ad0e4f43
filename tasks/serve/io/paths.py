"""The paths of the service: questions, documents, pictures, health; and its own pages."""

import pathlib
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import FileResponse

from schemas.access import Principal
from schemas.options.search import By, Mode, Returned
from schemas.served import DocumentPart, Documents, Health, Problem, Results
from tasks.search.io.documents import PART_CHARS
from tasks.serve.io.service import Service
from tasks.serve.io.threads import Threads

PAGES = pathlib.Path(__file__).parents[1] / "page"
"""The files of the server's own pages."""

MOST_RESULTS, MOST_DOCUMENTS, MOST_CHARS = 100, 1000, 200_000
LAST = 2**31 - 1
"""The largest number of a page, place or token: tables hold no larger ones."""

PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The request is wrong; the message says how."},
    401: {"model": Problem, "description": "The token is missing or wrong."},
    403: {"model": Problem, "description": "A page of another site asks, or who asks may not read this corpus."},
    503: {
        "model": Problem,
        "description": "Nothing is published yet, the corpus cannot be read, or no answer was found in time.",
    },
}
NOT_FOUND: dict[int | str, dict[str, Any]] = {404: {"model": Problem, "description": "There is no such document or picture."}}

Where = Annotated[
    str | None, Query(description="SQL condition on columns of documents or chunks, such as `year = 2023 AND path LIKE 'a/%'`.")
]
Page = Annotated[int | None, Query(ge=1, le=LAST, description="Only the text of this page, counted from 1.")]


def get_principal(request: Request) -> Principal | None:
    """Return who asks, as the guard found."""
    found: Principal | None = request.scope["principal"]
    return found


Asker = Annotated[Principal | None, Depends(get_principal)]


def make_service_router(service: Service, threads: Threads) -> APIRouter:
    """Return the paths that answer with JSON or a picture."""
    paths = APIRouter()
    _add_search_path(paths, service, threads)
    _add_document_paths(paths, service, threads)
    _add_health_path(paths, service, threads)
    return paths


def _add_search_path(paths: APIRouter, service: Service, threads: Threads) -> None:
    @paths.get("/search", responses=PROBLEMS, summary="Answer a question")
    async def search(
        asker: Asker,
        q: Annotated[str, Query(description="The question, in plain words.")],
        k: Annotated[int, Query(ge=1, le=MOST_RESULTS, description="Most results.")] = 5,
        mode: Annotated[Mode, Query(description="hybrid (dense and full-text, fused), dense, or fts.")] = "hybrid",
        where: Where = None,
        returned: Annotated[
            Returned,
            Query(alias="return", description="Passages (neighbouring chunks joined and trimmed), chunks, or parents."),
        ] = "passages",
        budget: Annotated[
            int | None, Query(ge=1, le=LAST, description="Tokens: as many results as fit into so many, instead of `k`.")
        ] = None,
        by: Annotated[By | None, Query(description="Rank pages or documents, each shown by its best chunk.")] = None,
        show_all: Annotated[
            bool, Query(alias="all", description="All of the documents that say nearly the same, not the newest alone.")
        ] = False,
    ) -> Results:
        """Return the best results, each with document, pages, boxes in PDF points, section and score."""
        return await threads.run_in_thread(
            "search", partial(service.search, asker, q, k, mode, where or None, returned, budget, by, show_all)
        )


def _add_document_paths(paths: APIRouter, service: Service, threads: Threads) -> None:
    @paths.get("/documents", responses=PROBLEMS, summary="List documents")
    async def documents(
        asker: Asker,
        where: Where = None,
        offset: Annotated[int, Query(ge=0, le=LAST, description="Documents to leave out at the start.")] = 0,
        limit: Annotated[int, Query(ge=1, le=MOST_DOCUMENTS, description="Most documents.")] = 100,
    ) -> Documents:
        """Return the documents that fit a condition, sorted by source and path."""
        return await threads.run_in_thread("read", partial(service.documents, asker, where or None, offset, limit))

    @paths.get("/documents/{document_id}", responses={**PROBLEMS, **NOT_FOUND}, summary="Read a document")
    async def document(
        asker: Asker,
        document_id: str,
        page: Page = None,
        start: Annotated[int, Query(ge=0, le=LAST, description="Where to begin, in the page or the whole text.")] = 0,
        length: Annotated[int, Query(ge=1, le=MOST_CHARS, description="Most characters.")] = PART_CHARS,
    ) -> DocumentPart:
        """Return text of a document: of one page, or of all of them, from a character on."""
        return await threads.run_in_thread("read", partial(service.document, asker, document_id, page, start, length))

    pictured: dict[int | str, dict[str, Any]] = {200: {"content": {"image/png": {}}, "description": "The page as PNG."}}

    @paths.get(
        "/documents/{document_id}/pages/{page}",
        responses={**PROBLEMS, **NOT_FOUND, **pictured},
        response_class=Response,
        summary="See a page",
    )
    async def picture(
        asker: Asker, document_id: str, page: Annotated[int, Path(ge=1, le=LAST, description="Counted from 1.")]
    ) -> Response:
        """Return a page as PNG; the headers Page-Width and Page-Height are its size in points, the unit of boxes."""
        known = await threads.run_in_thread("read", partial(service.find_picture, asker, document_id, page))
        drawn = (
            known if known else await threads.run_in_thread("picture", partial(service.draw_picture, asker, document_id, page))
        )
        size = {"page-width": f"{drawn.width:.3f}", "page-height": f"{drawn.height:.3f}"}
        return Response(drawn.png, media_type="image/png", headers=size)


def _add_health_path(paths: APIRouter, service: Service, threads: Threads) -> None:
    @paths.get("/health", responses={503: {"model": Health}}, summary="Return whether the server can answer")
    async def health(response: Response) -> Health:
        """Return the live generation and its size, with status 503 as long as nothing is published."""
        found = await threads.run_in_thread("state", service.health)
        response.status_code = 200 if found.status == "ok" else 503
        return found


def make_page_router() -> APIRouter:
    """Return the paths of the page to ask questions, and of the page that explains all paths."""
    paths = APIRouter(include_in_schema=False)

    @paths.get("/")
    async def ask() -> FileResponse:
        return FileResponse(PAGES / "index.html")

    @paths.get("/docs")
    async def docs() -> FileResponse:
        return FileResponse(PAGES / "docs.html")

    return paths
