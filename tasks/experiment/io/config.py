"""Configurations: YAML files, read and checked before anything runs."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import yaml
from pydantic import ValidationError

from schemas.errors import InputError
from schemas.options.experiment import ChunkerGrid, ExperimentOptions
from schemas.options.sections import EmbedOptions
from tasks.embed.io import providers

DESIGNS = Path(__file__).parents[1] / "designs"
"""Configurations that come with Pagemill; they name neither documents nor questions."""
FILES = ("source", "questions")

Place = tuple[int | str, ...]


class Problem(NamedTuple):
    """What is wrong with the value at a place of a configuration."""

    place: Place
    message: str


def list_designs() -> dict[str, str]:
    """Return the title of each design by its name."""
    return {path.stem: str(_parse_yaml_file(path)[0].get("title", "")) for path in sorted(DESIGNS.glob("*.yaml"))}


def find_design_file(name: str) -> Path:
    """Return the file of a design.

    Raises:
        InputError: there is no such design.
    """
    known = list_designs()
    if name not in known:
        raise InputError(f"there is no design {name!r}: choose one of {', '.join(known)}")
    return DESIGNS / f"{name}.yaml"


def read_experiment_config(path: Path, given: Mapping[str, str | None] | None = None) -> ExperimentOptions:
    """Return the experiment of a YAML file. `given` are `source` and `questions` from elsewhere, which take precedence.

    Raises:
        InputError: the file cannot be read, or something in it is wrong; one message names every problem and its line.
    """
    values, root = _parse_yaml_file(path)
    for name in FILES:
        if isinstance(place := values.get(name), str) and place:
            values[name] = str(path.parent / place)
    values |= {name: value for name, value in (given or {}).items() if value is not None}
    problems = [*_find_wrong_options(values), *_find_wrong_files(values), *_find_wrong_embedders(values)]
    if problems:
        said = "; ".join(_describe_problem(problem, root, given or {}) for problem in problems)
        number = "a problem" if len(problems) == 1 else f"{len(problems)} problems"
        raise InputError(f"{path} has {number}: {said}: correct the file, nothing has been run")
    return ExperimentOptions.model_validate(values)


def _parse_yaml_file(path: Path) -> tuple[dict[str, object], yaml.Node]:
    """Return the values of a YAML file, and its nodes, which know their lines."""
    try:
        text = path.read_text(encoding="utf-8")
        values, root = yaml.safe_load(text), yaml.compose(text, Loader=yaml.SafeLoader)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}: check the path of the configuration") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text: convert the file") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        raise InputError(f"{path}{where}: not YAML ({getattr(error, 'problem', None) or error}): correct the line") from error
    if not isinstance(values, dict) or root is None:
        raise InputError(f"{path} holds no options: write source, questions and chunkers, see docs/experiments.md")
    return values, root


def _find_wrong_options(values: Mapping[str, object]) -> Iterator[Problem]:
    try:
        ExperimentOptions.model_validate(dict(values))
    except ValidationError as error:
        for item in error.errors():
            missing = item["type"] == "missing"
            got = "" if missing or isinstance(item["input"], Mapping | list | tuple) else f" (got {item['input']!r})"
            yield Problem(item["loc"], item["msg"].removeprefix("Value error, ") + got)


def _find_wrong_files(values: Mapping[str, object]) -> Iterator[Problem]:
    source, questions = (values.get(name) for name in FILES)
    if isinstance(source, str) and source and not os.path.isdir(source):
        yield Problem(("source",), f"{source} {'is not a folder' if os.path.exists(source) else 'does not exist'}")
    if isinstance(questions, str) and questions and not os.path.isfile(questions):
        yield Problem(("questions",), f"{questions} {'is not a file' if os.path.exists(questions) else 'does not exist'}")


def _find_wrong_embedders(values: Mapping[str, object]) -> Iterator[Problem]:
    """Yield models that are not there, and chunkers that make chunks that a model cannot take."""
    listed = values.get("embedders", ["all-MiniLM-L6-v2"])
    for number, entry in enumerate(listed if isinstance(listed, list) else []):
        try:
            options = EmbedOptions.model_validate({"model": entry} if isinstance(entry, str) else entry)
        except ValidationError:
            continue
        try:
            most = providers.find_max_text_tokens(options)
        except InputError as error:
            yield Problem(("embedders", number), str(error))
            continue
        if options.too_long == "error":
            yield from _find_chunkers_too_large_for_model(values, options.model, most)


def _find_chunkers_too_large_for_model(values: Mapping[str, object], model: str, most: int) -> Iterator[Problem]:
    grids = values.get("chunkers")
    for number, entry in enumerate(grids if isinstance(grids, list) else []):
        try:
            sizes = {chunker.longest_tokens for chunker in ChunkerGrid.model_validate(entry).chunkers()}
        except ValidationError:
            continue
        if large := sorted(size for size in sizes if size > most):
            said = ", ".join(map(str, large))
            yield Problem(
                ("chunkers", number),
                f"size_tokens {said} is more than the {most} tokens that {model} takes: choose smaller ones, "
                "or set too_long of the embedder to truncate or mean",
            )


def _describe_problem(problem: Problem, root: yaml.Node, given: Mapping[str, str | None]) -> str:
    named = ".".join(str(part + 1) if isinstance(part, int) else part for part in problem.place)
    if problem.place and given.get(str(problem.place[0])) is not None:
        return f"--{named}: {problem.message}"
    line = f"line {_find_line_of_value(root, problem.place)}"
    return f"{line}, {named}: {problem.message}" if named else f"{line}: {problem.message}"


def _find_line_of_value(node: yaml.Node, place: Sequence[int | str]) -> int:
    """Return the line of the innermost value on the way to `place`, counted from 1."""
    line = int(node.start_mark.line) + 1
    if not place:
        return line
    inner: yaml.Node | None = None
    if isinstance(node, yaml.MappingNode):
        inner = next((value for key, value in node.value if key.value == place[0]), None)
        line = next((int(key.start_mark.line) + 1 for key, _ in node.value if key.value == place[0]), line)
    elif isinstance(node, yaml.SequenceNode) and isinstance(place[0], int) and place[0] < len(node.value):
        inner = node.value[place[0]]
        line = int(inner.start_mark.line) + 1
    return max(line, _find_line_of_value(inner, place[1:])) if inner is not None and len(place) > 1 else line
