"""The documentation is a site without a warning, and what it says of the command line is so."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from flows.cli.main import make_cli_application
from reference.commands import commands
from reference.hooks import DOCS, HOME, OUTSIDE, link_to
from reference.options import sections
from reference.package import error_classes
from reference.tables import schemas_of_tables

PAGES = [HOME / "README.md", *sorted(DOCS.glob("*.md")), HOME / "SECURITY.md", HOME / "CONTRIBUTING.md"]
COMMANDS: dict[str, Any] = dict(commands("", get_command(make_cli_application())))
CALL = re.compile(r"^(?:\$ |\.venv/bin/)?pagemill (?!-)(.+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    call = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(out)]
    done = subprocess.run(call, cwd=HOME, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def test_the_site_is_built_without_a_warning_and_asks_for_nothing_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > len(OUTSIDE) + len(list(DOCS.glob("*.md")))
    loaded = [
        (page.name, address)
        for page in pages
        for address in re.findall(r"<(?:script|img|link)[^>]*?(?:src|href)=\"(https?://[^\"]*)\"", page.read_text("utf-8"))
    ]
    assert loaded == []


def test_the_reference_has_every_command_option_table_and_error(site: Path) -> None:
    line, options, tables, errors = (
        (site / "reference" / f"{name}.html").read_text("utf-8") for name in ("command-line", "options", "tables", "errors")
    )
    flags = {flag for command in COMMANDS.values() for shown in command.params for flag in shown.opts if not shown.hidden}
    assert [name for name in COMMANDS if f"pagemill {name}" not in line] == []
    assert [flag for flag in flags if flag.startswith("--") and flag not in line and flag != "--help"] == []
    assert [name for _, model in sections() for name in model.model_fields if name not in options] == []
    assert [column for _, _, schema in schemas_of_tables() for column in schema.names if column not in tables] == []
    assert [error.__name__ for error in error_classes() if error.__name__ not in errors] == []


def calls() -> Iterator[tuple[str, str]]:
    """Yield each call of pagemill in a block of code, with its page."""
    for page in PAGES:
        for block in re.findall(r"^```\w*\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE):
            for call in CALL.findall(block.replace("\\\n", " ")):
                yield page.name, call


@pytest.mark.parametrize(("page", "call"), sorted(set(calls())))
def test_every_call_in_the_documentation_is_one_that_pagemill_knows(page: str, call: str) -> None:
    words = [word for word in shlex.split(call.partition(" #")[0].replace("…", "")) if word not in (">", "|")]
    name = next((" ".join(words[:n]) for n in (2, 1) if " ".join(words[:n]) in COMMANDS), None)
    assert name, f"{page}: pagemill {call}"
    known = {flag for parameter in COMMANDS[name].params for flag in [*parameter.opts, *parameter.secondary_opts]}
    assert [word for word in words if word.startswith("--") and word.partition("=")[0] not in known] == [], page


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_links_lead_to_files_that_exist(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


def test_links_out_of_the_folder_lead_to_pages_of_the_site() -> None:
    assert link_to("../SECURITY.md", DOCS) == "security.md"
    assert link_to("docs/stores.md", HOME) == "stores.md"
    assert link_to("stores.md", DOCS) == "stores.md"
    assert link_to("https://example.org/docs", DOCS) == "https://example.org/docs"


def test_the_readme_is_one_page() -> None:
    assert len((HOME / "README.md").read_text("utf-8").splitlines()) <= 130
