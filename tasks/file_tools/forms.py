"""Forms: a described document as Markdown, JSON lines or an Arrow file."""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import pyarrow as pa

from schemas.staged import DESCRIBED
from tasks.file_tools.rendering import as_markdown, is_shown


class Described(NamedTuple):
    """A document's DESCRIBED table, the words in its figures, the rejects of single pages, and its pages as in PARSED.

    A key of `words` is the figure's position, in digits.
    """

    table: pa.Table
    words: dict[str, str]
    rejects: list[dict[str, Any]]
    pages: list[dict[str, Any]]

    @property
    def refusal(self) -> str:
        """Why the whole document is rejected, and what to do; "" if it is not."""
        return next((f"{reject['message']}: {reject['remedy']}" for reject in self.rejects if reject["page_number"] == 0), "")


def rendered(found: Described, form: str, furniture: bool, links: bool = False) -> bytes:
    """Return the document in the form md, jsonl or arrow.

    In Markdown, a figure has only its words: its caption stands beside it.
    """
    elements: list[dict[str, Any]] = found.table["elements"][0].as_py()
    if form == "md":
        elements = [{**element, "text": found.words.get(str(n), element["text"])} for n, element in enumerate(elements)]
        return as_markdown(elements, furniture, links).encode()
    return _render([element for element in elements if is_shown(element, furniture)], form)


def _render(kept: Sequence[dict[str, Any]], form: str) -> bytes:
    if form == "jsonl":
        lines = map(partial(json.dumps, ensure_ascii=False), kept)
        return "".join(f"{line}\n" for line in lines).encode()
    sink = pa.BufferOutputStream()
    table = pa.Table.from_pylist(kept, schema=pa.schema(list(DESCRIBED.field("elements").type.value_type)))
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())
