"""The documents of a source: its files, and the members of those that hold documents.

What is in a container is known by its digest: one that is as it was is not opened again, wherever it lies now.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from schemas.corpus import Corpus
from schemas.errors import InputError, PagemillError
from schemas.ids import normal_path
from schemas.media_types import MAILS, PAGES, PICTURES, container_type_of, holds_documents, media_type_of
from schemas.options.sections import RefreshOptions
from schemas.references import Compound, Inside, find_compound
from tasks.refresh.io.source import sidecars
from tasks.refresh.io.source.contents import read_contents
from tasks.refresh.io.source.listing import Listing


class SourceDocument(NamedTuple):
    """A document of a source: its path, size and digest; why it is refused, if it is, and what to do; where it is inside of."""

    path: str
    size: int
    sha256: str | None
    refused: str = ""
    remedy: str = ""
    inside: Inside | None = None
    media_type: str = ""
    compound: Compound | None = None


class SourceDocuments(NamedTuple):
    """The documents of a source, and the paths of containers that could not be opened: nobody knows now what is in them."""

    documents: list[SourceDocument]
    unopened: list[str]


def read_documents(listing: Listing, corpus: Corpus, options: RefreshOptions, remember: bool) -> SourceDocuments:
    """Return the documents of a listing, and set what its `left_out` is; `remember` keeps what was read for the next plan.

    Raises:
        InputError: a member of a container has the path of a file.
        ServiceError: no worker process can be started.
    """
    contents, refused = read_contents(listing, corpus, options, remember)
    listed = [
        _make_document(path, size, sha256, media_type, refused.get(at, ""))
        for at, (path, size, sha256, media_type) in enumerate(
            zip(*(contents[name].to_pylist() for name in ("path", "size", "sha256")), listing.media_types, strict=True)
        )
    ]
    files = listed[: len(listing.documents)]
    held = [file for file in files if _may_hold_documents(file)]
    pictures = {normal_path(file.path): file for file in listed if file.media_type in PICTURES and file.sha256}
    pages = [file for file in files if file.media_type in PAGES and file.sha256] if pictures else []
    if not held and not pages:
        return SourceDocuments(files, [])
    from tasks.refresh.io.source.opening import open_containers  # it loads what reads archives: .1 s that most refreshes spare

    opened = open_containers(listing, [*held, *pages], corpus, options, remember)
    members: list[SourceDocument] = []
    unopened = [file.path for file in held if file.refused]
    listing.left_out = []
    for at, file in enumerate(files):
        if file.media_type in PAGES and pictures and isinstance(rows := opened.get(file.path), list):
            files[at] = _add_pictures(file, [address for row in rows[1:] for address in row["path"].split("\n")], pictures)
        if file.refused or not _may_hold_documents(file):
            continue
        rows = opened[file.path]
        if isinstance(rows, PagemillError):
            why, remedy = str(rows), " ".join(getattr(rows, "__notes__", ())) or "run the refresh again, or exclude it"
        else:
            why, remedy = rows[0]["refused"], rows[0]["remedy"]
            members += _list_members(listing, file, rows[1:])
        if why:
            unopened.append(file.path)
            files[at] = file._replace(sha256=None, refused=why, remedy=remedy)
    _refuse_equal_names({normal_path(file.path) for file in files}, members)
    found = [file for file in files if file.refused or not container_type_of(file.path)]
    return SourceDocuments([*found, *members], unopened)


def _may_hold_documents(file: SourceDocument) -> bool:
    return file.media_type in ("", *MAILS) and holds_documents(file.path)


def _make_document(
    path: str, size: int, sha256: str | None, media_type: str, refused: str = "", inside: Inside | None = None
) -> SourceDocument:
    compound = find_compound(media_type, sha256) if sha256 else None
    return SourceDocument(path, size, compound.sha256 if compound else sha256, refused, "", inside, media_type, compound)


def _add_pictures(page: SourceDocument, addresses: Sequence[str], pictures: Mapping[str, SourceDocument]) -> SourceDocument:
    """Return a page with those of the pictures of the source that it shows; a picture that changes changes the page."""
    from tasks.parse.books.inlined import PictureFile, choose_pictures

    def find(path: str) -> PictureFile | None:
        found = pictures.get(path)
        return PictureFile(found.path, found.size, found.sha256 or "") if found else None

    chosen, n_left_out = choose_pictures(page.path, addresses, find)
    compound = Compound(page.sha256 or "", pictures=chosen, n_left_out=n_left_out)
    return page._replace(sha256=compound.sha256, compound=compound) if chosen or n_left_out else page


def _list_members(listing: Listing, file: SourceDocument, rows: Sequence[Mapping[str, Any]]) -> Iterator[SourceDocument]:
    """Yield the documents in a container; add what is none to the listing's `left_out`."""
    for row in rows:
        path = f"{file.path}/{row['path']}"
        if not listing.chooses(path, row["media_type"]):
            continue
        if row["path"].rpartition("/")[2] in sidecars.NAMES:
            listing.left_out.append(f"{path} (metadata is read beside an archive, not in it)")
        elif row["refused"]:
            yield SourceDocument(path, 0, None, row["refused"], row["remedy"])
        elif row["sha256"] is None:
            listing.left_out.append(f"{path} ({row['left_out']})" if row["left_out"] else path)
        else:
            inside = Inside(file.path, file.sha256 or "", row["locator"])
            media_type = row["media_type"] or media_type_of(path) or ""
            yield _make_document(path, row["size"], row["sha256"], media_type, inside=inside)


def _refuse_equal_names(taken: set[str], members: Sequence[SourceDocument]) -> None:
    for member in members:
        if normal_path(member.path) in taken:
            raise InputError(f"{member.path!r} is a file, and a member of an archive of that name: rename the archive")
