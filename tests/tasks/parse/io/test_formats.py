import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from pptx import Presentation

from schemas.options.sections import DescribeOptions, ParseOptions
from tasks.describe.io.describe import describe_content
from tasks.describe.io.examine import OcrSettings
from tasks.parse.io.parse import parse_staged
from tests.tasks import drawn, golden, office_drawn

PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>The  Mill</title>
<meta name="author" content="A. Miller">
<meta property="article:published_time" content="2024-03-01T12:00:00+01:00"><meta name="description" content="About mills">
<style>p { color: red }</style></head><body>
<header><h1>The Mill</h1><p>A site on mills</p></header><nav><ul><li><a href="/">Home</a></ul></nav>
<main><h2>Reading</h2><p>One <b>bold</b>
 and <img src="gear.png" alt="geared"> text.<br>A second line.<p><img src="chart.png" alt="Bars by region">
<ul><li>rye<ul><li>winter rye<p>and more of it</p></ul><li>wheat</ul><ol start="3" type="i"><li>x<li value="9">y</ol>
<dl><dt>Bran<dd>What is left.</dl>
<pre><code>
def grind():
    return  flour
</code></pre>
<table><caption>Table 1. Sales</caption><tr><th rowspan="2">Region<th colspan="2">Year</tr><tr><th>2022<th>2023</tr>
<tr><td>North<td>1<td>2 | 3<tr><td colspan="2">none<td>4</table>
<table><tr><td><h3>Left</h3><p>of the page<td>right of it</table>
<figure><img alt="A wheel" src="wheel.png"><figcaption>Figure 1: The wheel</figcaption></figure>
<article><header>By A. Miller</header><blockquote><p>It <q>grinds</q>.</blockquote></article>
<p>E = <math><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math> holds.</p>
<math display="block"><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac></math>
<p hidden>hidden</p><p style="display: none">hidden</p><script>hidden()</script><template>hidden</template></main>
<aside>More mills</aside><footer>Imprint</footer></body></html>"""


def parsed(path: Path, data: bytes) -> dict[str, Any]:
    row: dict[str, Any] = parse_staged(drawn.content_of(path, data), ParseOptions(), lambda _: None).to_pylist()[0]
    return row


def texts(row: dict[str, Any], kind: str = "") -> list[str]:
    return [element["text"] for element in row["elements"] if kind in ("", element["kind"])]


SAMPLES = {"page.html": PAGE.encode, "report.docx": office_drawn.report, "deck.pptx": office_drawn.deck}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_written_document_reads_as_its_golden_file(name: str, tmp_path: Path) -> None:
    row = parsed(tmp_path / name, SAMPLES[name]())
    golden.check(row, name.replace(".", "_"))
    assert row["rejects"] == []


@pytest.mark.parametrize("name", SAMPLES)
def test_what_a_document_says_of_itself_becomes_properties(name: str, tmp_path: Path) -> None:
    properties = parsed(tmp_path / name, SAMPLES[name]())["properties"]
    if name == "page.html":
        assert properties["title"] == "The Mill"
        assert properties["created"] == "2024-03-01T12:00:00+01:00"
        assert properties["extra"] == '{"description": "About mills"}'
    if name == "report.docx":
        assert (properties["author"], properties["language"]) == ("A. Miller", "en-US")
        assert '"subject": "Flour"' in properties["extra"]
    assert re.match(r"20\d\d-\d\d-\d\dT", properties["created"])


def test_sections_pages_and_figures_of_a_deck_go_through_describe(tmp_path: Path) -> None:
    row = parsed(tmp_path / "deck.pptx", office_drawn.deck())
    described = describe_content(row, OcrSettings(DescribeOptions(), ParseOptions(ocr_languages="eng"))).to_pylist()[0]
    left = next(element for element in described["elements"] if element["text"] == "left")
    table = next(element for element in described["elements"] if element["kind"] == "table")
    assert (left["page_number"], left["bbox"]) == (5, {"x0": 72.0, "y0": 72.0, "x1": 216.0, "y1": 144.0})
    assert table["section"] == ["The Mill", "Figures", "Sales"]
    assert described["text"][left["start_char"] : left["end_char"]] == "left"
    assert [figure["description"] for figure in described["figures"]] == ["Figure. Text: Bars by region"]
    assert [page["width"] for page in row["pages"]] == [720.0] * 5


def docx_of(*parts: str) -> bytes:
    """Return a Word document whose body begins with pieces of XML."""
    document = docx.Document()
    for n, part in enumerate(parts):
        document.element.body.insert(n, docx.oxml.parse_xml(part))
    return office_drawn.saved(document)


def test_a_paragraph_whose_end_was_deleted_continues_in_the_next(tmp_path: Path) -> None:
    head = f"<w:p {office_drawn.W}><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>Grind </w:t></w:r></w:p>"
    tail = f"<w:p {office_drawn.W}><w:r><w:t>on.</w:t></w:r></w:p>"
    assert texts(parsed(tmp_path / "a.docx", docx_of(head, tail))) == ["Grind on."]


def test_numbered_headings_carry_the_numbers_that_word_shows(tmp_path: Path) -> None:
    def change(parts: dict[str, bytes]) -> None:
        levels = "".join(
            f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{style}"/><w:lvlText w:val="{text}"/></w:lvl>'
            for n, (style, text) in enumerate((("upperRoman", "%1."), ("decimal", "%1.%2")))
        )
        rules = f'<w:abstractNum w:abstractNumId="90">{levels}</w:abstractNum>'
        rules += '<w:num w:numId="90"><w:abstractNumId w:val="90"/></w:num>'
        parts["word/numbering.xml"] = parts["word/numbering.xml"].replace(b"</w:numbering>", f"{rules}</w:numbering>".encode())

    def heading(level: int, text: str) -> str:
        numbering = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="90"/></w:numPr>'
        outline = f'<w:outlineLvl w:val="{level}"/>'
        return f"<w:p {office_drawn.W}><w:pPr>{numbering}{outline}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"

    data = docx_of(heading(0, "A"), heading(1, "B"), heading(1, "C"), heading(0, "D"), heading(1, "E"))
    row = parsed(tmp_path / "a.docx", office_drawn.changed(data, change))
    assert texts(row, "heading") == ["I. A", "I.1 B", "I.2 C", "II. D", "II.1 E"]
    assert [element["level"] for element in row["elements"]] == [1, 2, 2, 1, 2]


def test_strict_open_xml_reads_like_the_ordinary_one(tmp_path: Path) -> None:
    def strict(parts: dict[str, bytes]) -> None:
        for name, part in parts.items():
            if name.endswith((".xml", ".rels")):
                parts[name] = re.sub(
                    rb"http://schemas.openxmlformats.org/(officeDocument|wordprocessingml|presentationml|drawingml)/2006/(\w+)",
                    rb"http://purl.oclc.org/ooxml/\1/\2",
                    part,
                )

    for name in ("report.docx", "deck.pptx"):
        data = SAMPLES[name]()
        assert texts(parsed(tmp_path / name, office_drawn.changed(data, strict))) == texts(parsed(tmp_path / name, data))


def without_part(data: bytes, name: str) -> bytes:
    def change(parts: dict[str, bytes]) -> None:
        del parts[name]

    return office_drawn.changed(data, change)


def entities(parts: dict[str, bytes]) -> None:
    names = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 20 if n else "x" * 50}">' for n in range(12))
    body = parts["word/document.xml"].split(b"?>", 1)[1].replace(b"<w:body>", b"<w:body><w:p><w:r><w:t>&e11;</w:t></w:r></w:p>")
    parts["word/document.xml"] = f"<!DOCTYPE x [{names}]>".encode() + body


def nested(parts: dict[str, bytes]) -> None:
    parts["word/document.xml"] = parts["word/document.xml"].replace(b"<w:body>", b"<w:body>" + b"<w:sdt><w:sdtContent>" * 5000)


PLAIN = office_drawn.saved(docx.Document())


def first_part(parts: dict[str, bytes]) -> None:
    """Leave a package its first part only."""
    for name in list(parts)[1:]:
        del parts[name]


REFUSED: dict[str, tuple[bytes | Callable[[], bytes], str]] = {
    "empty.docx": (b"", "0 bytes"),
    "text.docx": (b"just text", "not an Office document"),
    "truncated.docx": (office_drawn.report()[:-3000], "truncated"),
    "other.zip.docx": (office_drawn.changed(PLAIN, lambda parts: parts.clear()), "truncated|not an Office document"),
    "slides.docx": (office_drawn.saved(Presentation()), "a PowerPoint presentation, not a Word document: .* no slides"),
    "words.pptx": (PLAIN, "a Word document, not a PowerPoint presentation: no text"),
    "page.docx": (b"<!DOCTYPE html><p>Log in</p>", "an HTML page, not a Word document"),
    "page.pdf": (b"<html><p>Log in</p>", "an HTML page, not a PDF"),
    "database.txt": (b"SQLite format 3\0", "an SQLite database, not plain text"),
    "archive.md": (office_drawn.changed(PLAIN, first_part), "a ZIP archive"),
    "encrypted.docx": (office_drawn.encrypted(), "password"),
    "encrypted.pptx": (office_drawn.encrypted(), "password"),
    "old.docx": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000), "old binary format"),
    "bomb.docx": (office_drawn.bomb, "unpacks to 520 MiB"),
    "nested.docx": (office_drawn.changed(PLAIN, nested), "not valid XML"),
    "lacking.docx": (without_part(PLAIN, "word/document.xml"), "lacks its main part"),
    "lacking.pptx": (without_part(office_drawn.deck(), "ppt/presentation.xml"), "lacks its main part"),
    "no slides.pptx": (office_drawn.saved(Presentation()), "no slides"),
    "blank.docx": (PLAIN, "no text found"),
    "blank.html": (b"<p> </p>", "no text found in the page$"),
    "scripted.html": (b"<div id=root></div><script>x</script>", "only its scripts"),
    "frames.html": (b"<frameset cols=20%,80%><frame src=a.html><frame src=b.html></frameset>", "other pages in frames"),
    "spaces.html": (b" \n", "only white space"),
    "nothing.html": (b"", "0 bytes"),
    "nothing.md": (b"", "0 bytes"),
    "spaces.txt": (b" \n", "only white space"),
    "zeros.txt": (b"a\0b\0\0", "NUL character at offset 1, as binary"),
    "really.html": (b"%PDF-1.7\n%\xe2\xe3", "a PDF, not HTML"),
    "binary.html": (bytes(1000), "binary"),
    "deep.html": (b"<div>" * 100_000 + b"x", "more than 20,000 elements nested"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_document_that_cannot_be_read_ends_in_one_final_reject_with_a_remedy(name: str, tmp_path: Path) -> None:
    data, message = REFUSED[name]
    row = parsed(tmp_path / name, data() if callable(data) else data)
    (reject,) = row["rejects"]
    assert (reject["step"], reject["page_number"], reject["final"], row["elements"]) == ("parse", 0, True, [])
    assert re.search(message, reject["message"])
    assert reject["remedy"]


def test_entities_are_never_expanded(tmp_path: Path) -> None:
    row = parsed(tmp_path / "a.docx", office_drawn.changed(PLAIN, entities))
    assert sum(map(len, texts(row))) < 1000


def test_a_picture_with_too_many_pixels_is_reported_and_the_text_is_kept(tmp_path: Path) -> None:
    size = struct.pack(">II", 20_000, 20_000)
    bomb = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + size + b"\x08\x02\x00\x00\x00"
    bomb += struct.pack(">I", zlib.crc32(bomb[12:])) + struct.pack(">I", 9) + b"IDAT" + bytes(13)
    document = docx.Document()
    document.add_paragraph("Text.")
    document.add_picture(io.BytesIO(drawn.chart_png()))
    data = office_drawn.saved(document)

    def change(parts: dict[str, bytes]) -> None:
        parts["word/media/image1.png"] = bomb

    row = parsed(tmp_path / "a.docx", office_drawn.changed(data, change))
    assert (texts(row), row["figures"]) == (["Text."], [])
    (reject,) = row["rejects"]
    assert (reject["page_number"], reject["error"]) == (1, "FigureError")
    assert "pixels" in reject["message"]


def test_a_damaged_or_missing_slide_does_not_affect_the_others(tmp_path: Path) -> None:
    def change(parts: dict[str, bytes]) -> None:
        parts["ppt/slides/slide2.xml"] = re.sub(rb'<a:off x="[^"]*"', b'<a:off x="far"', parts["ppt/slides/slide5.xml"])
        del parts["ppt/slides/slide3.xml"]

    row = parsed(tmp_path / "a.pptx", office_drawn.changed(office_drawn.deck(), change))
    assert {reject["page_number"]: reject["error"] for reject in row["rejects"]}[3] == "PageError"
    assert {element["page_number"] for element in row["elements"]} == {1, 2, 4, 5}, "a broken coordinate costs no slide"


def test_a_lying_archive_gives_no_more_than_it_says(tmp_path: Path) -> None:
    data = bytearray(office_drawn.report())
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        info = archive.getinfo("word/document.xml")
    at = data.rindex(b"PK\x01\x02", 0, data.rindex(b"word/document.xml"))
    assert int.from_bytes(data[at + 24 : at + 28], "little") == info.file_size
    data[at + 24 : at + 28] = (100).to_bytes(4, "little")
    (reject,) = parsed(tmp_path / "a.docx", bytes(data))["rejects"]
    assert "cannot be read" in reject["message"]
