"""The page of the command line: every command with its arguments and options, as the parser knows them."""

import inspect
from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from flows.cli.main import make_cli_application
from reference.markdown import code, table


def commands_page() -> str:
    """Return the page."""
    program: Any = get_command(make_cli_application())
    sections = [_section(f"pagemill {name}", command) for name, command in commands("", program)]
    about = "`pagemill --version` prints the version. Every command has `--help`."
    return "\n\n".join(["# Command line", about, *sections]) + "\n"


def commands(prefix: str, group: Any) -> Iterator[tuple[str, Any]]:
    """Yield the commands of a group, and of the groups in it, with their full names; hidden ones aside."""
    for name, command in sorted(group.commands.items()):
        if command.hidden:
            continue
        if hasattr(command, "commands"):
            yield from commands(f"{prefix}{name} ", command)
        else:
            yield prefix + name, command


def _section(title: str, command: Any) -> str:
    shown = [parameter for parameter in command.params if not getattr(parameter, "hidden", False) and parameter.name != "help"]
    context = command.make_context("", [], resilient_parsing=True)
    rows = [[_names(parameter, context), _default(parameter), parameter.help or ""] for parameter in shown]
    about = inspect.cleandoc(command.help or "")
    return "\n\n".join([f"## {title}", about, *([table(["argument, option", "default", "meaning"], rows)] if rows else [])])


def _names(parameter: Any, context: Any) -> str:
    """Return the names of an option with the kind of its value, or the name of an argument."""
    first = parameter.opts[0]
    if not first.startswith("-"):
        return code(parameter.metavar or first.upper())
    names = ", ".join(code(name) for name in [*parameter.opts, *parameter.secondary_opts])
    return names if parameter.is_flag else f"{names} {code(parameter.metavar or _type(parameter, context))}"


def _type(parameter: Any, context: Any) -> str:
    """Return the kind of a value, such as int; of a range its kind."""
    kind: str = parameter.display_type(context)
    return kind.strip("<>").removesuffix(" range")


def _default(parameter: Any) -> str:
    if parameter.required:
        return "required"
    value = parameter.default
    return "" if value in (None, False, []) or callable(value) else code(str(getattr(value, "value", value)))
