"""Settings: options from flow parameters, then `PAGEMILL_…` variables, then `pagemill.toml`, then their defaults."""

import difflib
import json
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from schemas.corpus import is_in_store
from schemas.errors import InputError
from schemas.ids import is_unicode
from schemas.options.chat import ChatOptions
from schemas.options.delivering import DestinationOptions
from schemas.options.deploying import DeployOptions
from schemas.options.finetune import FinetuneOptions
from schemas.options.questions import GenerateOptions
from schemas.options.sections import EvaluateOptions, Options, RefreshOptions
from schemas.options.stores import StoreOptions

PREFIX = "PAGEMILL_"
_LOGIN = re.compile(r"//\S*@")
"""Name and key in an address."""
OTHER_VARIABLES = {
    *(
        "ALLOWED",
        "API_KEY",
        "BENCH",
        "BENCH_CACHE",
        "CONFIG",
        "CORPUS",
        "DEPLOYMENT_KEY",
        "DESTINATION_PASSWORD",
        "DESTINATION_USER",
        "EMBED_API_KEY",
        "NAME",
        "NOTIFY_URL",
        "PEERS",
        "PII_KEY",
        "PORT",
        "QUESTIONS",
        "RUN_DIR",
        "SCHEDULE",
        "SOURCE",
        "SOURCE_PASSWORD",
        "SOURCE_USER",
    ),
    *("TIMEZONE", "UPDATE_GOLDEN"),
}
"""Variables that are not options: places that deployments and scripts use, and the keys of endpoints."""

OWN_LOGINS = ("SOURCE_PASSWORD_", "SOURCE_USER_", "DESTINATION_PASSWORD_", "DESTINATION_USER_")
"""How variables begin that end with the name of a source or a destination: its own login."""

OTHER_SECTIONS: dict[str, type[Options]] = {
    "evaluate": EvaluateOptions,
    "generate": GenerateOptions,
    "chat": ChatOptions,
    "finetune": FinetuneOptions,
}
"""Sections of `pagemill.toml` that are no part of a refresh."""

FILE_SECTIONS = {
    "deploy": set(DeployOptions.model_fields),
    "corpora": set[str](),
    "deliver": set[str](),
    "store": set(StoreOptions.model_fields),
}
"""Sections of `pagemill.toml` for `make deploy`, deliveries and object stores; no variable stands for one of their options."""

WRONG_KINDS = {"tuple_type": "write a list, in brackets and with commas"}
"""What Pydantic says of Python's kinds of values, as it stands in a file of options, by its kind of error."""

FREE_NAMES = {"columns", "corpora", "deliver"}
"""Sections whose names the user chooses."""

T = TypeVar("T", bound=Options)


def read_refresh_options(given: Mapping[str, object]) -> RefreshOptions:
    """Return the options of a refresh. `given` holds the options that the caller set, by section.

    Raises:
        InputError: a name is unknown or a value is not valid; the message says where it was set.
    """
    sections = {name: options for name, options in _list_option_names_by_section().items() if name not in OTHER_SECTIONS}
    _check_option_names("", given, sections)
    return merge_options(
        RefreshOptions, {name: value for name, value in _read_option_layers().items() if name in sections}, given
    )


def read_evaluate_options(given: Mapping[str, object]) -> EvaluateOptions:
    """Return the options of an evaluation, from the section `evaluate`."""
    return _read_section(EvaluateOptions, "evaluate", given)


def read_generate_options(given: Mapping[str, object]) -> GenerateOptions:
    """Return the options of generating questions, from the section `generate`."""
    return _read_section(GenerateOptions, "generate", given)


def read_finetune_options(given: Mapping[str, object]) -> FinetuneOptions:
    """Return the options of fine-tuning, from the section `finetune`."""
    return _read_section(FinetuneOptions, "finetune", given)


def read_chat_options(given: Mapping[str, object]) -> ChatOptions:
    """Return the options of calls to a language model, from the section `chat`."""
    return _read_section(ChatOptions, "chat", given)


def _read_section(model: type[T], section: str, given: Mapping[str, object]) -> T:
    return merge_options(model, _read_option_layers().get(section, {}), given, section)


def merge_options(model: type[T], layers: Mapping[str, object], given: Mapping[str, object], section: str = "") -> T:
    """Return the options of `layers`, over which those of `given` take precedence. `section` is what messages call them.

    Raises:
        InputError: a value is not valid.
    """
    try:
        found = model.model_validate(_merge_sections(layers, given))
    except ValidationError as error:
        problems = "; ".join(_describe_problem(item, model, section) for item in error.errors())
        raise InputError(f"the options are wrong: {problems}") from error
    if not is_unicode(json.dumps(found.model_dump(), ensure_ascii=False)):
        raise InputError("the options are wrong: one of them holds text that is not UTF-8: type it again")
    return found


def _describe_problem(item: ErrorDetails, model: type[BaseModel], section: str) -> str:
    """Return what is wrong with one option, or with a whole section. Name and key in an address are left out."""
    got = "" if isinstance(item["input"], Mapping) else f" (got {_LOGIN.sub('//…@', repr(item['input']))})"
    place = ".".join(map(str, [*filter(None, [section]), *item["loc"]]))
    said = WRONG_KINDS.get(item["type"], item["msg"].removeprefix("Value error, "))
    about = f"; meaning: {_find_description(model, item['loc'])}" if item["type"] == "string_pattern_mismatch" else ""
    return f"{place}{': ' if place else ''}{said}{got}{about}"


def _find_description(model: Any, place: Sequence[int | str]) -> str | None:
    """Return what an option, or one of its values, is said to be."""
    described = None
    for name in place:
        if field := getattr(model, "model_fields", {}).get(name):
            model, described = field.annotation, field.description
    return described


