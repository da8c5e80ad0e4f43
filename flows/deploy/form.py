"""The form of a deployment in the UI: its parameters with descriptions, choices and the values that are in force."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from flows.settings import read_chat_options, read_evaluate_options, read_generate_options, read_refresh_options

if TYPE_CHECKING:
    from prefect import Flow

IN_FORCE: dict[str, Callable[[Mapping[str, Any]], BaseModel]] = {
    "RefreshOptions": read_refresh_options,
    "EvaluateOptions": read_evaluate_options,
    "GenerateOptions": read_generate_options,
    "ChatOptions": read_chat_options,
}
"""Options that a flow resolves from its parameters, variables and `pagemill.toml`, by the name that the form has for them."""


def make_parameter_schema(flow: "Flow[..., object]", in_force: Mapping[str, BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a flow's parameters. Its defaults are the options in force.

    The UI sends all values of a section as soon as somebody opens it. With Pagemill's own defaults in it, whoever changed one
    option in the form would reset all that `pagemill.toml` says.
    """
    from prefect.utilities.callables import parameter_schema

    schema = parameter_schema(flow).model_dump_for_openapi()
    definitions = schema.get("definitions", {})
    for name, options in in_force.items():
        if name in definitions:
            _set_schema_defaults(definitions, name, options)
    return schema


def read_options_in_force() -> dict[str, BaseModel]:
    """Return the options that a run without any of its own has here.

    Raises:
        InputError: an option is wrong.
    """
    return {name: resolve({}) for name, resolve in IN_FORCE.items()}


def _set_schema_defaults(definitions: dict[str, Any], name: str, options: BaseModel) -> None:
    shown = definitions[name]["properties"]
    for field in type(options).model_fields:
        value = getattr(options, field)
        if isinstance(value, BaseModel):
            _set_schema_defaults(definitions, type(value).__name__, value)
        shown[field]["default"] = options.model_dump(mode="json", include={field})[field]
