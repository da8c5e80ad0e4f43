import io
import json
import plistlib
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from schemas.media_types import CONVERTED, FORMATS, HEIC, media_type_of
from schemas.options.sections import ParseOptions
from tasks.parse.books import epub
from tasks.parse.books.mhtml import SAVE_AGAIN
from tasks.parse.data.json_values import parse_json
from tasks.parse.elements.flow_document import document_row
from tasks.parse.io.missing_readers import find_missing_readers
from tasks.parse.io.parse import READERS, parse_staged
from tasks.parse.text.code import parse_code, parse_yaml
from tests.tasks import drawn, files_drawn, golden, office_drawn

SAMPLES: dict[str, Callable[[], bytes]] = {
    "mills.json": lambda: files_drawn.JSON,
    "mills.yaml": lambda: files_drawn.YAML,
    "mills.py": lambda: files_drawn.CODE,
    "mills.vtt": lambda: files_drawn.VTT,
    "mills.srt": lambda: files_drawn.SRT,
    "article.xml": lambda: files_drawn.JATS,
    "docbook.xml": lambda: files_drawn.DOCBOOK,
    "tei.xml": lambda: files_drawn.TEI,
    "mills.xml": lambda: files_drawn.XML,
    "mills.ipynb": files_drawn.notebook,
    "mills.epub": files_drawn.epub,
    "mills.mhtml": files_drawn.mhtml,
    "mills.webarchive": files_drawn.webarchive,
    "mills.odt": files_drawn.open_text,
    "mills.odp": files_drawn.open_slides,
}


def parsed(path: Path, data: bytes, options: ParseOptions = ParseOptions()) -> dict[str, Any]:  # noqa: B008
    row: dict[str, Any] = parse_staged(drawn.content_of(path, data), options, lambda _: None).to_pylist()[0]
    return row


@pytest.mark.parametrize("name", SAMPLES)
def test_a_document_reads_as_its_golden_file(name: str, tmp_path: Path) -> None:
    row = parsed(tmp_path / name, SAMPLES[name]())
    golden.check(row, name.replace(".", "_"))
    assert row["rejects"] == []


def test_every_reader_can_be_loaded() -> None:
    for place in READERS.values():
        module, _, name = place.partition(":")
        assert callable(getattr(__import__(module, fromlist=[name]), name))


def test_places_are_times_lines_cells_and_paths(tmp_path: Path) -> None:
    def places(name: str) -> list[str]:
        return [element["place"] for element in parsed(tmp_path / name, SAMPLES[name]())["elements"]]

    assert places("mills.vtt") == ["00:00:01.000-00:00:05.500", "00:00:20.000-00:00:22.000"]
    assert places("mills.py")[2:4] == ["line 8", "lines 9-10"]
    assert places("mills.ipynb")[-1] == "cell 2"
    assert places("mills.json")[-1] == "$.sales[0:2]"


def test_records_of_json_lines_are_sections_and_lines_that_are_none_are_named(tmp_path: Path) -> None:
    row = parsed(tmp_path / "a.jsonl", files_drawn.JSONL)
    assert [(e["kind"], e["text"], e["place"]) for e in row["elements"] if e["kind"] == "heading"] == [
        ("heading", "The weir", "line 1"),
        ("heading", "8", "line 4"),
    ]
    assert row["rejects"][0]["message"] == "1 lines are not JSON and were left out: 3"


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text("abc")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abc", min_size=1), inner),
    max_leaves=12,
)


@given(VALUES)
def test_no_text_of_json_is_lost(value: Any) -> None:
    named = {"t": "name", "v": value}
    row = document_row(parse_json(json.dumps(named).encode()), 150)
    shown = "\n".join(element["text"] for element in row["elements"])
    leaves = [value]
    while leaves:
        one = leaves.pop()
        leaves += one.values() if isinstance(one, dict) else one if isinstance(one, list) else []
        assert not isinstance(one, str) or one in shown


