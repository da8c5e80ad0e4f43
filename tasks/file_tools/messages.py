"""Messages: what the command line says about a document that cannot be read."""

from pathlib import Path

from schemas.errors import DocumentError, PagemillError


def told(error: PagemillError) -> str:
    """Return the message with its remedy, which a document's error carries as a note."""
    notes = getattr(error, "__notes__", ()) if isinstance(error, DocumentError) else ()
    return ": ".join([str(error), *notes])


def naming(path: Path, error: DocumentError) -> DocumentError:
    """Return the error of the document at `path` with that path before its message."""
    return DocumentError(f"{path}: {told(error)}")
