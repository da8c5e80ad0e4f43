"""A package adds a format once it is installed; what a format needs is missed until it is there."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from docx import Document

from schemas import media_types
from schemas.errors import DocumentError, InputError, ServiceError
from schemas.options.sections import ParseOptions, PlanOptions, RefreshOptions
from schemas.references import Compound, Content
from tasks.file_tools.io.inspect import inspect_page
from tasks.parse.io.added_formats import Html, parse_added_format
from tasks.parse.io.missing_readers import find_missing_readers
from tests.flows.conftest import Refresh
from tests.flows.corpora import changes, paths, rows
from tests.flows.packages import install_package, read_block
from tests.tasks.parse.containers.packed import make_zip

PAGE, HEADING = "docs/formats.md", "A format of your own"
Parse = Callable[..., list[tuple[str, str]]]
RTF = rb"{\rtf1\ansi The mill turns.}"
WIKI = "application/vnd.pagemill.wiki"
TEXT = "== The heron ==\nIt [[Standing|stands]] in the river.\n\n* It waits.\n"


@pytest.fixture(autouse=True)
def _formats_are_looked_for_anew() -> Iterator[None]:
    media_types.find_added_formats.cache_clear()
    yield
    media_types.find_added_formats.cache_clear()
    find_missing_readers.cache_clear()


def install(site: Path, value: str, *names: str, package: str = "pagemill-other", version: str = "1.0") -> None:
    """Write what an installed package leaves of itself: it adds the formats of these names."""
    folder = site / f"{package.replace('-', '_')}-{version}.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
    (folder / "entry_points.txt").write_text("[pagemill.readers]\n" + "".join(f"{name} = {value}\n" for name in names))


def test_the_package_of_the_guide_adds_its_format(plain: Refresh, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(read_block(PAGE, HEADING, "python").splitlines()) <= 30
    site = install_package(PAGE, HEADING, "pagemill_wiki", tmp_path, monkeypatch)
    source, corpus = tmp_path / "source", tmp_path / "corpus"
    source.mkdir()
    (source / "HERON.WIKI").write_text(TEXT)
    (source / "bad.wiki").write_bytes(b"caf\xe9")
    (source / "a.txt").write_text("The pump runs.")
    (source / "box.zip").write_bytes(make_zip([("b.wiki", b"The mill turns.")]))
    limits = {"container_members": 998}  # of no other test: its workers know the package
    done = plain(source, corpus, limits=limits)
    assert paths(corpus) == {"HERON.WIKI", "a.txt", "box.zip/b.wiki"} and not done["skipped"]
    [heron] = [row for row in rows(corpus, "documents") if row["path"] == "HERON.WIKI"]
    assert (heron["text"], heron["media_type"]) == ("## The heron\nIt stands in the river.\n\n- It waits.\n", WIKI)
    of_heron = [row for row in rows(corpus, "elements") if row["document_id"] == heron["document_id"]]
    assert {row["kind"] for row in of_heron} == {"heading", "paragraph", "list_item"}
    assert all(heron["text"][row["start_char"] : row["end_char"]] == row["text"] for row in of_heron)
    [bad] = rows(corpus, "rejects")
    assert (bad["path"], bad["message"]) == ("bad.wiki", "the page is not UTF-8: save it as UTF-8, or exclude it")
    assert plain(source, corpus, limits=limits)["outcome"] == "nothing changed"

    [info] = site.glob("pagemill_wiki-1.0.dist-info/METADATA")
    info.write_text(info.read_text().replace("Version: 1.0", "Version: 2.0"))
    media_types.find_added_formats.cache_clear()
    again = plain(source, corpus, limits={"container_members": 997})
    assert changes(again) == {"added": 1, "changed": 2, "unchanged": 1, "rejected": 1}, (
        "the documents of the package alone are read again"
    )

    [found] = inspect_page(source / "box.zip/b.wiki", 1, None, False, RefreshOptions())["elements"]
    assert found["text"] == "The mill turns."


def test_a_document_is_read_once_the_program_is_there_that_its_format_needs(
    plain: Refresh, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs, converted, source, corpus = (tmp_path / name for name in ("bin", "made.docx", "source", "corpus"))
    for folder in (programs, source):
        folder.mkdir()
    (programs / "tesseract").symlink_to(shutil.which("tesseract") or "")
    monkeypatch.setenv("PATH", str(programs))
    find_missing_readers.cache_clear()
    (source / "a.txt").write_text("The pump runs.")
    (source / "box.zip").write_bytes(make_zip([("b.rtf", RTF)]))
    limits = {"container_members": 996}  # of no other test: its workers have this PATH
    plain(source, corpus, limits=limits)
    [reject] = rows(corpus, "rejects")
    assert "LibreOffice, which is not installed" in reject["message"]
    assert plain(source, corpus, limits=limits)["outcome"] == "nothing changed"

    made = Document()
    made.add_paragraph("The mill turns.")
    made.save(str(converted))
    (programs / "soffice").write_text(f'#!/bin/sh\nexec /bin/cp {converted} "$8/document.docx"\n')
    (programs / "soffice").chmod(0o755)
    find_missing_readers.cache_clear()
    assert changes(plain(source, corpus, limits=limits)) == {"added": 1, "unchanged": 1}
    assert paths(corpus) == {"a.txt", "box.zip/b.rtf"} and not rows(corpus, "rejects")
    (programs / "soffice").unlink()
    find_missing_readers.cache_clear()
    assert plain(source, corpus, limits=limits)["outcome"] == "nothing changed", "it is not lost where the program is missing"


def test_suffixes_that_are_read_already_are_refused_by_both_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    install(tmp_path, "pagemill_other:read", "pdf")
    with pytest.raises(InputError, match=r"pagemill-other 1\.0 and Pagemill itself both read \.pdf: remove"):
        media_types.media_type_of("a.wiki")
    (tmp_path / "pagemill_other-1.0.dist-info/entry_points.txt").write_text("[pagemill.readers]\nwiki = a:b\n")
    install(tmp_path, "pagemill_third:read", "WIKI", package="pagemill-third")
    with pytest.raises(InputError, match=r"pagemill-(third|other) 1\.0 and pagemill-(third|other) 1\.0 both read \.wiki"):
        media_types.media_type_of("a.wiki")


def test_packages_are_looked_for_only_where_a_suffix_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise AssertionError("looked for")

    monkeypatch.setattr("importlib.metadata.entry_points", refuse)
    assert media_types.media_type_of("a.PDF") == media_types.PDF
    assert media_types.media_type_of("a/b") is media_types.media_type_of("a.zip") is None
    with pytest.raises(AssertionError, match="looked for"):
        media_types.media_type_of("a.wiki")


def test_a_format_that_is_added_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="'wiki' is no format"):
        PlanOptions(formats=("wiki",))
    media_types.find_added_formats.cache_clear()
    monkeypatch.syspath_prepend(tmp_path)
    install(tmp_path, "pagemill_other:read", "wiki")
    chosen = PlanOptions(formats=("wiki",)).formats
    assert media_types.chooses_format("a.wiki", chosen) and not media_types.chooses_format("a.txt", chosen)


def read_html(data: bytes) -> Html:
    return Html("<h1>The heron</h1><table><tr><th>Day<th>Fish<tr><td>1<td>4</table>")


def read_plain(data: bytes) -> str:
    return "The heron."


def read_wrongly(data: bytes) -> Html:
    raise KeyError("line 4")


@pytest.fixture
def parse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Parse:
    """Parse a file of a format that a function of this module reads."""
    monkeypatch.syspath_prepend(tmp_path)

    def run(function: str, planned: str = "pagemill-other 1.0") -> list[tuple[str, str]]:
        install(tmp_path, f"{__name__}:{function}", "wiki")
        content = Content(sha256="", media_type=WIKI, path="a.wiki", size=1, compound=Compound("", planned))
        row = parse_added_format(b"x", content, ParseOptions(), lambda _: None)
        return [(one["kind"], one["text"]) for one in row["elements"]]

    return run


def test_html_that_a_package_makes_is_read_as_pages_are(parse: Parse) -> None:
    assert parse("read_html") == [("heading", "The heron"), ("table", "| Day | Fish |\n| --- | --- |\n| 1 | 4 |")]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("read_wrongly", "pagemill-other 1.0 failed: KeyError: 'line 4'"),
        ("read_plain", "pagemill-other 1.0 made str of it, not Html or Markdown of pagemill.readers"),
        ("read_nothing", f"pagemill-other 1.0 failed: AttributeError: module '{__name__}' has no attribute 'read_nothing'"),
    ],
)
def test_a_package_that_fails_is_named_in_the_reject(function: str, message: str, parse: Parse) -> None:
    with pytest.raises(DocumentError) as caught:
        parse(function)
    assert str(caught.value) == message and caught.value.__notes__ == ["tell those who make that package, or exclude the file"]


def test_another_version_than_the_plan_was_made_with_reads_nothing(parse: Parse) -> None:
    with pytest.raises(ServiceError, match=r"made with pagemill-other 0\.9, and here is pagemill-other 1\.0: install the same"):
        parse("read_html", "pagemill-other 0.9")
