"""Pictures of pages. The corpus keeps none: they are drawn from the source, if it is given and still holds what was indexed."""

import re
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypeVar

from schemas import media_types
from schemas.errors import ChangedError, InputError, NoPicture, PagemillError, ServiceError
from schemas.ids import digest, normal_path
from schemas.media_types import holds_documents
from schemas.options.sections import LimitOptions, PlanOptions
from schemas.options.sources import SourceOptions
from schemas.references import Content, SourcePlace
from tasks.parse.io.members import find_member, open_contents
from tasks.serve.io.page_picture import draw_page_as_png
from tasks.store.sources.bucket import BucketSource
from tasks.store.sources.folder import FolderSource
from tasks.store.sources.places import open_source, resolve_source
from tasks.store.sources.source import Source
from tasks.workers.pool import WorkerPool

DRAWABLE = (media_types.PDF, media_types.TIFF, *media_types.PICTURES)
"""Formats with pages that can be drawn."""
MOST_KEPT, MOST_FAILED = 64, 1000
"""Pictures that are kept in memory, about 0.2 MB each, and failures that are remembered."""
LIMITS = LimitOptions(workers=1, page_seconds=5, document_seconds=10)
"""A hostile document costs its own picture and nothing more, as when it was parsed: other pictures wait for it no longer."""
FAILED_SECONDS = 600
"""So long a page that could not be drawn is not drawn again: the next attempt would take as long."""

DOCUMENT_COLUMNS = ["document_id", "source_name", "path", "sha256", "media_type"]
"""The columns of a document that its pictures need."""
NO_OPTIONS = SourceOptions()
NAMED_SOURCE = re.compile(r"([A-Za-z0-9_.-]{1,64})=(.+)", re.DOTALL)


class Picture(NamedTuple):
    """A page as PNG, and its width and height in points: the unit of boxes."""

    png: bytes
    width: float
    height: float


class Failure(NamedTuple):
    """Why a page could not be drawn, and when that was found, by the process's clock."""

    reason: str
    at: float


Entry = TypeVar("Entry")
Key = tuple[str, str, int]
"""A document's id and digest, and the page."""


def parse_source_folders(given: Sequence[str]) -> dict[str, str]:
    """Return the folder of each source by its name. `given` are folders, or `name=folder` for sources with a name of their own.

    >>> parse_source_folders(["reports", "minutes=/srv/minutes"])
    {'main': 'reports', 'minutes': '/srv/minutes'}

    Raises:
        InputError: a source is named twice, or blank.
    """
    folders: dict[str, str] = {}
    for one in given:
        named = NAMED_SOURCE.fullmatch(one)
        name, folder = (named[1], named[2]) if named else (PlanOptions().source_name, one)
        if not folder.strip():
            raise InputError(f"--source {one!r} is blank: name the folder of the documents")
        if name in folders:
            raise InputError(f"--source names {name} twice: write name=folder for each source of the corpus")
        folders[name] = folder
    return folders


