"""Staging: a step's output for one content is one Arrow file, written once and addressed by what it was made from.

The staged file is the truth; Prefect's cache only skips looking at it.
"""

from pathlib import Path

from schemas.tables.rejects import Reject
from tasks.store import files


def reason_in(path: Path) -> Reject | None:
    """Return why the staged row at `path` rejects its whole document (page 0), or None if it does not."""
    for reason in files.read_table(path)["rejects"][0].as_py():
        if reason["page_number"] == 0:
            return Reject(**reason)
    return None
