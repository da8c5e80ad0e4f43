"""What a deployed run may be given: folders and endpoints of its deployment, and those that pagemill.toml allows besides.

Whoever can start runs could otherwise have a worker read any folder and send it to any address. `make deploy` puts the list into
the variables of the deployment, which cannot be changed without the deployment key; a run of the command line has none.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping

from schemas.errors import InputError
from tasks.store.sources.failures import hide_secrets
from tasks.store.sources.places import resolve_source

VARIABLE = "PAGEMILL_ALLOWED"
FOLDERS = frozenset({"source", "corpus", "questions", "out"})
ENDPOINTS = frozenset({"base_url", "endpoint", "dask_address", "query"})
"""Names of parameters and options, in any section, that say where documents are read and written, and where text is sent."""


def check_run_parameters(**given: object) -> None:
    """Check the parameters of a run, options included, if it is a deployed one.

    Raises:
        InputError: a folder or an endpoint is not allowed.
    """
    if not (listed := os.environ.get(VARIABLE)):
        return
    allowed = json.loads(listed)
    folders = [resolve_source(known) for known in allowed["folders"] if known]
    for name, folder in find_values_named(FOLDERS, given):
        if not _is_within_allowed_places(folder, folders):
            raise InputError(_describe_refusal(name, folder, "allowed_folders"))
    for name, address in find_values_named(ENDPOINTS, given):
        if address.rstrip("/") not in allowed["endpoints"]:
            raise InputError(_describe_refusal(name, address, "allowed_endpoints"))


def format_allowed_places(folders: Iterable[str], endpoints: Iterable[str]) -> str:
    """Return the value of VARIABLE."""
    lists = {
        "folders": sorted(set(map(resolve_source, folders))),
        "endpoints": sorted({address.rstrip("/") for address in endpoints}),
    }
    return json.dumps(lists)


def find_values_named(names: frozenset[str], given: object) -> Iterator[tuple[str, str]]:
    """Yield the name and the value of each text that is not blank and has one of `names`, at any depth, also in lists.

    >>> list(find_values_named(ENDPOINTS, {"source": "a", "chunkers": [{"endpoint": ["http://b", "http://c"]}]}))
    [('endpoint', 'http://b'), ('endpoint', 'http://c')]
    """
    if isinstance(given, Mapping):
        for name, value in given.items():
            values = value if isinstance(value, list | tuple) else [value]
            yield from ((name, text) for text in values if name in names and isinstance(text, str) and text)
            yield from find_values_named(names, value)
    elif isinstance(given, list | tuple):
        for value in given:
            yield from find_values_named(names, value)


def _is_within_allowed_places(folder: str, known: Iterable[str]) -> bool:
    try:
        place = resolve_source(folder)
    except InputError:  # no folder, nor an address that a source may have
        return False
    return any(place == one or place.startswith(one.rstrip("/") + "/") for one in known)


def _describe_refusal(name: str, value: str, option: str) -> str:
    shown = hide_secrets(value)
    return f"{name}: runs of this deployment may not use {shown}: add it to deploy.{option} in pagemill.toml, then make deploy"
