"""Small files of many formats that the tests write themselves."""

import base64
import json
import plistlib

from tests.tasks import drawn, sheets_drawn
from tests.tasks.office_drawn import zipped

JSON = json.dumps(
    {
        "title": "The mills",
        "open": True,
        "owner": {"name": "A. Miller", "born": 1871, "mills": ["upper", "lower"]},
        "sales": [{"year": 1910, "tons": 12.5}, {"year": 1911, "tons": None}],
    }
).encode()
JSONL = b'{"id": 7, "title": "The weir", "text": "It leaks.\\nIt is old."}\n\nno json\n{"id": 8, "parts": {"wheel": "oak"}}\n'
YAML = b"# About mills\nmill:\n  name: upper  # the old one\n  wheels: [1, 2]\n\n# Weirs\nweirs:\n- north\n- south\n"
CODE = b'''"""Mills."""
import os

RATE = 3


@cached
def grind(corn: str) -> str:
    """Grind corn."""
    return corn * RATE


class Mill:
    def run(self) -> None:
        grind("rye")
'''
VTT = b"""WEBVTT

NOTE made by hand

1
00:00:01.000 --> 00:00:03.000 align:start
<v A. Miller>The mill was built

00:00:03.000 --> 00:00:05.500
<v A. Miller>in <i>1911</i> &amp; it stands.

00:00:20.000 --> 00:00:22.000
<v B. Weir>Does it grind?
"""
SRT = b"1\r\n00:00:01,000 --> 00:00:03,000\r\nThe mill was built\r\n\r\n2\r\n00:01:03,000 --> 00:01:05,500\r\nin 1911.\r\n"
JATS = b"""<?xml version="1.0"?><article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta>
<title-group><article-title>On mills</article-title></title-group>
<contrib-group><contrib><name><surname>Miller</surname><given-names>Ada</given-names></name></contrib></contrib-group>
<pub-date><year>1911</year></pub-date><abstract><p>What we found.</p></abstract></article-meta></front>
<body><sec><title>Results</title><p>Mills <italic>grind</italic> <xref>[1]</xref>.</p><sec><title>Weirs</title><p>They leak.</p>
<table-wrap><label>Table 1</label><caption><p>Sales</p></caption>
<table><thead><tr><th>Region</th><th>Tons</th></tr></thead>
<tbody><tr><td>North</td><td>12</td></tr><tr><td>South</td><td>7</td></tr></tbody></table></table-wrap>
<fig><label>Figure 1</label><caption><p>The wheel.</p></caption></fig></sec></sec></body>
<back><ref-list><title>References</title><ref><label>1</label><mixed-citation>A. Weir: On weirs.</mixed-citation></ref></ref-list>
</back></article>"""
DOCBOOK = b"""<?xml version="1.0"?><book xmlns="http://docbook.org/ns/docbook" version="5.0"><info><title>Mills</title>
<author><personname><firstname>Ada</firstname><surname>Miller</surname></personname></author></info>
<chapter><title>Wheels</title><para>A <emphasis>wheel</emphasis> turns.<footnote><para>Slowly.</para></footnote></para>
<table><title>Costs</title><tgroup cols="3"><colspec colname="a"/><colspec colname="b"/><colspec colname="c"/>
<thead><row><entry>Wood</entry><entry namest="b" nameend="c">Cost</entry></row></thead>
<tbody><row><entry morerows="1">Oak</entry><entry>12</entry><entry>13</entry></row>
<row><entry>14</entry><entry>15</entry></row></tbody>
</tgroup></table><section><title>Care</title><itemizedlist><listitem><para>Grease it.</para></listitem></itemizedlist>
<programlisting>turn(wheel)</programlisting>
<note><title>Beware</title><para>It is wet.</para></note></section></chapter></book>"""
TEI = b"""<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>Letters</title>
<author>Ada Miller</author></titleStmt></fileDesc></teiHeader><text><body><div type="letter"><head>First letter</head>
<opener><dateline>London, 3 May</dateline><salute>Dear Charles,</salute></opener>
<p>The mill <hi rend="italic">grinds</hi>.<note n="1">By day.</note></p><lg><l>One line,</l><l>another line.</l></lg>
<table><head>Costs</head><row role="label"><cell>Wood</cell><cell cols="2">Cost</cell></row><row><cell>Oak</cell><cell>12</cell>
<cell>13</cell></row></table><div><head>After</head><sp><speaker>ADA</speaker><p>Indeed.</p></sp></div></div></body></text></TEI>"""
XML = b"""<mills region="north"><mill id="1"><name>upper</name><tons>12</tons></mill>
<mill id="2"><name>lower</name><tons>7</tons></mill><note>All <b>old</b> ones.</note></mills>"""


def notebook() -> bytes:
    """A heading, code with its outputs: text, a table, a picture, an error."""
    page = "<table><tr><th>a<th>b<tr><td>1<td>2<tr><td>3<td>4</table>"
    outputs = [
        {"output_type": "stream", "text": ["ground\n", "all\n"]},
        {"output_type": "execute_result", "data": {"text/html": page, "text/plain": "a b"}},
        {"output_type": "display_data", "data": {"image/png": base64.b64encode(drawn.chart_png()).decode()}},
        {"output_type": "error", "ename": "ValueError", "evalue": "no corn"},
    ]
    cells = [
        {"cell_type": "markdown", "source": ["# Mills\n", "\n", "They **grind**."]},
        {"cell_type": "code", "source": "grind()", "outputs": outputs},
        {"cell_type": "markdown", "source": "  "},
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}).encode()


