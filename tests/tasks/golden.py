"""Golden files: what a drawn document reads as, kept beside the tests."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tasks.file_tools.rendering import render_as_markdown

GOLDEN = Path(__file__).parents[1] / "golden"
UPDATE = "PAGEMILL_UPDATE_GOLDEN"


def check(row: Mapping[str, Any], name: str) -> None:
    """Compare a row of PARSED with its golden file, or write it anew if UPDATE is set."""
    kinds = "\n".join(f"{e['page_number']} {e['kind']} {e['level'] or ''}".rstrip() for e in row["elements"])
    seen = f"{render_as_markdown(row['elements'], furniture=True)}\n---\n{kinds}\n"
    golden = GOLDEN / f"{name}.md"
    if UPDATE in os.environ:
        golden.write_text(seen)
    assert seen == golden.read_text()
