"""Small Word documents, presentations and archives that the tests write themselves."""

import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import docx
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import parse_xml
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from tests.tasks.drawn import chart_png

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
EQUATION = (
    f"<m:oMath {M}><m:r><m:t>E=m</m:t></m:r>"
    "<m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
    "<m:r><m:t>+</m:t></m:r><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>"
)
DELETED = f"<w:del {W}><w:r><w:delText>deleted</w:delText></w:r></w:del>"
INSERTED = f"<w:ins {W}><w:r><w:t>inserted</w:t></w:r></w:ins>"
BOXED = "<w:txbxContent><w:p><w:r><w:t>Words in a box.</w:t></w:r></w:p></w:txbxContent>"
BOX = (
    f'<w:r {W} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:AlternateContent>'
    f'<mc:Choice Requires="wps"><w:drawing>{BOXED}</w:drawing></mc:Choice>'
    f"<mc:Fallback><w:pict>{BOXED}</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
)
FOOTNOTES = (
    f'<w:footnotes {W}><w:footnote w:id="0" w:type="separator"><w:p/></w:footnote>'
    '<w:footnote w:id="7"><w:p><w:r><w:t>Rye and wheat.</w:t></w:r></w:p></w:footnote></w:footnotes>'
)


def saved(document: Any) -> bytes:
    """Return a document or presentation as the bytes of its file."""
    sink = io.BytesIO()
    document.save(sink)
    return sink.getvalue()


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """Return an archive of some files."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return sink.getvalue()


def changed(data: bytes, change: Callable[[dict[str, bytes]], None]) -> bytes:
    """Return an archive whose parts `change` has changed."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    change(parts)
    return zipped(parts)


def report() -> bytes:
    """A Word document with a bit of everything that such documents are made of."""
    document = docx.Document()
    properties = document.core_properties
    properties.title, properties.author, properties.subject = "The Mill", "A. Miller", "Flour"
    document.sections[0].header.paragraphs[0].text = "Mill report"
    document.sections[0].footer.paragraphs[0].text = "Page 1"
    document.add_heading("The Mill", 0)
    document.styles.add_style("Chapter", WD_STYLE_TYPE.PARAGRAPH).base_style = document.styles["Heading 1"]
    document.add_paragraph("How it grinds", style="Chapter")
    noted = document.add_paragraph("It grinds grain")
    noted._p.append(parse_xml(f'<w:r {W}><w:footnoteReference w:id="7"/></w:r>'))
    noted.add_run(" into flour.")
    for text, style in (("first", "List Number"), ("second", "List Number"), ("bullet", "List Bullet")):
        document.add_paragraph(text, style=style)
    document.add_heading("Yield", 2)
    _grow(document)
    _table(document)
    document.add_paragraph("Figure 1: Sales", style="Caption")
    document.add_picture(io.BytesIO(chart_png()), Inches(3))
    document.element.body.find(".//{*}docPr").set("descr", "Bars by region")
    return _with_footnotes(saved(document))


def _grow(document: Any) -> None:
    """Add equations, tracked changes, hidden text, a text box and a listing."""
    document.add_paragraph("Energy is ")._p.append(parse_xml(EQUATION))
    document.add_paragraph()._p.append(parse_xml(EQUATION))
    tracked = document.add_paragraph("It was ")
    tracked._p.append(parse_xml(DELETED))
    tracked._p.append(parse_xml(INSERTED))
    tracked.add_run(" hidden").font.hidden = True
    document.add_paragraph("Beside it:")._p.append(parse_xml(BOX))
    document.styles.add_style("Source Code", WD_STYLE_TYPE.PARAGRAPH)
    for line in ("def grind():", "    return  flour"):
        document.add_paragraph(line, style="Source Code")


def _table(document: Any) -> None:
    table = document.add_table(3, 3)
    for row, texts in enumerate((("Region", "Sales", ""), ("North", "1", "2 | 3"), ("", "4", "5"))):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(1, 0).merge(table.cell(2, 0))


def _with_footnotes(data: bytes) -> bytes:
    def change(parts: dict[str, bytes]) -> None:
        kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
        relation = f'<Relationship Id="rIdNotes" Type="{kind}" Target="footnotes.xml"/></Relationships>'
        rels = "word/_rels/document.xml.rels"
        parts[rels] = parts[rels].replace(b"</Relationships>", relation.encode())
        parts["word/footnotes.xml"] = FOOTNOTES.encode()

    return changed(data, change)


def deck() -> bytes:
    """A presentation: a title, bullets with notes, a table and a chart, a section, a group and a picture."""
    deck = Presentation()
    layouts = deck.slide_layouts
    first = deck.slides.add_slide(layouts[0])
    first.shapes.title.text, first.placeholders[1].text = "The Mill", "A report"
    points = deck.slides.add_slide(layouts[1])
    points.shapes.title.text = "Points"
    frame = points.placeholders[1].text_frame
    frame.text = "It grinds"
    inner = frame.add_paragraph()
    inner.text, inner.level = "rye", 1
    points.notes_slide.notes_text_frame.text = "Greet the guests."
    deck.slides.add_slide(layouts[2]).shapes.title.text = "Figures"
    _numbers(deck.slides.add_slide(layouts[5]))
    last = deck.slides.add_slide(layouts[6])
    group = last.shapes.add_group_shape()
    for left, words in ((5, "right"), (1, "left")):
        group.shapes.add_textbox(Inches(left), Inches(1), Inches(2), Inches(1)).text_frame.text = words
    picture = last.shapes.add_picture(io.BytesIO(chart_png()), Inches(1), Inches(3), Inches(4))
    picture._element.nvPicPr.cNvPr.set("descr", "Bars by region")
    return saved(deck)


def _numbers(slide: Any) -> None:
    slide.shapes.title.text = "Sales"
    table = slide.shapes.add_table(2, 3, Inches(1), Inches(2), Inches(6), Inches(1)).table
    for column, text in enumerate(("Region", "2022", "")):
        table.cell(0, column).text = text
    for column, text in enumerate(("North", "1", "2")):
        table.cell(1, column).text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    data = CategoryChartData()
    data.categories = ["North", "South"]
    data.add_series("2022", (1, 2.5))
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(4), Inches(4), Inches(2), data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Sales by region"


def encrypted() -> bytes:
    """The begin of a file that Office has encrypted: an OLE container that holds a package."""
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + "EncryptedPackage".encode("utf-16-le") + bytes(512)


def bomb() -> bytes:
    """A small archive that says that it unpacks to a gigabyte, and would."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("word/document.xml", "w") as part:
        for _ in range(520):
            part.write(bytes(2**20))
    return sink.getvalue()