@given(st.lists(st.sampled_from(["def f():", "  x = 1", "", "# c", "a: b", "@d", "class A:", "}", "x"]), max_size=12))
def test_elements_of_code_hold_every_visible_character_at_its_lines(lines: list[str]) -> None:
    text = "\n".join(["x", *lines])
    for parse in (parse_code, parse_yaml):
        elements = parse(text.encode())["elements"]
        spans = [(e["start_char"], e["end_char"]) for e in elements]
        assert all(text[e["start_char"] : e["end_char"]] == e["text"] for e in elements)
        assert spans == sorted(spans)
        covered = "".join(e["text"] for e in elements)
        assert "".join(covered.split()) == "".join(text.split())
        for e in elements:
            numbers = (e["place"] or "").split()[1].split("-")
            assert "\n".join(text.split("\n")[int(numbers[0]) - 1 : int(numbers[-1])]).strip() == e["text"].strip()


@pytest.mark.parametrize("suffix", sorted({known.suffixes[0] for known in FORMATS.values()}))
def test_an_empty_file_of_any_format_is_a_reject_with_a_remedy(suffix: str, tmp_path: Path) -> None:
    rejects = parsed(tmp_path / f"a{suffix}", b"")["rejects"]
    assert [(one["page_number"], bool(one["remedy"])) for one in rejects] == [(0, True)]


GARBAGE = [b"\x01\x02\x03" * 100, b"<a><b></a>", b"{" * 100_000, b"PK\x03\x04" + bytes(50)]


@pytest.mark.parametrize("suffix", ".json .jsonl .xml .ipynb .epub .odt .odp .mhtml .webarchive .vtt .srt .png".split())
@pytest.mark.parametrize("data", GARBAGE)
def test_what_is_of_no_format_is_a_reject_with_a_remedy(suffix: str, data: bytes, tmp_path: Path) -> None:
    row = parsed(tmp_path / f"a{suffix}", data)
    assert [(one["page_number"], bool(one["remedy"])) for one in row["rejects"]] == [(0, True)]


def test_entities_of_xml_are_not_resolved(tmp_path: Path) -> None:
    entities = "<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY file SYSTEM 'file:///etc/passwd'>"
    data = f"<!DOCTYPE x [{entities}]><x><y>text</y><z>&b;&file;</z></x>".encode()
    text = " ".join(element["text"] for element in parsed(tmp_path / "a.xml", data)["elements"])
    assert "text" in text and "root:" not in text and "aaaa" not in text


def test_a_chapter_that_is_missing_costs_only_itself(tmp_path: Path) -> None:
    book = files_drawn.epub().replace(b"OPS/text/second.xhtml", b"OPS/text/lost00.xhtml")
    row = parsed(tmp_path / "a.epub", book)
    assert row["elements"][0]["text"] == "First"
    assert "second.xhtml in the book is missing" in row["rejects"][0]["message"]


def test_a_style_sheet_of_all_chapters_is_unpacked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    unpacked: list[str] = []
    monkeypatch.setattr(epub.Book, "find", lambda _, name: unpacked.append(name))
    assert len(list(epub.parse_epub(files_drawn.epub()).stream)) > 2
    assert unpacked.count("OPS/mill.css") == 1


@pytest.mark.parametrize(
    "found",
    [
        [],
        {"WebMainResource": "page"},
        {"WebMainResource": {"WebResourceData": "text"}},
        {"WebMainResource": {"WebResourceData": b"%PDF-1.7", "WebResourceMIMEType": "application/pdf"}},
    ],
)
def test_a_web_archive_without_a_page_is_a_reject(found: Any, tmp_path: Path) -> None:
    [reject] = parsed(tmp_path / "a.webarchive", plistlib.dumps(found, fmt=plistlib.FMT_BINARY))["rejects"]
    assert (reject["message"], reject["remedy"]) == ("the file holds no page", SAVE_AGAIN)


def test_parts_of_a_web_archive_that_are_no_pictures_are_passed_over(tmp_path: Path) -> None:
    main = {"WebResourceData": b"<p>They grind.<img src=wheel.png>"}
    parts = {"WebSubresources": ["odd", {"WebResourceURL": 1}, {"WebResourceURL": "wheel.png", "WebResourceData": "text"}]}
    row = parsed(tmp_path / "a.webarchive", plistlib.dumps({"WebMainResource": main, **parts}, fmt=plistlib.FMT_BINARY))
    assert [one["text"] for one in row["elements"]] == ["They grind."]


