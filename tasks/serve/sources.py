"""Where the documents of each source lie, as the caller of `pagemill serve` names it."""

import re
from collections.abc import Sequence

from schemas.errors import InputError
from schemas.options.sections import PlanOptions

NAMED = re.compile(r"([A-Za-z0-9_.-]{1,64})=(.+)", re.DOTALL)


def folders_of(given: Sequence[str]) -> dict[str, str]:
    """Return the folder of each source by its name. `given` are folders, or `name=folder` for sources with a name of their own.

    >>> folders_of(["reports", "minutes=/srv/minutes"])
    {'main': 'reports', 'minutes': '/srv/minutes'}

    Raises:
        InputError: a source is named twice, or blank.
    """
    folders: dict[str, str] = {}
    for one in given:
        named = NAMED.fullmatch(one)
        name, folder = (named[1], named[2]) if named else (PlanOptions().source_name, one)
        if not folder.strip():
            raise InputError(f"--source {one!r} is blank: name the folder of the documents")
        if name in folders:
            raise InputError(f"--source names {name} twice: write name=folder for each source of the corpus")
        folders[name] = folder
    return folders
