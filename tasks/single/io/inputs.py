"""Documents named on a command line: single files, and all that lie in folders."""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from schemas.errors import InputError
from schemas.media_types import SUFFIXES, media_type_of
from tasks.store.folders import list_files


class Given(NamedTuple):
    """A document: its path, its path below the folder that was named (its name if itself was), and why it is refused."""

    path: Path
    inner: str
    refused: str = ""


def find_document(path: Path) -> Path:
    """Return `path` if it is one document that Pagemill reads.

    Raises:
        InputError: it is not.
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


def find_documents(paths: Iterable[Path], out: Path) -> list[Given]:
    """Return the documents at and below `paths`, each once. What lies in the folder `out` below a folder is left out.

    Raises:
        InputError: a path is neither a document nor a folder that can be read, is `out` itself, or there are no documents.
    """
    found: dict[str, Given] = {}
    named = list(paths)
    for path in named:
        for given in _in_folder(path, out) if path.is_dir() else [Given(find_document(path), path.name)]:
            found.setdefault(os.path.realpath(given.path), given)
    if not found:
        raise InputError(f"no documents in {', '.join(map(str, named))}: Pagemill reads {', '.join(sorted(SUFFIXES))}")
    return list(found.values())


def _in_folder(folder: Path, out: Path) -> Iterator[Given]:
    """Results written beside the documents would be documents themselves the next time."""
    inside, root = Path(os.path.realpath(out)), Path(os.path.realpath(folder))
    if inside == root:
        raise InputError(f"{out} is the folder of the documents: choose another folder for --out, for example one inside it")
    for file in list_files(folder):
        if media_type_of(file.path) and not (root / file.path).is_relative_to(inside):
            yield Given(folder / file.path, file.path, file.refused)