def picture(kind: str, turned: bool = False) -> bytes:
    shown = Image.open(io.BytesIO(drawn.table_png(200))).convert("RGB")
    exif = Image.Exif()
    if turned:
        shown, exif[0x0112] = shown.transpose(Image.Transpose.ROTATE_90), 6
    sink = io.BytesIO()
    shown.save(sink, kind, exif=exif.tobytes()) if turned else shown.save(sink, kind)
    return sink.getvalue()


def heic() -> bytes:
    pytest.importorskip("pillow_heif", reason="pip install 'pagemill[heic]'").register_heif_opener()
    sink = io.BytesIO()
    Image.new("RGB", (64, 48), "navy").save(sink, "HEIF")
    return sink.getvalue()


def test_a_picture_of_a_telephone_is_read_whatever_its_suffix_says(tmp_path: Path) -> None:
    for name in ("a.HEIC", "b.jpg"):
        row = parsed(tmp_path / name, heic())
        assert row["elements"][0]["text"].startswith("A picture of 64 × 48 pixels") and len(row["figures"]) == 1  # noqa: RUF001
    assert [one["message"] for one in row["rejects"]] == [
        "the content is an HEIC picture, not a JPEG picture: it was read as an HEIC picture"
    ]


def test_a_picture_of_a_telephone_names_the_package_that_it_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = heic()
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    [reject] = parsed(tmp_path / "a.heic", data)["rejects"]
    assert "pillow-heif, which is not installed" in reject["message"] and "pip install 'pagemill[heic]'" in reject["remedy"]


@pytest.mark.slow
def test_pictures_are_read_as_scans_upright_as_the_camera_noted(tmp_path: Path) -> None:
    words = {}
    for name, data in {"a.png": picture("PNG"), "a.webp": picture("WEBP"), "b.gif": picture("JPEG", turned=True)}.items():
        row = parsed(tmp_path / name, data, ParseOptions(ocr_languages="eng"))
        words[name] = {word for element in row["elements"] for word in element["text"].replace("|", " ").split()}
        assert row["pages"][0]["ocr"] and row["pages"][0]["width"] > row["pages"][0]["height"]
    assert all({"Region", "North", "135"} <= found for found in words.values())


def test_a_picture_that_is_too_large_is_a_reject_and_one_without_text_a_figure(tmp_path: Path) -> None:
    sink = io.BytesIO()
    Image.new("1", (20_000, 20_000)).save(sink, "PNG")
    [reject] = parsed(tmp_path / "a.png", sink.getvalue())["rejects"]
    assert "pixels" in reject["message"]
    row = parsed(tmp_path / "b.png", drawn.table_png(), ParseOptions(ocr=False))
    assert [element["kind"] for element in row["elements"]] == ["paragraph", "figure"] and len(row["figures"]) == 1
    assert row["elements"][0]["text"] == "A picture of 897 × 220 pixels in which no text was found."  # noqa: RUF001


RTF = rb"{\rtf1\ansi {\b Mills} grind rye.\par Second \u252? paragraph.}"


def test_old_formats_without_libreoffice_say_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    [reject] = parsed(tmp_path / "a.rtf", RTF)["rejects"]
    assert "LibreOffice, which is not installed" in reject["message"]
    assert reject["remedy"].startswith("apt-get install")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_old_formats_are_read_by_libreoffice(tmp_path: Path) -> None:
    row = parsed(tmp_path / "a.doc", RTF)
    assert [element["text"] for element in row["elements"]] == ["Mills grind rye.", "Second ü paragraph."]
    assert "the content is rich text (RTF)" in row["rejects"][0]["message"]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_a_document_gets_no_picture_of_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """LibreOffice put any picture, and the first page of any PDF, that it could read into what it made."""
    Image.new("RGB", (400, 300), "red").save(tmp_path / "secret.png")
    field = r"{\field{\*\fldinst INCLUDEPICTURE " + f'"{(tmp_path / "secret.png").as_uri()}"' + r" \\d}{\fldrslt none}}"
    document = rb"{\rtf1\ansi Mills grind rye.\par %b\par }" % field.encode()
    row = parsed(tmp_path / "a.rtf", document)
    assert row["elements"][0]["text"] == "Mills grind rye." and row["figures"] == []
    assert find_missing_readers.__wrapped__().keys() <= {HEIC}
    monkeypatch.setattr("tasks.workers.confinement.LANDLOCK_CREATE", 10_000)
    assert {*CONVERTED} <= find_missing_readers.__wrapped__().keys(), "another kernel may read them"
    assert "cannot keep LibreOffice from other files" in parsed(tmp_path / "b.rtf", document)["rejects"][0]["message"]


