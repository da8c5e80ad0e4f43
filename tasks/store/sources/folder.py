"""Folders as sources: a recursive listing with sizes and times, nothing followed out of the source."""

import hashlib
import os
import stat
import sys
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path

from schemas.access import GROUPS
from schemas.corpus import PRIVATE
from schemas.errors import InputError
from schemas.ids import is_unicode, percent_encode_bytes
from schemas.media_types import is_hidden
from tasks.store.local import PART_BYTES
from tasks.store.sources.posix_rights import make_rights_reader
from tasks.store.sources.source import ListedFile, Source, SourceListing


class FolderSource(Source):
    """A folder of this machine. Its files are read where they lie."""

    readers = len(os.sched_getaffinity(0))
    large_bytes = 2**20
    tells_rights = True

    def __init__(self, folder: Path, rights: bool = False) -> None:
        """With `rights`, the metadata of files are the groups that may read them."""
        self.place, self.uri, self._rights = folder, str(folder), rights
        self.follows_links = True
        """Whether links to files inside are files. Where places say who may read, a link gives others what it leads to."""

    def list_files(self, memory: bytes) -> SourceListing:
        files = walk_source(self.place, self.follows_links or self._rights)
        return SourceListing(self._add_groups(files) if self._rights else files)

    def _add_groups(self, files: list[ListedFile]) -> list[ListedFile]:
        root = os.path.realpath(self.place)
        list_groups = make_rights_reader(root)
        places = (os.path.realpath(os.path.join(root, file.path)) for file in files)
        found = ({} if file.refused else {GROUPS: list_groups(place)} for file, place in zip(files, places, strict=True))
        return [file._replace(metadata=groups) for file, groups in zip(files, found, strict=True)]

    def stream(self, path: str) -> Iterator[bytes]:
        with (self.place / path).open("rb") as opened:
            while part := opened.read(PART_BYTES):
                yield part

    def digest_file(self, path: str) -> str:
        with (self.place / path).open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()

    def fetch_file(self, path: str, sha256: str) -> Path:
        return self.place / path


def check_file_name_encoding() -> None:
    """Make sure that Python takes the names of files for UTF-8.

    Raises:
        InputError: it does not; says what to set.
    """
    if sys.getfilesystemencoding() != "utf-8":
        raise InputError(f"file names are read as {sys.getfilesystemencoding()}: set PYTHONUTF8=1, or LANG=C.UTF-8")


def walk_source(source: Path, follows_links: bool = True) -> list[ListedFile]:
    """List the files below a folder, sorted by path. Hidden files and folders, marks of open documents and corpora are left out.

    Symbolic links to files inside the source are files, unless they are not followed; those to folders, out of the source or to
    nowhere are listed as refused.

    Raises:
        InputError: `source` is not a folder that can be read, or is a corpus, or Python does not take names for UTF-8.
    """
    check_file_name_encoding()
    if not source.is_dir():
        what = "is a file" if source.exists() else "does not exist"
        raise InputError(f"source {source} {what}: name a folder of documents")
    if (source / PRIVATE).is_dir():
        raise InputError(f"source {source} is a corpus: name the folder of its documents")
    root = os.path.realpath(source)
    try:
        return sorted(_walk_source_folders(root, follows_links), key=itemgetter(0))
    except PermissionError as error:
        raise InputError(f"{error.filename} cannot be read: give this user permission, or move it out of the source") from error


def _walk_source_folders(root: str, follows_links: bool) -> Iterator[ListedFile]:
    waiting = [(root, "")]
    while waiting:
        folder, prefix = waiting.pop()
        with os.scandir(folder) as entries:
            listed = list(entries)
        if any(entry.name == PRIVATE for entry in listed):
            continue
        for entry in listed:
            path = prefix + entry.name
            if is_hidden(entry.name):
                continue
            if not is_unicode(path):
                yield ListedFile(percent_encode_bytes(path), 0, 0, "its name is not UTF-8")
            elif entry.is_symlink():
                yield from _list_link(root, entry, path, follows_links)
            elif entry.is_dir():
                waiting.append((entry.path, path + "/"))
            elif entry.is_file():
                yield _list_file(path, entry.stat())
            else:
                yield ListedFile(path, 0, 0, "it is not a regular file")


def _list_file(path: str, found: os.stat_result) -> ListedFile:
    return ListedFile(path, found.st_size, found.st_mtime_ns)


def _list_link(root: str, entry: os.DirEntry[str], path: str, follows_links: bool) -> Iterator[ListedFile]:
    target = os.path.realpath(entry.path)
    inside = target.startswith(root + os.sep)
    if os.path.isdir(target):
        yield ListedFile(path, 0, 0, "a symbolic link to a folder" + ("" if inside else " out of the source"))
    elif not inside:
        yield ListedFile(path, 0, 0, "the symbolic link leads out of the source")
    elif not os.path.exists(target):
        yield ListedFile(path, 0, 0, "the symbolic link leads nowhere")
    elif not follows_links:
        yield ListedFile(path, 0, 0, "a symbolic link, which could be for others than the file that it leads to")
    elif stat.S_ISREG(os.stat(target).st_mode):
        yield _list_file(path, os.stat(target))
    else:
        yield ListedFile(path, 0, 0, "the symbolic link does not lead to a regular file")
