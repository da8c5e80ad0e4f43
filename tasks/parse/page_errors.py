"""Errors on one page: the page's own fault, recorded for good, or the moment's, which another try may cure."""

import re
from typing import Any

from schemas.errors import NO_MEMORY, LimitError, PagemillError, ServiceError
from tasks.parse.layout.prose import clean
from tasks.parse.rejections import entry

REFUSED_MEMORY = re.compile(r"bad_alloc|\b[cm]?alloc(ate)?\b.*\bfailed|failed to allocate|out of memory", re.IGNORECASE)
"""How MuPDF and ONNX Runtime say that the machine gave no memory."""
MESSAGE_CHARS = 200


def raise_unless_the_pages(error: Exception) -> None:
    """Return if `error` is the page's own failure.

    Raises:
        PagemillError: it is one already.
        MemoryError, LimitError: the machine gave no memory.
        ServiceError: the machine failed, such as a full disk.
    """
    if isinstance(error, (PagemillError, MemoryError)):
        raise error
    if isinstance(error, OSError):
        raise ServiceError(f"a page cannot be read now: {error}: run again") from error
    if REFUSED_MEMORY.search(str(error)):
        raise LimitError(f"{NO_MEMORY} ({str(error)[:MESSAGE_CHARS]})") from error


def page_failure(number: int, kind: str, what: str, error: Exception) -> dict[str, Any]:
    """Return a final reject of page `number`, which counts from 1; `what` became of it, since `error` was raised."""
    message = f"page {number} {what}: {type(error).__name__}: {clean(str(error))[:MESSAGE_CHARS]}"
    return entry("parse", kind, message, "repair the page, or print it to PDF again", number)