def test_suffixes_are_told_without_regard_to_case() -> None:
    assert media_type_of("A.JPEG") == media_type_of("a.jpg")


def test_values_that_python_does_not_take_are_read_or_named(tmp_path: Path) -> None:
    [reject] = parsed(tmp_path / "a.ipynb", f'{{"a": {"9" * 5000}}}'.encode())["rejects"]
    assert reject["message"].startswith("the notebook is not JSON")
    row = parsed(tmp_path / "b.json", b'{"\\udfff": {"\\ud800": "Mill"}}')
    assert [element["place"] for element in row["elements"]][-1] == "$.?" and "Mill" in row["elements"][-1]["text"]


ROLLING = (
    "WEBVTT\n\n00:00:00.000 --> 00:00:02.000\n \nwelcome<00:00:00.4><c> to</c>\n\n"
    "00:00:02.000 --> 00:00:02.010\nwelcome to\n \n\n"
    "00:00:02.010 --> 00:00:04.000\nwelcome to\nthe<00:00:02.400><c> port</c>\n\n00:00:04.000 --> 00:00:04.010\nthe port\n \n\n"
    "00:00:04.010 --> 00:00:06.000\nthe port\nof Oslo\n"
)
SUBTITLES = {
    ("a.vtt", ROLLING): "welcome to the port of Oslo",
    ("a.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nNo\n\nNOTE unseen\n\n00:02.000 --> 00:03.000\nYes\n"): "No Yes",
    (
        "a.srt",
        "1\n00:00:01,000 --> 00:00:02,000\nIn two\n\nparts\n\n2\n00:00:02,000 --> 00:00:03,000\nOver\n",
    ): "In two parts Over",
    ("a.srt", "1\n00:00:01,000 --> 00:00:02,000\n42\n2\n00:00:02,000 --> 00:00:03,000\n43\n"): "42 43",
}


@pytest.mark.parametrize(("file", "said"), SUBTITLES.items())
def test_what_rolls_on_is_said_once_and_nothing_of_a_cue_is_lost(file: tuple[str, str], said: str, tmp_path: Path) -> None:
    assert [element["text"] for element in parsed(tmp_path / file[0], file[1].encode())["elements"]] == [said]


XML = {
    "<article><sec><p>Is <inline-formula><tex-math>E=mc^2</tex-math></inline-formula>.</p></sec></article>": "Is E=mc^2.",
    '<article xmlns:m="http://www.w3.org/1998/Math/MathML"><sec><p>Is <alternatives><m:math><m:mfenced open="["><m:mi>x</m:mi>'
    "</m:mfenced></m:math><tex-math>x</tex-math></alternatives>.</p></sec></article>": "Is [x).",
    "<article><sec><p>Is <tex-math>\\usepackage{a}\\begin{document}$$y$$\\end{document}</tex-math>.</p></sec></article>": "Is y.",
    '<article><sec><p>9 kg<xref ref-type="bibr" rid="b1">1</xref>, see <xref rid="f">Figure 2</xref>.</p></sec></article>': (
        "9 kg[1], see Figure 2."
    ),
    '<article><sec><list list-type="alpha-lower"><list-item><p>First</p></list-item></list></sec></article>': "a. First",
    '<TEI><text><p>The har<lb break="no"/>bour, <choice><sic>clozed</sic><corr>closed</corr></choice> <del>by</del> '
    "<add>at</add> <term>dusk</term>.</p></text></TEI>": "The harbour, closed ~~by~~ at dusk.",
    '<!DOCTYPE book SYSTEM "a.dtd" [<!ENTITY port "Port of Oslo">]><book><part><p>The &port; is 5 &mu;m off.</p></part></book>': (
        "The Port of Oslo is 5 μm off."
    ),
}


