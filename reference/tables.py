"""The page of tables: what one row of each is, its key, and its columns with their types."""

import ast
import importlib
import inspect
import itertools
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import pyarrow as pa

import schemas.tables
from reference.markdown import code, table
from schemas.tables.chunks import make_chunks_schema
from schemas.tables.documents import make_documents_schema

INTRODUCTION = """# Tables

A corpus is a folder of Lance tables, which any reader of Lance or Arrow opens: [Other tools](../others.md). What is published are
the versions that the newest row of `generations` names. Declared metadata (`[columns]` in `pagemill.toml`) are columns of
`documents` and `chunks` besides."""

VECTOR, DECLARED = 384, dict[str, str]()
"""The length of the packaged embedder's vectors, and the declared columns of a corpus that has none."""


def tables_page() -> str:
    """Return the page."""
    return "\n\n".join([INTRODUCTION, *(_section(name, about, schema) for name, about, schema in schemas_of_tables())]) + "\n"


def schemas_of_tables() -> Iterator[tuple[str, str, pa.Schema]]:
    """Yield each table's name, what is said of it, and its schema."""
    for found in pkgutil.iter_modules(schemas.tables.__path__):
        module = importlib.import_module(f"schemas.tables.{found.name}")
        about = inspect.cleandoc(module.__doc__ or "")
        if found.name == "chunks":
            yield found.name, about, make_chunks_schema(VECTOR, DECLARED)
        elif found.name == "documents":
            yield found.name, about, make_documents_schema(DECLARED)
        else:
            said = _said_below(module)
            found_here = [(name, schema) for name, schema in vars(module).items() if isinstance(schema, pa.Schema)]
            for name, schema in found_here:
                parts = [about if len(found_here) == 1 else "", said.get(name, "")]
                yield name.lower(), "\n\n".join(filter(None, parts)), schema


def _said_below(module: ModuleType) -> dict[str, str]:
    """Return what is said of each name of a module: the string below its assignment."""
    body = ast.parse(inspect.getsource(module)).body
    return {
        target.id: inspect.cleandoc(below.value.value)
        for made, below in itertools.pairwise(body)
        if isinstance(made, ast.Assign) and isinstance(target := made.targets[0], ast.Name)
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) and isinstance(below.value.value, str)
    }


def _section(name: str, about: str, schema: pa.Schema) -> str:
    key = (schema.metadata or {}).get(b"key", b"").decode()
    rows = [[code(field.name), code(str(field.type)), "" if field.nullable else "yes"] for field in schema]
    parts = [f"## {name}", about, f"Key: {code(key)}." if key else "", table(["column", "type", "always set"], rows)]
    return "\n\n".join(part for part in parts if part)
