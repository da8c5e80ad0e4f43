"""Rejections: what is wrong with a document or page and what to do about it, as staged values."""

from collections.abc import Sequence

from schemas.errors import DocumentError, EmptyDocument
from schemas.records import Reason

RENAME = "give the file the suffix of its format, or exclude it"
"""What to do about a file whose content is of another format than its suffix says."""


def refusal(kind: type[DocumentError], message: str, remedy: str) -> DocumentError:
    """Return an error to raise: `message` says what is wrong, `remedy` what to do. Neither names the file."""
    error = kind(message)
    error.add_note(remedy)
    return error


def blank(data: bytes) -> DocumentError:
    """Return the error of a file without text: it has no bytes, or only white space."""
    if not data:
        return refusal(EmptyDocument, "the file is empty (0 bytes)", "replace it by the complete document, or exclude it")
    return refusal(EmptyDocument, "the file contains only white space", "add text to it, or exclude it")


def reason(step: str, error: DocumentError, page_number: int = 0) -> Reason:
    """Return `error` as a final entry of the staged `rejects`. Page 0 rejects the whole document."""
    return entry(step, type(error).__name__, str(error), " ".join(getattr(error, "__notes__", ())), page_number)


def entry(step: str, error: str, message: str, remedy: str, page_number: int) -> Reason:
    """Return a final entry of the staged `rejects`."""
    return {
        "step": step,
        "page_number": page_number,
        "error": error,
        "message": message,
        "remedy": remedy or "repair the file or exclude it",
        "final": True,
    }


def one_a_page(rejects: Sequence[Reason]) -> list[Reason]:
    """Return the first entry of each page, which is their key, with the number of further entries."""
    kept: dict[int, Reason] = {}
    more: dict[int, int] = {}
    for reject in rejects:
        number = reject["page_number"]
        more[number] = more.get(number, -1) + 1
        kept.setdefault(number, reject)
    return [
        {**reject, "message": f"{reject['message']} (and {more[number]} more)"} if more[number] else reject
        for number, reject in kept.items()
    ]
