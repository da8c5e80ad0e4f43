"""Rejections: what is wrong with a document or page, and what to do about it, as values that are staged."""

from typing import Any

from schemas.errors import DocumentError


def refusal(kind: type[DocumentError], message: str, remedy: str) -> DocumentError:
    """Return an error to raise: `message` says what is wrong, `remedy` what to do. Neither names the file."""
    error = kind(message)
    error.add_note(remedy)
    return error


def reason(step: str, error: DocumentError, page_number: int = 0) -> dict[str, Any]:
    """Return `error` as a final entry of the staged `rejects`; page 0 ends the document."""
    return entry(step, type(error).__name__, str(error), " ".join(getattr(error, "__notes__", ())), page_number)


def entry(step: str, error: str, message: str, remedy: str, page_number: int) -> dict[str, Any]:
    """Return a final entry of the staged `rejects`."""
    return {
        "step": step,
        "page_number": page_number,
        "error": error,
        "message": message,
        "remedy": remedy or "repair the file or exclude it",
        "final": True,
    }
