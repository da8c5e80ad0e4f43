"""Effective options: what a run had, wherever it was set, beside the defaults."""

from collections.abc import Iterator, Mapping
from typing import Any

from schemas.options.sections import RefreshOptions


def unlike_defaults(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that have not today's default, as `section.name`; options are JSON values, section by section.

    >>> unlike_defaults(RefreshOptions.model_validate({"gate": {"max_reject_share": 0.1}}).model_dump(mode="json"))
    {'gate.max_reject_share': 0.1}
    """
    defaults = dict(_flat(RefreshOptions().model_dump(mode="json")))
    return {name: value for name, value in _flat(options) if name not in defaults or defaults[name] != value}


def _flat(options: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for section, values in options.items():
        yield from ((f"{section}.{name}", value) for name, value in values.items())
