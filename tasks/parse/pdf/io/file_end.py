"""The end of a PDF file: whether what belongs to it is there, whatever else follows.

Servers and mail programs leave zeros, spaces and web pages behind a complete file, farther than readers look for its end.
"""

import mmap
import re
from pathlib import Path

from schemas.errors import DocumentError
from tasks.parse.rejections import refusal

_ENDS = re.compile(rb"%%EOF|startxref\s+\d+")
_OBJECT = re.compile(rb"\d\s+\d+\s+obj\b")
"""The first words of an object: behind the last end, they begin a revision of the file that is not complete."""


def is_cut_off(content: bytes | Path) -> bool:
    """Return whether no mark of an end follows the last object of a PDF, given its bytes or its file.

    The first part of a file for the web has such a mark, too.

    Raises:
        DocumentError: the file cannot be read.
    """
    if isinstance(content, bytes):
        return _lacks_end(content)
    try:
        with content.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as held:
            return _lacks_end(held)
    except OSError as error:
        raise unreadable(error) from error


def _lacks_end(content: bytes | mmap.mmap) -> bool:
    end = max((found.end() for found in _ENDS.finditer(content)), default=None)
    return end is None or bool(_OBJECT.search(content, end))


def is_empty(content: bytes | Path) -> bool:
    """Return whether there are no bytes.

    Raises:
        DocumentError: the file cannot be read.
    """
    if isinstance(content, bytes):
        return not content
    try:
        with content.open("rb") as file:
            return not file.read(1)
    except OSError as error:
        raise unreadable(error) from error


def unreadable(error: OSError) -> DocumentError:
    """Return the refusal of a file that the system does not let be read."""
    return refusal(DocumentError, f"the file cannot be read: {error.strerror}", "check its permissions and its disk")
