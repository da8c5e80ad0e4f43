"""Sources: a recursive listing with sizes and times, nothing followed out of the source."""

import hashlib
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from schemas.corpus import PRIVATE
from schemas.errors import InputError
from schemas.ids import is_unicode
from tasks.store.objects.place import StorePath


class ListedFile(NamedTuple):
    """A file below the source: `path` relative to it with `/`, size in bytes, modification time; why it is refused.

    For the time of an object in a store stands a number of its ETag, which changes with its content.
    """

    path: str
    size: int
    mtime_ns: int
    refused: str = ""


def is_hidden(name: str) -> bool:
    """Return whether a file or folder is no document by its name: hidden, or the mark of Office that a document is open.

    >>> is_hidden(".git"), is_hidden("~$report.docx"), is_hidden("~notes.txt")
    (True, True, False)
    """
    return name.startswith((".", "~$"))


def list_files(source: Path) -> list[ListedFile]:
    """List the files below `source`, sorted by path. Hidden files and folders, marks of open documents and corpora are left out.

    Symbolic links to files inside the source are files; those to folders, out of the source or to nowhere are listed as refused.

    Raises:
        InputError: `source` is not a folder that can be read, or is a corpus, or Python does not take names for UTF-8.
    """
    if sys.getfilesystemencoding() != "utf-8":
        raise InputError(f"file names are read as {sys.getfilesystemencoding()}: set PYTHONUTF8=1, or LANG=C.UTF-8")
    if isinstance(source, StorePath):
        return _list_objects(source)
    if not source.is_dir():
        what = "is a file" if source.exists() else "does not exist"
        raise InputError(f"source {source} {what}: name a folder of documents")
    if (source / PRIVATE).is_dir():
        raise InputError(f"source {source} is a corpus: name the folder of its documents")
    try:
        return sorted(_walk(os.path.realpath(source), os.path.realpath(source), ""))
    except PermissionError as error:
        raise InputError(f"{error.filename} cannot be read: give this user permission, or move it out of the source") from error


def _list_objects(source: StorePath) -> list[ListedFile]:
    found = list(source.below())
    if not found:
        raise InputError(f"source {source} does not exist: name a prefix of a bucket with documents")
    paths = {path: path.key.removeprefix(f"{source.key}/" if source.key else "").split("/") for path in found}
    corpora = {tuple(parts[: parts.index(PRIVATE)]) for parts in paths.values() if PRIVATE in parts}
    if () in corpora:
        raise InputError(f"source {source} is a corpus: name the prefix of its documents")
    folders = {tuple(parts[:n]) for parts in paths.values() for n in range(1, len(parts))}
    return sorted(
        ListedFile("/".join(parts), path.stat().st_size, _stamp(path))
        for path, parts in paths.items()
        if not any(map(is_hidden, parts))
        and not any(tuple(parts[:n]) in corpora for n in range(1, len(parts)))
        and not (path.stat().st_size == 0 and (tuple(parts) in folders or "." not in parts[-1]))  # stands for a folder
    )


def _stamp(path: StorePath) -> int:
    """Return a number of an object's ETag, or its time, that is smaller than any time of today: it tells changes for sure."""
    seen = path.etag or str(path.stat().st_mtime_ns)
    return int.from_bytes(hashlib.sha256(seen.encode()).digest()[:7])


def _walk(root: str, folder: str, prefix: str) -> Iterator[ListedFile]:
    with os.scandir(folder) as entries:
        listed = list(entries)
    if any(entry.name == PRIVATE for entry in listed):
        return
    for entry in listed:
        path = prefix + entry.name
        if is_hidden(entry.name):
            continue
        if not is_unicode(path):
            yield ListedFile(_percent_encode(path), 0, 0, "its name is not UTF-8")
            continue
        if entry.is_symlink():
            yield from _list_link(root, entry, path)
        elif entry.is_dir():
            yield from _walk(root, entry.path, path + "/")
        elif entry.is_file():
            found = entry.stat()
            yield ListedFile(path, found.st_size, found.st_mtime_ns)
        else:
            yield ListedFile(path, 0, 0, "it is not a regular file")


def _percent_encode(name: str) -> str:
    r"""Return a name that is not UTF-8 with its odd bytes written as in addresses, so that two such names stay two.

    >>> _percent_encode("caf\udce9.txt")
    'caf%E9.txt'
    """
    return "".join(character if is_unicode(character) else f"%{ord(character) - 0xDC00:02X}" for character in name)


def _list_link(root: str, entry: os.DirEntry[str], path: str) -> Iterator[ListedFile]:
    target = os.path.realpath(entry.path)
    inside = target.startswith(root + os.sep)
    if os.path.isdir(target):
        yield ListedFile(path, 0, 0, "a symbolic link to a folder" + ("" if inside else " out of the source"))
    elif not inside:
        yield ListedFile(path, 0, 0, "the symbolic link leads out of the source")
    elif not os.path.exists(target):
        yield ListedFile(path, 0, 0, "the symbolic link leads nowhere")
    elif stat.S_ISREG(os.stat(target).st_mode):
        found = os.stat(target)
        yield ListedFile(path, found.st_size, found.st_mtime_ns)
    else:
        yield ListedFile(path, 0, 0, "the symbolic link does not lead to a regular file")
