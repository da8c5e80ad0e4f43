"""Flags: options of `schemas.options` as flags of a command, with the same types and descriptions."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Annotated, Any, Literal, get_origin

import typer
from pydantic.fields import FieldInfo

from flows.settings import parse_option_value, read_refresh_options
from schemas.errors import InputError
from schemas.options.sections import RefreshOptions

REFRESH = {
    "source_name": "plan.source_name",
    "include": "plan.include",
    "exclude": "plan.exclude",
    "chunker": "chunk.strategy",
    "size": "chunk.size_tokens",
    "overlap": "chunk.overlap_tokens",
    "embedder": "embed.model",
    "workers": "limits.workers",
    "task_runner": "run.task_runner",
    "dask_address": "run.dask_address",
    "on_reject": "plan.on_reject",
    "lock_wait": "publish.lock_wait_seconds",
    "verify": "plan.verify",
    "allow_empty": "plan.allow_empty",
    "allow_removals": "plan.allow_removals",
    "gate_questions": "gate.questions",
    "gate_metric": "gate.metric",
    "max_drop": "gate.max_drop",
    "accept_drift": "gate.accept_drift",
    "rebuild": "publish.rebuild",
    "release": "publish.release",
}
CHUNK = {"strategy": "chunk.strategy", "size": "chunk.size_tokens", "overlap": "chunk.overlap_tokens"}
"""Options that have a flag, by the name of the flag. All others can be given with `--set`."""

SETTINGS = "settings"
SettingsFlag = Annotated[list[str] | None, typer.Option("--set", help="Any option: section.name=value; may be repeated.")]


Command = Callable[..., None]


def add_option_flags(flags: Mapping[str, str]) -> Callable[[Command], Command]:
    """Give a command `flags` and `--set`. They make its argument `options`, with the environment and `pagemill.toml`."""

    def add_to_command(command: Command) -> Command:
        @wraps(command)
        def call_with_options(**given: Any) -> None:
            values = {name: given.pop(name) for name in flags}
            settings = given.pop(SETTINGS) or []
            command(**given, options=parse_options(flags, values, settings))

        signature = inspect.signature(command, eval_str=True)
        own = [each for each in signature.parameters.values() if each.name != "options"]
        last = inspect.Parameter(SETTINGS, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=SettingsFlag)
        parameters = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in [*own, *_make_flag_parameters(flags), last]]
        call_with_options.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        call_with_options.__annotations__ = {each.name: each.annotation for each in parameters}
        return call_with_options

    return add_to_command


def parse_options(flags: Mapping[str, str], values: Mapping[str, object], settings: list[str]) -> RefreshOptions:
    """Return the options for flags and settings (`section.name=value`). A flag that was not given has an empty value.

    Raises:
        InputError: a setting does not have this form, or an option is not valid.
    """
    given: dict[str, dict[str, object]] = {}
    for flag, option in flags.items():
        section, _, name = option.partition(".")
        value = values[flag]
        if value is not None and value is not False and value != []:
            given.setdefault(section, {})[name] = value
    for setting in settings:
        option, separator, value = setting.partition("=")
        section, dot, name = option.partition(".")
        if not separator or not dot:
            raise InputError(f"--set {setting} is not of the form section.name=value, such as gate.max_tiny_share=0.6")
        given.setdefault(section, {})[name] = parse_option_value(value)
    return read_refresh_options(given)


def get_option_field(option: str) -> FieldInfo:
    """Return the definition of an option, such as `chunk.size_tokens`."""
    section, _, name = option.partition(".")
    model: Any = RefreshOptions.model_fields[section].annotation
    found: FieldInfo = model.model_fields[name]
    return found


def describe_default(field: FieldInfo) -> str:
    """Return the end of a help text, which tells the default of an option; blank if the default is nothing, or a flag.

    >>> describe_default(get_option_field("gate.metric")), describe_default(get_option_field("plan.exclude"))
    (' By default recall@5.', '')
    """
    value = field.get_default(call_default_factory=True)
    if value in (None, "", ()) or isinstance(value, bool):
        return ""
    return f" By default {', '.join(map(str, value)) if isinstance(value, tuple) else value}."


def _make_flag_parameters(flags: Mapping[str, str]) -> Iterator[inspect.Parameter]:
    for flag, option in flags.items():
        field = get_option_field(option)
        name = f"--{flag.replace('_', '-')}"
        described = f"{str(field.description)[0].upper()}{str(field.description)[1:]}.{describe_default(field)}"
        kind = _choose_flag_type(field.annotation)
        if get_origin(field.annotation) is tuple:
            described += " May be repeated."
        annotation = Annotated[kind, typer.Option(name, help=described)]  # type: ignore[valid-type]
        default = False if kind is bool else None
        yield inspect.Parameter(flag, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _choose_flag_type(annotation: Any) -> Any:
    """Return the type of a flag. It allows an empty value for a flag that is not given."""
    if annotation is bool:
        return bool
    if get_origin(annotation) is tuple:
        return list[str] | None
    return (str if get_origin(annotation) is Literal else annotation) | None
