"""The page of tables: what one row of each is, its key, and its columns with their types."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import pyarrow as pa

import schemas.tables
from reference.markdown import code, table

INTRODUCTION = """# Tables

A corpus is a folder of Lance tables, which any reader of Lance or Arrow opens: [Other tools](../others.md). What is published are
the versions that the newest row of `generations` names. Declared metadata (`[columns]` in `pagemill.toml`) are columns of
`documents` and `chunks` besides."""

VECTOR, DECLARED = 384, dict[str, str]()
"""The length of the packaged embedder's vectors, and the declared columns of a corpus that has none."""


def tables_page() -> str:
    """Return the page."""
    return "\n\n".join([INTRODUCTION, *(_section(name, module, schema) for name, module, schema in schemas_of_tables())]) + "\n"


def schemas_of_tables() -> Iterator[tuple[str, ModuleType, pa.Schema]]:
    """Yield each table's name, the module that describes it, and its schema."""
    for found in pkgutil.iter_modules(schemas.tables.__path__):
        module = importlib.import_module(f"schemas.tables.{found.name}")
        made = {"chunks": lambda of: of.chunks_schema(VECTOR, DECLARED), "documents": lambda of: of.documents_schema(DECLARED)}
        yield found.name, module, made.get(found.name, lambda of, name=found.name: getattr(of, name.upper()))(module)


def _section(name: str, module: ModuleType, schema: pa.Schema) -> str:
    key = (schema.metadata or {}).get(b"key", b"").decode()
    rows = [[code(field.name), code(str(field.type)), "" if field.nullable else "yes"] for field in schema]
    about = [inspect.cleandoc(module.__doc__ or ""), f"Key: {code(key)}." if key else ""]
    return "\n\n".join(part for part in (f"## {name}", *about, table(["column", "type", "always set"], rows)) if part)
