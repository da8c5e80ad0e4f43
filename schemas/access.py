"""Access: which groups may read a document, and who asks.

A corpus has access if it declares the column `groups` as `list<string>`. Every document has at least one group then: without any
of its own it has that of `access.default`, which is `everyone` or `nobody`.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from schemas.errors import InputError

GROUPS, LISTED = "groups", "list<string>"
EVERYONE, NOBODY = "everyone", "nobody"
"""Groups of Pagemill's own: every principal is in the first, none can be in the second."""
DEFAULT = "access.default"
"""Stands in a document's metadata for the group that it has without any of its own."""
GROUP = re.compile(r"[^;,\s\x00-\x1f'\"]([^;,\x00-\x1f'\"]{0,198}[^;,\s\x00-\x1f'\"])?")
OWNER_NAME = "owner"


@dataclass(frozen=True, init=False)
class Principal:
    """Who asks: someone in `groups`, or in none, who reads what everyone may; or the owner of the corpus, who has its files."""

    groups: frozenset[str]
    is_owner: bool
    name: str = field(compare=False)

    def __init__(self, groups: Iterable[str] = (), is_owner: bool = False, name: str = "") -> None:
        """`name` is for the audit log alone. Raises InputError: a group has no name that groups have, or nobody is in it."""
        given = [groups] if isinstance(groups, str) else [*groups]
        for group in given:
            if not isinstance(group, str) or not GROUP.fullmatch(group) or group == NOBODY:
                raise InputError(f"{group!r} is no group that anyone is in: name it without commas, semicolons and quotes")
        object.__setattr__(self, "groups", frozenset(given))
        object.__setattr__(self, "is_owner", is_owner)
        object.__setattr__(self, "name", name)


OWNER = Principal(is_owner=True)


def parse_principal(given: str) -> Principal:
    """Return who is meant by groups=a,b or owner.

    >>> sorted(parse_principal("groups=finance, board").groups), parse_principal("owner").is_owner
    (['board', 'finance'], True)

    Raises:
        InputError: it is neither.
    """
    kind, equals, names = given.partition("=")
    if given.strip() == OWNER_NAME:
        return OWNER
    if kind.strip() != GROUPS or not equals:
        raise InputError(f"{given!r} says not who asks: write groups=finance,board, or owner for who has the corpus's files")
    return Principal(name.strip() for name in names.split(",") if name.strip())


def has_access(columns: Mapping[str, str]) -> bool:
    """Return whether a corpus with these declared columns says who may read its documents."""
    return GROUPS in columns
