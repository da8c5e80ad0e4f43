"""The page of options: every section of `pagemill.toml`, of an experiment's file, and the variables that are no options."""

import json
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from flows.settings import OTHER_SECTIONS
from reference.markdown import code, table
from schemas.options.delivering import DestinationOptions
from schemas.options.deploying import CorpusOptions, DeployOptions
from schemas.options.experiment import ExperimentOptions
from schemas.options.sections import RefreshOptions
from schemas.options.stores import StoreOptions

INTRODUCTION = """# Options

Flow parameters and options of the command line win over `PAGEMILL_…` variables, and these over `pagemill.toml` in the working
folder, or the file that `PAGEMILL_CONFIG` names. The option `size_tokens` of the section `chunk` is `PAGEMILL_CHUNK_SIZE_TOKENS`
as a variable, and `--set chunk.size_tokens=200` on the command line. An unknown name is an error."""

FILE_ONLY = "Read by `make deploy` and at the door of each command: no variable stands for these."
EXPERIMENT = "The YAML file of `pagemill experiment`: [Experiments](../experiments.md)."


def options_page() -> str:
    """Return the page."""
    parts = [section(f"[{name}]", model) for name, model in sections()]
    parts += [section("[deploy]", DeployOptions, FILE_ONLY), section("[corpora.NAME]", CorpusOptions, FILE_ONLY)]
    parts += [section("[deliver.NAME]", DestinationOptions, FILE_ONLY)]
    parts += [section("[store]", StoreOptions, FILE_ONLY), section("Experiments", ExperimentOptions, EXPERIMENT)]
    return "\n\n".join([INTRODUCTION, *parts]) + "\n"


def sections() -> Iterator[tuple[str, type[BaseModel]]]:
    """Yield the sections that have variables, by name."""
    for name, field in RefreshOptions.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield name, field.annotation
    yield from OTHER_SECTIONS.items()


def section(title: str, model: type[BaseModel], note: str = "") -> str:
    """Return the heading of a section, what it is about, and a row for each option."""
    fields = model.model_fields.items()
    rows = [[code(name), _default(field), field.description or _about(field.annotation)] for name, field in fields]
    about = (model.__doc__ or "").strip()
    return "\n\n".join(part for part in (f"## {title}", about, note, table(["option", "default", "meaning"], rows)) if part)


def _default(field: Any) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    if value is PydanticUndefined or value is None or value == "" or isinstance(value, BaseModel):
        return ""
    if isinstance(value, tuple) and any(isinstance(one, BaseModel) for one in value):
        return ""
    return code(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _about(annotation: Any) -> str:
    is_section = isinstance(annotation, type) and issubclass(annotation, BaseModel)
    return (annotation.__doc__ or "").partition("\n")[0] if is_section else ""
