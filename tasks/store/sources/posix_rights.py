"""POSIX rights: which groups may read a file of a folder, by modes and access control lists on the way from the folder to it.

Single users have no place among groups, so that a file's owner, and users whom a list names, are left out.
"""

import grp
import os
import stat
import struct
from collections.abc import Callable
from functools import cache

from schemas.access import EVERYONE, NOBODY

ACCESS_LIST = "system.posix_acl_access"
READ, ENTER = 4, 1
GROUP_OF_FILE, NAMED_GROUP, MASK, OTHERS = 0x04, 0x08, 0x10, 0x20
"""Tags of the entries of a list, as the kernel writes them (include/uapi/linux/posix_acl.h)."""
HEADER_BYTES = 4

Readers = frozenset[int] | None
"""Groups by their numbers, None: everyone."""


def find_readers(mode: int, group: int, access_list: bytes, right: int) -> Readers:
    """Return the groups that have a right to a file, by its mode, its group and its list, which may be blank.

    Everyone has it if no group is refused: who is in a group that is refused is not let in as one of the others.

    >>> find_readers(0o644, 7, b"", READ), find_readers(0o640, 7, b"", READ), find_readers(0o604, 7, b"", READ)
    (None, frozenset({7}), frozenset())
    """
    rights, mask, others = {group: mode >> 3 & 7}, 7, mode & 7
    for tag, allowed, number in struct.iter_unpack("<HHI", access_list[HEADER_BYTES:]):
        if tag in (GROUP_OF_FILE, NAMED_GROUP):
            rights[group if tag == GROUP_OF_FILE else number] = allowed
        elif tag == MASK:
            mask = allowed
        elif tag == OTHERS:
            others = allowed
    having = frozenset(number for number, allowed in rights.items() if allowed & mask & right)
    return None if others & right and len(having) == len(rights) else having


def make_rights_reader(root: str) -> Callable[[str], list[str]]:
    """Return what names the groups that may read a file, given its real path below the folder `root`.

    They may enter each folder from `root` on, and read the file; folders above `root` are not looked at.
    """

    @cache
    def find_enterers(folder: str) -> Readers:
        own = _find_readers_of_path(folder, ENTER)
        return own if folder == root else _intersect(own, find_enterers(os.path.dirname(folder)))

    def list_groups(file: str) -> list[str]:
        readers = _intersect(_find_readers_of_path(file, READ), find_enterers(os.path.dirname(file)))
        return [EVERYONE] if readers is None else sorted(map(_name_group, readers)) or [NOBODY]

    return list_groups


def _find_readers_of_path(path: str, right: int) -> Readers:
    try:
        found = os.stat(path)
    except OSError:
        return frozenset()  # it is gone: reading it tells
    try:
        access_list = os.getxattr(path, ACCESS_LIST)
    except OSError:  # it has none, or its file system knows none
        access_list = b""
    return find_readers(stat.S_IMODE(found.st_mode), found.st_gid, access_list, right)


def _intersect(one: Readers, other: Readers) -> Readers:
    return other if one is None else one if other is None else one & other


@cache
def _name_group(number: int) -> str:
    """Return the name of a group, its number if it has none, or one that means everyone or nobody here."""
    try:
        name = grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)
    return str(number) if name in (EVERYONE, NOBODY) else name
