"""Pictures of pages. The corpus keeps none: they are drawn from the source, if it is given and still holds what was indexed."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from schemas import media_types
from schemas.corpus import place_of
from schemas.errors import ChangedError, InputError, NoPicture, PagemillError
from schemas.ids import normal_path
from schemas.options.sections import LimitOptions
from schemas.references import Content
from tasks.serve.io.page_picture import drawn
from tasks.store.objects.documents import at_hand
from tasks.store.objects.place import real
from tasks.workers.pool import WorkerPool

DRAWN = (media_types.PDF, media_types.TIFF)
"""Formats with pages that can be drawn."""
KEPT = 64
"""Pictures that are kept in memory, about 0.2 MB each."""
LIMITS = LimitOptions(workers=1, page_seconds=30, document_seconds=60)
"""A hostile document costs its own picture and nothing more, as when it was parsed."""

NEEDED = ["document_id", "source_name", "path", "sha256", "media_type"]
"""The columns of a document that its pictures need."""


class Picture(NamedTuple):
    """A page as PNG, and its width and height in points: the unit of boxes."""

    png: bytes
    width: float
    height: float


class Pictures:
    """Draws pages in a worker process, and keeps the last ones. Threads may share it."""

    def __init__(self, folders: Mapping[str, str]) -> None:
        """`folders` are those of the sources, by name: folders, or prefixes in a store.

        Raises:
            InputError: one of them is not there.
        """
        self._folders = {name: place_of(real(folder)) for name, folder in folders.items()}
        if missing := [folders[name] for name, place in self._folders.items() if not place.is_dir()]:
            raise InputError(f"--source {missing[0]} is not a folder: name the folder of the documents")
        self._kept: OrderedDict[tuple[str, str, int], Picture] = OrderedDict()
        self._lock = threading.Lock()
        self._pool = WorkerPool(LIMITS)

    def close(self) -> None:
        """End the worker."""
        self._pool.close()

    def forget(self) -> None:
        """Forget what was drawn: a document may have been purged."""
        with self._lock:
            self._kept.clear()

    def draw(self, document: Mapping[str, Any], page: int) -> Picture:
        """Return the picture of a page, counted from 1. `document` has the columns NEEDED.

        Raises:
            NoPicture: there is none; the message says why.
        """
        key = (document["document_id"], document["sha256"], page)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        size, png = self._outcome(document, page)
        picture = Picture(png, size["width"], size["height"])
        with self._lock:
            self._kept[key] = picture
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return picture

    def _outcome(self, document: Mapping[str, Any], page: int) -> Any:
        path = document["path"]
        with at_hand([self._content(document)]) as [here]:
            outcome = next(self._pool.map(drawn, [(here, page)]))[1] if isinstance(here, Content) else here
        if isinstance(outcome, ChangedError):
            raise NoPicture(f"{path} is no longer the file that was indexed: refresh the corpus to see its pages") from outcome
        if isinstance(outcome, PagemillError):
            raise NoPicture(f"page {page} of {path} cannot be drawn: {outcome}") from outcome
        return outcome

    def _content(self, document: Mapping[str, Any]) -> Content:
        """Return the file of a document.

        Raises:
            NoPicture: its format has no pages to draw, its source is not given, or the file is not there.
        """
        path, source = document["path"], document["source_name"]
        if document["media_type"] not in DRAWN:
            kind = media_types.FORMATS[document["media_type"]].name
            raise NoPicture(f"{path} has no page pictures, because {kind} has no fixed pages: read its text")
        if source not in self._folders:
            raise NoPicture(
                f"the corpus keeps no pictures of pages: start the server with --source {source}=FOLDER, the documents' folder"
            )
        found = _file_of(self._folders[source], path)
        if found is None:
            raise NoPicture(f"{path} is not in the source {source} any more: put it back, or refresh the corpus")
        size = found.stat().st_size
        return Content(sha256=document["sha256"], media_type=document["media_type"], path=str(found), size=size)


def _file_of(folder: Path, path: str) -> Path | None:
    """Return the file or object at `path` of a source. Its name may be in another normal form; nothing outside is read."""
    if Path(path).is_absolute() or ".." in Path(path).parts:
        return None
    found = folder / path
    if not found.exists():
        names = sorted(found.parent.iterdir()) if found.parent.is_dir() else []
        same = [name for name in names if normal_path(name.name) == normal_path(Path(path).name)]
        if not same:
            return None
        found = same[0]
    whole = found.resolve()
    return whole if folder in whole.parents and whole.is_file() else None
