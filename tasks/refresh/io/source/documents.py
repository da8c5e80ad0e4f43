"""The documents of a source: its files, and the members of those that hold documents.

What is in a container is known by its digest: one that is as it was is not opened again, wherever it lies now.
"""

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from itertools import starmap
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from schemas.access import has_access
from schemas.corpus import Corpus
from schemas.errors import InputError, PagemillError
from schemas.ids import normal_path
from schemas.media_types import (
    ADDED,
    MAILS,
    PAGES,
    PICTURES,
    container_type_of,
    holds_documents,
    is_part_of_page,
    media_type_of,
)
from schemas.options.sections import RefreshOptions
from schemas.references import Compound, Inside, find_compound
from schemas.types import integers, strings
from tasks.parse.io.missing_readers import find_missing_readers
from tasks.refresh.io.source import sidecars
from tasks.refresh.io.source.contents import read_contents
from tasks.refresh.io.source.listing import Listing

NOT_ALONE = ("", *MAILS, *PAGES, *PICTURES)
"""The media types of files that hold documents, or show or are pictures of others; that of containers is blank."""


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


class SourceDocuments:
    """The documents of a source. One is made when it is asked for: of most, a plan needs no more than path and digest.

    `unopened` are the paths of containers that could not be opened: nobody knows now what is in them.
    """

    def __init__(
        self, rows: pa.Table, apart: Mapping[int, SourceDocument], more: Sequence[SourceDocument], unopened: Sequence[str]
    ) -> None:
        """`rows` have path, size, sha256 and media_type of files, `apart` has those of which there is more to say, by place.

        `more` follow them, which are no files.
        """
        self._rows, self._apart, self._more, self.unopened = rows, apart, more, unopened

    def __iter__(self) -> Iterator[SourceDocument]:
        return map(self.find, range(len(self._rows) + len(self._more)))

    def find(self, at: int) -> SourceDocument:
        """Return a document by its place."""
        n = len(self._rows)
        return self._more[at - n] if at >= n else self._apart.get(at) or _make_file_documents(self._rows.slice(at, 1))[0]

    @property
    def paths(self) -> list[str]:
        """The path of each."""
        return [*self._rows["path"].to_pylist(), *(one.path for one in self._more)]

    @property
    def sha256s(self) -> pa.Array:
        """The digest of each; null where it is refused."""
        digests = self._rows["sha256"].combine_chunks()
        if not self._apart and not self._more:
            return digests
        told = digests.to_pylist()
        for at, one in self._apart.items():
            told[at] = one.sha256
        return strings([*told, *(one.sha256 for one in self._more)])


def _make_file_documents(rows: pa.Table) -> list[SourceDocument]:
    facts = (rows[name].to_pylist() for name in ("path", "size", "sha256", "media_type"))
    return list(starmap(_make_document, zip(*facts, strict=True)))


def read_documents(listing: Listing, corpus: Corpus, options: RefreshOptions, remember: bool) -> SourceDocuments:
    """Return the documents of a listing, and set what its `left_out` is; `remember` keeps what was read for the next plan.

    Raises:
        InputError: a member of a container has the path of a file.
        ServiceError: no worker process can be started.
    """
    contents, refused = read_contents(listing, corpus, options, remember)
    kinds = strings(listing.media_types)
    rows = contents.select(["path", "size", "sha256"]).append_column("media_type", kinds)
    more_to_say = pc.or_(pc.is_in(kinds, value_set=strings([*NOT_ALONE, *find_missing_readers()])), pc.starts_with(kinds, ADDED))
    places = sorted({*refused, *pc.indices_nonzero(more_to_say).to_pylist()})
    apart = dict(zip(places, _make_file_documents(rows.take(integers(places))), strict=True))
    apart |= {at: apart[at]._replace(refused=why) for at, why in refused.items()}
    n = len(listing.documents)
    pictures = {normal_path(file.path): file for file in apart.values() if file.media_type in PICTURES and file.sha256}
    apart = {at: file for at, file in apart.items() if at < n}
    rows = rows.slice(0, n)
    held = [file for file in apart.values() if _may_hold_documents(file)]
    pages = [file for file in apart.values() if file.media_type in PAGES and file.sha256] if pictures else []
    if not held and not pages:
        return SourceDocuments(rows, apart, [], [])
    from tasks.refresh.io.source.opening import open_containers  # it loads what reads archives: .1 s that most refreshes spare

    opened = open_containers(listing, [*held, *pages], corpus, options, remember)
    members: list[SourceDocument] = []
    unopened = [file.path for file in held if file.refused]
    listing.left_out = []
    for at, file in apart.items():
        if file.media_type in PAGES and pictures and isinstance(found := opened.get(file.path), list):
            addresses = [address for row in found[1:] for address in row["path"].split("\n")]
            apart[at] = _add_pictures(file, addresses, pictures, own_alone=has_access(options.columns))
        if file.refused or not _may_hold_documents(file):
            continue
        found = opened[file.path]
        if isinstance(found, PagemillError):
            why, remedy = str(found), " ".join(getattr(found, "__notes__", ())) or "run the refresh again, or exclude it"
        else:
            why, remedy = found[0]["refused"], found[0]["remedy"]
            members += _list_members(listing, file, found[1:])
        if why:
            unopened.append(file.path)
            apart[at] = file._replace(sha256=None, refused=why, remedy=remedy)
    if members:
        _refuse_equal_names({*map(normal_path, rows["path"].to_pylist())}, members)
    opened_whole = [at for at, file in apart.items() if container_type_of(file.path) and not file.refused]
    kept = np.setdiff1d(np.arange(n), opened_whole).tolist()
    known = {place: apart[at] for place, at in enumerate(kept) if at in apart}
    return SourceDocuments(rows.take(integers(kept)), known, members, unopened)


def _may_hold_documents(file: SourceDocument) -> bool:
    return file.media_type in ("", *MAILS) and holds_documents(file.path)


def _make_document(
    path: str, size: int, sha256: str | None, media_type: str, refused: str = "", inside: Inside | None = None
) -> SourceDocument:
    compound = find_compound(media_type, sha256, find_missing_readers().get(media_type, "")) if sha256 else None
    return SourceDocument(path, size, compound.sha256 if compound else sha256, refused, "", inside, media_type, compound)


def _add_pictures(
    page: SourceDocument, addresses: Sequence[str], pictures: Mapping[str, SourceDocument], own_alone: bool
) -> SourceDocument:
    """Return a page with those of the pictures of the source that it shows; a picture that changes changes the page.

    With `own_alone`, only those in the folder that was saved with it: others are documents, which not all may read who read the
    page.
    """
    from tasks.parse.books.inlined import PictureFile, choose_pictures

    own = {posixpath.splitext(normal_path(page.path))[0]}

    def find(path: str) -> PictureFile | None:
        found = pictures.get(path) if not own_alone or is_part_of_page(path, own) else None
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