class Pictures:
    """Draws pages in a worker process, and keeps the last ones. Threads may share it."""

    def __init__(self, folders: Mapping[str, str], options: SourceOptions = NO_OPTIONS) -> None:
        """`folders` are those of the sources, by name: folders, or URLs, with the `options` that these need.

        Raises:
            InputError: one of them is not there.
        """
        self._options = options
        self._sources = {name: open_source(resolve_source(folder), options, name) for name, folder in folders.items()}
        for name, source in self._sources.items():
            if isinstance(source, FolderSource | BucketSource) and not source.place.is_dir():
                raise InputError(f"--source {folders[name]} is not a folder: name the folder of the documents")
        self._kept: OrderedDict[Key, Picture] = OrderedDict()
        self._failed: OrderedDict[Key, Failure] = OrderedDict()
        self._lock = threading.Lock()
        self._pool = WorkerPool(LIMITS)

    def close(self) -> None:
        """End the worker."""
        self._pool.close()

    def forget(self) -> None:
        """Forget what was drawn: a document may have been purged."""
        with self._lock:
            self._kept.clear()
            self._failed.clear()

    def find_drawn(self, document: Mapping[str, str], page: int) -> Picture | None:
        """Return the picture of a page, counted from 1, if it was drawn before. `document` has the columns DOCUMENT_COLUMNS.

        Raises:
            NoPicture: it could not be drawn a while ago; the message says why.
        """
        key = _make_picture_key(document, page)
        with self._lock:
            failed = self._failed.get(key)
            if failed and time.monotonic() < failed.at + FAILED_SECONDS:
                raise NoPicture(failed.reason)
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def draw(self, document: Mapping[str, str], page: int) -> Picture:
        """Return the picture of a page. Of equal calls that come while it is drawn, the later ones find it drawn.

        Raises:
            NoPicture: there is none; the message says why.
        """
        return self.find_drawn(document, page) or self._draw_anew(document, page)

    def _draw_anew(self, document: Mapping[str, str], page: int) -> Picture:
        path, content = document["path"], self._find_content(document)
        with open_contents(self._pool, [content], LIMITS, None) as [here]:
            outcome = next(self._pool.map(draw_page_as_png, [(here, page)]))[1] if isinstance(here, Content) else here
        if isinstance(outcome, ChangedError):
            raise NoPicture(f"{path} is no longer the file that was indexed: refresh the corpus to see its pages") from outcome
        if isinstance(outcome, PagemillError):
            reason = f"page {page} of {path} cannot be drawn: {str(outcome).partition(': raise limits.')[0]}"
            if not isinstance(outcome, ServiceError):
                self._keep_entry(self._failed, _make_picture_key(document, page), Failure(reason, time.monotonic()), MOST_FAILED)
            raise NoPicture(reason) from outcome
        size, png = outcome
        picture = Picture(png, size["width"], size["height"])
        self._keep_entry(self._kept, _make_picture_key(document, page), picture, MOST_KEPT)
        return picture

    def _keep_entry(self, among: OrderedDict[Key, Entry], key: Key, entry: Entry, most: int) -> None:
        with self._lock:
            among[key] = entry
            among.move_to_end(key)
            if len(among) > most:
                among.popitem(last=False)

    def _find_content(self, document: Mapping[str, str]) -> Content:
        """Return the file of a document.

        Raises:
            NoPicture: its format has no pages to draw, its source is not given, or the file is not there.
        """
        path, source = document["path"], document["source_name"]
        if document["media_type"] not in DRAWABLE:
            kind = media_types.find_format(document["media_type"]).name
            raise NoPicture(f"{path} has no page pictures, because {kind} has no fixed pages: read its text")
        if source not in self._sources:
            raise NoPicture(
                f"the corpus keeps no pictures of pages: start the server with --source {source}=FOLDER, the documents' folder"
            )
        found = self._find_file(source, path) or self._find_member(source, path)
        if not found:
            raise NoPicture(f"{path} is not in the source {source} any more: put it back, or refresh the corpus")
        return found.model_copy(update={"sha256": document["sha256"], "media_type": document["media_type"]})

    def _find_file(self, source: str, path: str) -> Content | None:
        opened = self._sources[source]
        return _find_source_file(opened, SourcePlace(url=opened.uri, options=self._options, name=source), path)

    def _find_member(self, source: str, path: str) -> Content | None:
        """Return the document at `path` in an archive, mailbox or mail of a source.

        Raises:
            NoPicture: that cannot be read.
        """
        for outer in [*PurePosixPath(path).parents][:-1]:
            container = self._find_file(source, str(outer)) if holds_documents(outer.name) else None
            if container:
                named = container.model_copy(update={"sha256": digest(container.path)})
                try:
                    inside = find_member(self._pool, named, str(PurePosixPath(path).relative_to(outer)), LIMITS)
                except PagemillError as error:
                    raise NoPicture(f"{path} has no page pictures now, because {outer} cannot be read: {error}") from error
                return inside and named.model_copy(update={"path": path, "size": 0, "inside": inside})
        return None


def _make_picture_key(document: Mapping[str, str], page: int) -> Key:
    return document["document_id"], document["sha256"], page


def _find_source_file(source: Source, place: SourcePlace, path: str) -> Content | None:
    """Return the file at `path` of a source, without digest. Its name may be in another normal form; nothing outside is read.

    Other places than folders and buckets are not asked whether they have it.
    """
    if Path(path).is_absolute() or ".." in Path(path).parts:
        return None
    if not isinstance(source, FolderSource | BucketSource):
        in_container = any(holds_documents(outer.name) for outer in PurePosixPath(path).parents)
        return None if in_container else Content(sha256="", media_type="", path=path, size=0, source=place)
    found = source.place / path
    if not found.exists():
        names = sorted(found.parent.iterdir()) if found.parent.is_dir() else []
        same = [name for name in names if normal_path(name.name) == normal_path(Path(path).name)]
        if not same:
            return None
        found = same[0]
    whole = found.resolve()
    if source.place not in whole.parents or not whole.is_file():
        return None
    size = whole.stat().st_size
    if isinstance(source, FolderSource):
        return Content(sha256="", media_type="", path=str(whole), size=size)
    key = "/".join(whole.parts[len(source.place.parts) :])
    return Content(sha256="", media_type="", path=key, size=size, source=place)