def _read_option_layers() -> dict[str, Any]:
    return _merge_sections(_read_options_from_file(), _read_options_from_environment())


def _merge_sections(low: Mapping[str, object], high: Mapping[str, object]) -> dict[str, Any]:
    merged = dict(low)
    for name, value in high.items():
        below = merged.get(name)
        merged[name] = _merge_sections(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
    return merged


def find_config_file() -> Path:
    """Return the path of the file of options, which need not exist."""
    return Path(os.environ.get(PREFIX + "CONFIG") or "pagemill.toml")


def read_config_section(name: str) -> dict[str, Any]:
    """Return a section of the file of options as it is written there, empty if it is missing.

    Raises:
        InputError: the file is not what it should be, or has names that are unknown.
    """
    section: dict[str, Any] = _read_options_from_file().get(name, {})
    return section


def _read_options_from_file() -> dict[str, Any]:
    named, path = os.environ.get(PREFIX + "CONFIG"), find_config_file()
    if not path.exists() and not named:
        return {}
    if not path.is_file():
        what = "is not a regular file" if path.exists() else "does not exist"
        raise InputError(
            f"{path} {what}"
            + (
                f": set {PREFIX}CONFIG to a file"
                if named
                else ": Pagemill reads options from a file of this name, so rename or remove it"
            )
        )
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not TOML: {error}") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}: give this user permission") from error
    _check_option_names(f"{path}: ", found, {**_list_option_names_by_section(), **FILE_SECTIONS})
    return found


def _check_option_names(where: str, given: Mapping[str, object], sections: Mapping[str, set[str]]) -> None:
    """Check that all names of sections and options exist. The message of an error begins with `where`.

    Raises:
        InputError: a name is unknown; the message suggests a similar name, or lists all names.
    """
    for section, values in given.items():
        if section not in sections:
            raise InputError(f"{where}[{section}] is not a section{_suggest_name(section, sections)}")
        if not isinstance(values, Mapping):
            raise InputError(f"{where}{section} must be a section: write a line [{section}] and put its options below it")
        for name in values:
            if section not in FREE_NAMES and name not in sections[section]:
                raise InputError(f"{where}{section}.{name} is not an option{_suggest_name(name, sections[section])}")


def _list_option_names_by_section() -> dict[str, set[str]]:
    models = {name: field.default for name, field in RefreshOptions.model_fields.items() if isinstance(field.default, BaseModel)}
    sections = {name: set(type(model).model_fields) for name, model in models.items()}
    others = {name: set(model.model_fields) for name, model in OTHER_SECTIONS.items()}
    return {**sections, **others, "columns": set()}


def _read_options_from_environment() -> dict[str, object]:
    known = {
        f"{section}_{name}".upper(): (section, name)
        for section, names in _list_option_names_by_section().items()
        for name in names
    }
    found: dict[str, Any] = {}
    for variable, value in os.environ.items():
        name = variable.removeprefix(PREFIX)
        if name == variable or name in OTHER_VARIABLES or name.startswith(OWN_LOGINS):
            continue
        if name not in known:
            hint = _suggest_name(variable, {PREFIX + option for option in known})
            raise InputError(f"the environment variable {variable} is not an option{hint}")
        section, option = known[name]
        found.setdefault(section, {})[option] = parse_option_value(value)
    return found


def read_destinations() -> dict[str, DestinationOptions]:
    """Return where deliveries go, by name, from the section `deliver` of the file of options.

    Raises:
        InputError: an option is wrong; a place has a password in it.
    """
    from tasks.deliver.io.deliver import resolve_destination

    path, found = find_config_file(), dict[str, DestinationOptions]()
    for name, section in read_config_section("deliver").items():
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) or not isinstance(section, Mapping):
            raise InputError(f"{path}: write a line [deliver.NAME] with the name of a destination, and its options below it")
        try:
            options = merge_options(DestinationOptions, section, {})
            found[name] = options.model_copy(update={"to": resolve_destination(options.to, str(path.resolve().parent))})
        except InputError as error:
            raise InputError(f"{path}: deliver.{name}: {error}") from error
    return found


def choose_destinations(name: str) -> dict[str, DestinationOptions]:
    """Return the destination of a name; all of them if it is blank.

    Raises:
        InputError: there is none of the name; see also `read_destinations`.
    """
    found = read_destinations()
    if name and name not in found:
        raise InputError(f"{find_config_file()} has no section [deliver.{name}]{_suggest_name(name, found) if found else ''}")
    return {name: found[name]} if name else found


def parse_option_value(text: str) -> object:
    """Return the value of an option from its text. Lists and tables are JSON; the option models convert numbers and flags.

    Raises:
        InputError: the text begins like a list or a table, but is not valid JSON.
    """
    try:
        return json.loads(text) if text.startswith(("[", "{")) else text
    except json.JSONDecodeError as error:
        kind, example = ("list", '["a", "b"]') if text.startswith("[") else ("table", '{"a": "b"}')
        raise InputError(f"{text} is not a {kind}: write it as JSON, such as {example}") from error


def _suggest_name(name: str, known: set[str] | Mapping[str, object]) -> str:
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else f"; the possible names are {', '.join(sorted(known))}"


def configure_object_store(*places: str) -> None:
    """Set address and region of the store, if one of `places` lies in one, unless the environment says them.

    Raises:
        InputError: the section `store` of `pagemill.toml` is not what it should be.
    """
    if not any(map(is_in_store, places)):
        return
    given = merge_options(StoreOptions, read_config_section("store"), {}, "store")
    for variable, value in (("AWS_ENDPOINT_URL", given.endpoint), ("AWS_REGION", given.region)):
        if value:
            os.environ.setdefault(variable, value.rstrip("/"))
