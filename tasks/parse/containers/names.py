"""Names: the paths of members below their containers. They name documents; no file is ever made at one."""

import posixpath
import re
from collections.abc import Iterable

from schemas.ids import digest, normal_path, percent_encode_bytes
from schemas.media_types import is_hidden

MOST_CHARS = 1024
"""A longer path is cut, and ends in a digest of the whole."""
_DRIVE = re.compile(r"^[A-Za-z]:(?=/)")
_RESOURCES = "__MACOSX"
"""The folder of a ZIP archive in which macOS keeps what is no content of a file."""


def make_member_path(name: str) -> str:
    r"""Return the path of a member, below its container, for the name that the container gives it; blank if it names nothing.

    >>> make_member_path("C:\\reports\\..\\..\\a.pdf"), make_member_path("/etc/./passwd"), make_member_path("../")
    ('reports/a.pdf', 'etc/passwd', '')
    """
    whole = _DRIVE.sub("", normal_path(percent_encode_bytes(name.replace("\0", ""))))
    path = "/".join(part for part in whole.split("/") if part not in ("", ".", ".."))
    if len(path) <= MOST_CHARS:
        return path
    suffix = posixpath.splitext(path)[1]
    return f"{path[:MOST_CHARS]}…{digest(path)}{suffix if len(suffix) < 10 else ''}"


def is_hidden_member(path: str) -> bool:
    """Return whether a member is no document by its path, as a hidden file in a folder is none.

    >>> is_hidden_member("a/.git/config"), is_hidden_member("__MACOSX/a.txt"), is_hidden_member("a.txt")
    (True, True, False)
    """
    parts = path.split("/")
    return parts[0] == _RESOURCES or any(map(is_hidden, parts))


class Namer:
    """Gives members of one container paths that differ: the second `a.pdf` is `a (2).pdf`."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._given = set(taken)
        self._last: dict[str, int] = {}

    def name(self, path: str) -> str:
        """Return `path`, or if it was given before, the path with the next free number."""
        found, number = path, self._last.get(path, 1)
        stem, suffix = posixpath.splitext(path)
        while found in self._given:
            number += 1
            found = f"{stem} ({number}){suffix}"
        self._last[path] = number
        self._given.add(found)
        return found
