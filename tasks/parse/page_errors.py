"""Errors on one page: a final fault of the page, or a temporary one that another try may cure."""

import re

from schemas.errors import NO_MEMORY, LimitError, PagemillError, ServiceError
from schemas.records import Reason
from tasks.parse.layout.prose import clean
from tasks.parse.rejections import entry

REFUSED_MEMORY = re.compile(
    r"bad_alloc|\b[cm]?alloc(ate)?\b.*\bfailed|(failed|unable|can't|cannot) (to )?allocate|out of memory", re.IGNORECASE
)
"""Messages of MuPDF, ONNX Runtime, torch, NumPy and Arrow when memory runs out."""
MESSAGE_CHARS = 200


def raise_unless_the_pages(error: Exception) -> None:
    """Return if `error` is the fault of the page.

    Raises:
        PagemillError: it is one already.
        MemoryError, LimitError: memory ran out.
        ServiceError: the machine failed, for example because its disk is full.
    """
    if isinstance(error, (PagemillError, MemoryError)):
        raise error
    if isinstance(error, OSError):
        raise ServiceError(f"a page cannot be read now: {error}: run again") from error
    if REFUSED_MEMORY.search(str(error)):
        raise LimitError(f"{NO_MEMORY} ({str(error)[:MESSAGE_CHARS]})") from error


def page_failure(number: int, kind: str, what: str, error: Exception, other: str = "repair the page") -> Reason:
    """Return a final reject of page `number`, counted from 1. `what` says what happened to it because of `error`.

    `other` is what else to do about it than to print the page again.
    """
    message = f"page {number} {what}: {type(error).__name__}: {clean(str(error))[:MESSAGE_CHARS]}"
    return entry("parse", kind, message, f"{other}, or print it to PDF again", number)
