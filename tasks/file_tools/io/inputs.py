"""Inputs: the documents that a command line names, as files or in folders."""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from schemas.errors import DocumentError, InputError
from schemas.media_types import SUFFIXES, media_type_of
from schemas.references import Content
from tasks.store import files
from tasks.store.files import find_storage


class InputFile(NamedTuple):
    """A document. `inner` is its path below the named folder, or its file name; `refused` says why it is not read, if so."""

    path: Path
    inner: str
    refused: str = ""


def check_readable_document(path: Path) -> Path:
    """Return `path` if it is a document that Pagemill can read.

    Raises:
        InputError: it is not such a document.
    """
    try:
        found = path.stat()
    except FileNotFoundError as error:
        raise InputError(f"{path} does not exist: check the path") from error
    except OSError as error:
        raise InputError(f"{path} cannot be reached: {error.strerror}") from error
    if stat.S_ISDIR(found.st_mode):
        raise InputError(f"{path} is a folder: name one document")
    if not stat.S_ISREG(found.st_mode):
        raise InputError(f"{path} is not a regular file: name a document")
    if not media_type_of(path.name):
        raise InputError(
            f"{path} is not a document that Pagemill can read: choose one of these types: {', '.join(sorted(SUFFIXES))}"
        )
    return path


def find_documents(paths: Iterable[Path], out: Path) -> list[InputFile]:
    """Return the documents at and below `paths`, each once, but no files in the folder `out`.

    Raises:
        InputError: a path is neither a document nor a readable folder, a path is `out` itself, or there are no documents.
    """
    found: dict[str, InputFile] = {}
    named = list(paths)
    for path in named:
        for given in (
            _list_documents_in_folder(path, out) if path.is_dir() else [InputFile(check_readable_document(path), path.name)]
        ):
            found.setdefault(os.path.realpath(given.path), given)
    if not found:
        raise InputError(f"no documents in {', '.join(map(str, named))}: Pagemill reads {', '.join(sorted(SUFFIXES))}")
    return list(found.values())


def _list_documents_in_folder(folder: Path, out: Path) -> Iterator[InputFile]:
    """Leave out the folder of the results: the next call would take them for documents."""
    inside, root = Path(os.path.realpath(out)), Path(os.path.realpath(folder))
    if inside == root:
        raise InputError(f"{out} is the folder of the documents: choose another folder for --out, for example one inside it")
    for file in find_storage(folder).list_source(folder):
        if media_type_of(file.path) and not (root / file.path).is_relative_to(inside):
            yield InputFile(folder / file.path, file.path, file.refused)


def hash_content(path: Path, refused: str = "") -> Content:
    """Return the content of the document at `path`.

    Raises:
        DocumentError: the file cannot be read, or `refused` gives a reason not to read it.
    """
    if refused:
        raise DocumentError(refused)
    try:
        sha256, size = files.compute_sha256(path), path.stat().st_size
    except OSError as error:
        raise DocumentError(
            f"{path} cannot be read: {error.strerror}: give this user permission, or leave the file out"
        ) from error
    return Content(sha256=sha256, media_type=media_type_of(path.name) or "", path=str(path), size=size)
