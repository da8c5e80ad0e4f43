"""Effective options: the options of a run that differ from the defaults, wherever they were set."""

from collections.abc import Iterator, Mapping

from schemas.options.sections import RefreshOptions


def list_non_default_options(options: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    """Return the options that differ from the current defaults, as `section.name`. `options` holds JSON values by section.

    >>> list_non_default_options(RefreshOptions.model_validate({"gate": {"max_reject_share": 0.1}}).model_dump(mode="json"))
    {'gate.max_reject_share': 0.1}
    """
    defaults = dict(_flatten_options(RefreshOptions().model_dump(mode="json")))
    return {name: value for name, value in _flatten_options(options) if name not in defaults or defaults[name] != value}


def _flatten_options(options: Mapping[str, Mapping[str, object]]) -> Iterator[tuple[str, object]]:
    for section, values in options.items():
        yield from ((f"{section}.{name}", value) for name, value in values.items())
