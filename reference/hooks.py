"""What MkDocs calls while it builds the site (mkdocs.yml): pages made from the code, and the pages that lie outside of docs/."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

from reference.commands import commands_page
from reference.options import options_page
from reference.package import errors_page, package_page
from reference.tables import tables_page

HOME = Path(__file__).parents[1]
MADE: dict[str, Callable[[], str]] = {
    "reference/command-line.md": commands_page,
    "reference/options.md": options_page,
    "reference/tables.md": tables_page,
    "reference/python.md": package_page,
    "reference/errors.md": errors_page,
}
OUTSIDE = {
    "security.md": "SECURITY.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "figure-model.md": "tasks/describe/io/figure_clip/README.md",
}
"""Pages of the site by files of the repository."""

DOCS = HOME / "docs"
PAGES = {HOME / source: place for place, source in OUTSIDE.items()}
LINK = re.compile(r"(?<=\]\()([^)#\s]+)(?=[)#])")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages."""
    for place, make in MADE.items():
        files.append(File.generated(config, place, content=make()))
    for place, source in OUTSIDE.items():
        files.append(File.generated(config, place, content=(HOME / source).read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Lead links to files outside of docs/ to their pages; those of such files to the pages in docs/."""
    source = HOME / OUTSIDE.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    return LINK.sub(lambda found: link_to(found[1], source.parent), markdown)


def link_to(target: str, folder: Path) -> str:
    """Return where a link in a file of `folder` leads in the site."""
    place = (folder / target).resolve()
    if place in PAGES:
        return PAGES[place]
    if place.is_relative_to(DOCS) and not folder.is_relative_to(DOCS):
        return str(place.relative_to(DOCS))
    return target
