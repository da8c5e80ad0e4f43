"""Values of columns that are lists: as lists of texts, or as one text with semicolons, which a field of a CSV has."""

from collections.abc import Iterable
from difflib import get_close_matches

from schemas.access import GROUP, GROUPS, NOBODY

LIKE = 0.8
"""Names that are as much like `groups` as this, such as gruops and Group, are taken for it: a slip must not open a document."""


def split_list(value: object) -> list[str]:
    """Return the texts of a list, each once, in their order, without blanks around them.

    >>> split_list("finance; board;finance"), split_list(["a;b"])
    (['finance', 'board'], ['a;b'])

    Raises:
        ValueError: it is no list, or has nothing, or holds what is no text or blank.
    """
    parts = value.split(";") if isinstance(value, str) else value
    if not isinstance(parts, list) or not parts or not all(isinstance(part, str) and part.strip() for part in parts):
        raise ValueError(value)
    return list(dict.fromkeys(part.strip() for part in parts))


def split_groups(value: object) -> list[str]:
    """Return the groups that may read a document, sorted.

    >>> split_groups("finance;board")
    ['board', 'finance']

    Raises:
        ValueError: it is no list of groups, or names nobody beside somebody.
    """
    groups = sorted(split_list(value))
    if not all(GROUP.fullmatch(group) for group in groups) or (NOBODY in groups and len(groups) > 1):
        raise ValueError(value)
    return groups


def find_misspelt_groups(names: Iterable[str]) -> str | None:
    """Return the first of the names of metadata that seems to mean `groups`, None if none does.

    >>> find_misspelt_groups(["path", "Gruops"]), find_misspelt_groups(["groups", "year"])
    ('Gruops', None)
    """
    others = (name for name in names if name.strip().casefold() != GROUPS)
    return next((name for name in others if get_close_matches(name.strip().casefold(), [GROUPS], 1, LIKE)), None)