def epub() -> bytes:
    """Two chapters in the order of the spine, with a picture."""

    def chapter(title: str, text: str) -> str:
        head = '<title/><link href="../mill.css" rel="stylesheet"/>'
        body = f"<h1>{title}</h1><p>{text}</p>"
        return f'<html xmlns="http://www.w3.org/1999/xhtml"><head>{head}</head><body>{body}</body></html>'

    items = "".join(
        f'<item id="{name}" href="text/{name}.xhtml" media-type="application/xhtml+xml"/>' for name in ("second", "first")
    )
    metadata = "<dc:title>The mills</dc:title><dc:creator>A. Miller</dc:creator><dc:language>en</dc:language>"
    package = (
        f'<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>{metadata}</metadata>'
        f'<manifest>{items}</manifest><spine><itemref idref="first"/><itemref idref="second"/></spine></package>'
    )
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
            "OPS/book.opf": package,
            "OPS/text/first.xhtml": chapter("First", 'It grinds.</p><p><img src="../wheel.png" alt="The wheel"/>'),
            "OPS/text/second.xhtml": chapter("Second", 'It leaks 10<span class="u">3</span> l.'),
            "OPS/mill.css": ".u {vertical-align: super}",
            "OPS/wheel.png": drawn.chart_png(),
        }
    )


def mhtml() -> bytes:
    """A page as browsers save it, with its picture and its style sheet, and the address of a picture that is none."""
    picture = base64.encodebytes(drawn.chart_png()).decode()
    lines = [
        "From: <Saved by Blink>", "MIME-Version: 1.0", 'Content-Type: multipart/related; boundary="b"', "",
        "--b", "Content-Type: text/html; charset=utf-8", "Content-Transfer-Encoding: quoted-printable",
        "Content-Location: https://mills.example/a/", "",
        '<link rel=3D"stylesheet" href=3D"cid:css-1@mhtml.blink"><h1>M=C3=BChlen</h1><p>They grind 10<span',
        'class=3D"u">6</span> kg.</p><img src=3D"../wheel.png"><img src=3D"http://[x">',
        "--b", "Content-Type: text/css", "Content-Location: cid:css-1@mhtml.blink", "", ".u { vertical-align: super }",
        "--b", "Content-Type: image/png", "Content-Transfer-Encoding: base64",
        "Content-Location: https://mills.example/wheel.png", "", picture, "--b--", "",
    ]  # fmt: skip
    return "\r\n".join(lines).encode()


def webarchive() -> bytes:
    """A page as Safari saves it, with its picture and its style sheet."""
    source = '<link rel=stylesheet href=/u.css><h1>Mühlen</h1><p>They grind 10<b class=u>6</b> kg.</p><img src="../wheel.png">'
    page = {
        "WebResourceData": source.encode("iso-8859-1"),
        "WebResourceMIMEType": "text/html",
        "WebResourceTextEncodingName": "iso-8859-1",
        "WebResourceURL": "https://mills.example/a/",
    }
    picture = {"WebResourceData": drawn.chart_png(), "WebResourceURL": "https://mills.example/wheel.png"}
    sheet = {"WebResourceData": b".u { vertical-align: super }", "WebResourceURL": "https://mills.example/u.css"}
    return plistlib.dumps({"WebMainResource": page, "WebSubresources": [picture, sheet]}, fmt=plistlib.FMT_BINARY)


_OASIS = "".join(
    f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "table", "text", "style", "presentation")
)
NAMES = f'{_OASIS} xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"'


STYLES = """<office:automatic-styles><style:style style:name="U" style:family="text"><style:text-properties
style:text-position="super 58%"/></style:style><style:style style:name="V" style:parent-style-name="U"/><style:style
style:name="X"><style:text-properties style:text-line-through-style="solid"/></style:style></office:automatic-styles>"""
RAISED = """10<text:span text:style-name="V">6</text:span> kg, <text:span text:style-name="X">30</text:span>45"""


def open_document(kind: str, body: str) -> bytes:
    """Return an Open Document file with some XML in its body."""
    inside = f"{STYLES}<office:body><office:{kind}>{body}</office:{kind}></office:body>"
    return sheets_drawn.packed({"content.xml": f"<office:document-content{NAMES}>{inside}</office:document-content>"}, kind)


def open_text() -> bytes:
    """Headings, a list, a table with spans, a footnote, a comment."""
    body = "<text:note-body><text:p>See weirs.</text:p></text:note-body>"
    note = f"<text:note><text:note-citation>1</text:note-citation>{body}</text:note>"
    remark = "<office:annotation><text:p>Check this</text:p></office:annotation>"
    items = "".join(f"<text:list-item><text:p>{item}</text:p></text:list-item>" for item in ("rye", "wheat"))

    def row(*cells: str, width: int = 1) -> str:
        start = f'<table:table-cell table:number-columns-spanned="{width}">'
        inside = "".join(f"{start}<text:p>{cell}</text:p></table:table-cell>" for cell in cells)
        return f"<table:table-row>{inside}</table:table-row>"

    rows = row("Region", "Tons") + row("North", "12") + row("both", width=2)
    text = f'<text:p>They<text:s text:c="2"/>grind{note}.{remark}</text:p><text:list>{items}</text:list>'
    return open_document("text", f'<text:h text:outline-level="1">Mills</text:h>{text}<table:table>{rows}</table:table>')


def open_slides() -> bytes:
    """Two slides, the first with notes."""

    def framed(text: str, attributes: str = "") -> str:
        return f"<draw:frame{attributes}><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>"

    def slide(title: str, text: str, notes: str = "") -> str:
        noted = f"<presentation:notes>{framed(notes)}</presentation:notes>" if notes else ""
        named = framed(title, ' presentation:class="title"')
        return f"<draw:page>{named}{framed(text)}{noted}</draw:page>"

    return open_document("presentation", slide("Mills", "They grind.", "Speak slowly.") + slide("Weirs", "They leak."))
