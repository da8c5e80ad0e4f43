"""docutils in a process of its own: `python -P rst_pages.py` reads a JSON list of files, prints a list of pages of HTML.

Imports nothing of Pagemill: it is run by the typesetters' environment.
"""

import json
import re
import sys
from pathlib import Path

from docutils.core import publish_parts  # type: ignore[import-untyped,unused-ignore]
from docutils.parsers.rst import directives  # type: ignore[import-untyped,unused-ignore]
from docutils.parsers.rst.directives.body import CodeBlock  # type: ignore[import-untyped,unused-ignore]

ROLE = re.compile(r":[\w:+-]+:`[~!]?([^`<]+?)(?:\s*<[^`>]*>)?`")
"""A role of Sphinx with its text; what it would link to does not stand on a page."""
SILENT = {"report_level": 5, "halt_level": 5, "file_insertion_enabled": False, "raw_enabled": False, "syntax_highlight": "none"}


class Listing(CodeBlock):  # type: ignore[misc,unused-ignore]
    """Sphinx's code-block, whose options do not matter here."""

    option_spec = dict.fromkeys(("caption", "linenos", "emphasize-lines", "name", "class", "lineno-start"), directives.unchanged)

    def run(self) -> list[object]:
        """Return the listing without its options."""
        self.options: dict[str, object] = {}
        return list(super().run())


def main() -> None:
    """Read all files; directives that docutils does not know are left out."""
    for name in ("code-block", "sourcecode", "literalinclude"):
        directives.register_directive(name, Listing)
    pages = []
    for path in json.load(sys.stdin):
        text = ROLE.sub(r"``\1``", Path(path).read_text(encoding="utf-8"))
        pages.append(publish_parts(text, writer="html5", settings_overrides=SILENT)["html_body"])
    json.dump(pages, sys.stdout)


if __name__ == "__main__":
    main()