@pytest.mark.parametrize(("source", "text"), XML.items())
def test_paragraphs_of_xml_are_whole_with_their_formulas_marks_and_readings(source: str, text: str, tmp_path: Path) -> None:
    assert [e["text"] for e in parsed(tmp_path / "a.xml", source.encode())["elements"] if e["kind"] != "heading"] == [text]


def test_a_value_of_xml_that_is_html_is_read_as_its_text(tmp_path: Path) -> None:
    data = (
        "<rss><a>&lt;p&gt;It &lt;b&gt;opens&lt;/b&gt;.&lt;/p&gt;</a><b><![CDATA[<P>So</p>]]></b><c>Use &lt;p&gt; here</c></rss>"
    )
    [*_, element] = parsed(tmp_path / "a.xml", data.encode())["elements"]
    assert element["text"] == "rss.a: It opens.\nrss.b: So\nrss.c: Use <p> here"


def test_numbers_of_json_stay_as_they_are_written(tmp_path: Path) -> None:
    data = f'{{"price": 1.10, "far": 1e400, "long": {"9" * 5000}}}'.encode()
    [element] = parsed(tmp_path / "a.json", data)["elements"]
    assert element["text"] == f"price: 1.10\nfar: 1e400\nlong: {'9' * 5000}"


def test_a_bar_of_progress_is_read_as_it_ends(tmp_path: Path) -> None:
    output = {"output_type": "stream", "text": [" 10%|#  | 1/9\r", "100%|###| 9/9\n", "done\r\n"]}
    cell = {"cell_type": "code", "source": "run()", "outputs": [output]}
    row = parsed(tmp_path / "a.ipynb", json.dumps({"cells": [cell]}).encode())
    assert [element["text"] for element in row["elements"]] == ["run()", "100%|###| 9/9\ndone"]


@pytest.mark.parametrize("told", ["text/html", "Text/XML; charset=utf-8", "application/xml", "image/svg+xml"])
def test_a_chapter_is_read_whatever_kind_of_page_its_book_says_that_it_is(told: str, tmp_path: Path) -> None:
    def change(parts: dict[str, bytes]) -> None:
        parts["OPS/book.opf"] = parts["OPS/book.opf"].replace(b"application/xhtml+xml", told.encode())

    row = parsed(tmp_path / "a.epub", office_drawn.changed(files_drawn.epub(), change))
    assert "It leaks 10^3 l." in [element["text"] for element in row["elements"]]


def test_notes_and_numbers_of_pages_in_a_book_are_told_apart_from_its_text(tmp_path: Path) -> None:
    link, note = '<a epub:type="noteref" href="#n">1</a>', '<aside epub:type="footnote" id="n"><p>Since 1920.</p></aside>'
    page = f'It grinds 45{link} <span epub:type="pagebreak" title="7">7</span>tons.</p>{note}<p>'
    second = {"OPS/text/second.xhtml": f"<html><body><p>{page}</p></body></html>".encode()}
    book = office_drawn.changed(files_drawn.epub(), lambda parts: parts.update(second))
    texts = [element["text"] for element in parsed(tmp_path / "a.epub", book)["elements"]]
    assert texts[-2:] == ["It grinds 45[1] tons.", "[1] Since 1920."]


def test_a_hidden_section_of_an_open_document_is_hidden_text(tmp_path: Path) -> None:
    shown = "<text:section><text:p>Final.</text:p></text:section>"
    sections = f'<text:section text:display="none"><text:p>Draft.</text:p></text:section>{shown}'
    row = parsed(tmp_path / "a.odt", files_drawn.open_document("text", sections))
    assert [(element["kind"], element["text"]) for element in row["elements"]] == [("hidden", "Draft."), ("paragraph", "Final.")]
