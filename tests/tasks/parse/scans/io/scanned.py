"""Scanned pages, parsed."""

from typing import Any

from schemas.options.sections import ParseOptions
from tasks.parse.pdf.io.document import parse_pdf


def parsed(data: bytes, options: ParseOptions | None = None) -> dict[str, Any]:
    return dict(parse_pdf(data, options or ParseOptions(), lambda _: None))


def text_of(row: dict[str, Any]) -> str:
    return " ".join(element["text"] for element in row["elements"])
