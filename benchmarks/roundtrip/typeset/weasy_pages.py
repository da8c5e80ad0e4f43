"""WeasyPrint in a process of its own: `python -P weasy_pages.py` reads a JSON list of [page of HTML, PDF to write] from stdin.

It prints a JSON list of what went wrong, null for a page that was set. Imports nothing of Pagemill: it is run by the typesetters'
environment.
"""

import json
import logging
import sys

from weasyprint import HTML  # type: ignore[import-not-found]
from weasyprint.text.fonts import FontConfiguration  # type: ignore[import-not-found]


def main() -> None:
    """Set all pages; their fonts are looked up once."""
    logging.getLogger("weasyprint").setLevel(logging.CRITICAL)
    fonts = FontConfiguration()
    told: list[str | None] = []
    for page, pdf in json.load(sys.stdin):
        try:
            HTML(filename=page).write_pdf(pdf, font_config=fonts)
            told.append(None)
        except Exception as error:
            told.append(f"{type(error).__name__}: {error}")
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main()
