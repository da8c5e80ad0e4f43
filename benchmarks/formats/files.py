"""Files of many formats, made from a seed, each with the words and the cells that must be read from it."""

import base64
import html
import io
import json
import random
import zipfile
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo ya ze".split()


class Made(NamedTuple):
    """A file: its suffix, its bytes, the words of its text, and the cells of its tables as they are shown, row by row."""

    suffix: str
    data: bytes
    words: list[str]
    cells: list[list[str]]


class Values(NamedTuple):
    """A row of a workbook: what its cells hold, the formats that show them, and how they are shown."""

    held: list[Any]
    codes: list[str]
    shown: list[str]


def words(rng: random.Random, n: int) -> list[str]:
    """Return made-up words."""
    return ["".join(rng.choices(SYLLABLES, k=rng.randint(2, 4))) for _ in range(n)]


def text(rng: random.Random) -> str:
    """Return a sentence."""
    return " ".join(words(rng, rng.randint(8, 20))).capitalize() + "."


def rows(rng: random.Random, n: int) -> tuple[list[str], list[Values]]:
    """Return a header and rows of a name, a whole number, an amount in euros, a share, a day and a text."""
    found = []
    for _ in range(n):
        name, note = words(rng, 2)
        count, amount, share = rng.randint(0, 9999), rng.randint(0, 10**6) / 100, rng.randint(0, 1000) / 1000
        day = date(2000, 1, 1) + timedelta(days=rng.randint(0, 9000))
        held = [name, count, amount, share, day, note]
        codes = ["General", "General", '#,##0.00 "€"', "0.0%", "yyyy-mm-dd", "General"]
        found.append(Values(held, codes, [name, str(count), f"{amount:,.2f} €", f"{share * 100:.1f}%", day.isoformat(), note]))
    return [f"{name} {n}" for n, name in enumerate(words(rng, 6))], found


def make_xlsx(rng: random.Random) -> Made:
    """A workbook of three sheets with formatted values."""
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    cells, said = [], []
    for name in words(rng, 3):
        sheet = book.create_sheet(name)
        head, body = rows(rng, rng.randint(5, 60))
        sheet.append(head)
        for n, row in enumerate(body, 2):
            sheet.append(row.held)
            for m, code in enumerate(row.codes, 1):
                sheet.cell(n, m).number_format = code
        said.append(name)
        cells += [head, *(row.shown for row in body)]
    return Made("xlsx", _saved(book), [*said, *_words_of(cells)], cells)


def make_xls(rng: random.Random) -> Made:
    """The same in the old format."""
    import xlwt

    book = xlwt.Workbook()
    cells, said = [], []
    styles = {code: xlwt.easyxf(num_format_str=code) for code in ("General", '#,##0.00 "€"', "0.0%", "yyyy-mm-dd")}
    for name in words(rng, 2):
        sheet = book.add_sheet(name)
        head, body = rows(rng, rng.randint(5, 60))
        for m, value in enumerate(head):
            sheet.write(0, m, value)
        for n, row in enumerate(body, 1):
            for m, (value, code) in enumerate(zip(row.held, row.codes, strict=True)):
                sheet.write(n, m, value, styles[code])
        said.append(name)
        cells += [head, *(row.shown for row in body)]
    return Made("xls", _saved(book), [*said, *_words_of(cells)], cells)


def _saved(book: Any) -> bytes:
    sink = io.BytesIO()
    book.save(sink)
    return sink.getvalue()


def _words_of(cells: Sequence[Sequence[str]]) -> list[str]:
    return [word for row in cells for cell in row for word in cell.split()]


def _zipped(parts: dict[str, str]) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return sink.getvalue()


_OASIS = "".join(
    f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{key}:1.0"'
    for name, key in {"office": "office", "table": "table", "text": "text", "draw": "drawing"}.items()
)


def _open_document(kind: str, body: str) -> bytes:
    content = f"<office:body><office:{kind}>{body}</office:{kind}></office:body>"
    parts = {"mimetype": f"application/vnd.oasis.opendocument.{kind}", "meta.xml": "<meta/>"}
    return _zipped({**parts, "content.xml": f"<office:document-content{_OASIS}>{content}</office:document-content>"})


def make_ods(rng: random.Random) -> Made:
    """A workbook of LibreOffice."""
    head, body = rows(rng, rng.randint(5, 60))
    cells = [head, *(row.shown for row in body)]
    written = ("".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in row) for row in cells)
    lines = "".join(f"<table:table-row>{row}</table:table-row>" for row in written)
    return Made(
        "ods", _open_document("spreadsheet", f'<table:table table:name="S">{lines}</table:table>'), _words_of(cells), cells
    )


def make_csv(rng: random.Random) -> Made:
    """Delimited values, with another delimiter and charset each time."""
    delimiter, charset = rng.choice([",", ";", "\t", "|"]), rng.choice(["utf-8", "utf-8-sig", "cp1252", "utf-16"])
    head, body = rows(rng, rng.randint(5, 500))
    cells = [head, *(row.shown for row in body)]
    lines = (delimiter.join(f'"{cell}"' if delimiter in cell or rng.random() < 0.2 else cell for cell in row) for row in cells)
    return Made(rng.choice(["csv", "tsv"]), "\n".join(lines).encode(charset), _words_of(cells), cells)


def _sections(rng: random.Random) -> list[tuple[str, list[str]]]:
    return [(" ".join(words(rng, 3)), [text(rng) for _ in range(rng.randint(1, 5))]) for _ in range(rng.randint(2, 6))]


def _said(sections: Sequence[tuple[str, list[str]]]) -> list[str]:
    return " ".join(part for title, said in sections for part in (title, *said)).split()


def _page(sections: Sequence[tuple[str, list[str]]]) -> str:
    return "".join(f"<h2>{title}</h2>{''.join(f'<p>{one}</p>' for one in said)}" for title, said in sections)


def make_epub(rng: random.Random) -> Made:
    """A book with a chapter for each section."""
    found = _sections(rng)
    items = "".join(f'<item id="c{n}" href="c{n}.xhtml" media-type="application/xhtml+xml"/>' for n in range(len(found)))
    spine = "".join(f'<itemref idref="c{n}"/>' for n in range(len(found)))
    package = f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{items}</manifest><spine>{spine}</spine></package>'
    container = '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>'
    start = '<html xmlns="http://www.w3.org/1999/xhtml"><body>'
    pages = {f"c{n}.xhtml": f"{start}{_page([one])}</body></html>" for n, one in enumerate(found)}
    parts = {"mimetype": "application/epub+zip", "META-INF/container.xml": container, "b.opf": package, **pages}
    return Made("epub", _zipped(parts), _said(found), [])


def make_mhtml(rng: random.Random) -> Made:
    """A saved page."""
    found = _sections(rng)
    body = base64.encodebytes(f"<html><body>{_page(found)}</body></html>".encode()).decode()
    head = 'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\n--b\nContent-Type: text/html; charset=utf-8\n'
    return Made("mhtml", f"{head}Content-Transfer-Encoding: base64\n\n{body}\n--b--\n".encode(), _said(found), [])


def make_odt(rng: random.Random) -> Made:
    """A text of LibreOffice."""
    found = _sections(rng)
    body = "".join(
        f'<text:h text:outline-level="1">{title}</text:h>{"".join(f"<text:p>{one}</text:p>" for one in said)}'
        for title, said in found
    )
    return Made("odt", _open_document("text", body), _said(found), [])


def make_odp(rng: random.Random) -> Made:
    """A presentation of LibreOffice."""
    found = _sections(rng)
    slides = "".join(
        f"<draw:page><draw:frame><draw:text-box>{''.join(f'<text:p>{one}</text:p>' for one in (title, *said))}"
        "</draw:text-box></draw:frame></draw:page>"
        for title, said in found
    )
    return Made("odp", _open_document("presentation", slides), _said(found), [])


def make_json(rng: random.Random) -> Made:
    """An object of texts and a list of records."""
    found = _sections(rng)
    value = {"sections": [{"title": title, "paragraphs": said} for title, said in found]}
    return Made("json", json.dumps(value, indent=rng.choice([None, 2])).encode(), _said(found), [])


def make_jsonl(rng: random.Random) -> Made:
    """A record for each section."""
    found = _sections(rng)
    lines = "\n".join(json.dumps({"title": title, "text": "\n".join(said)}) for title, said in found)
    return Made("jsonl", lines.encode(), _said(found), [])


def make_yaml(rng: random.Random) -> Made:
    """A key for each section."""
    found = _sections(rng)
    lines = [f"{title.replace(' ', '_')}:\n" + "".join(f"  - {one}\n" for one in said) for title, said in found]
    return Made("yaml", "".join(lines).encode(), " ".join(" ".join(said) for _, said in found).split(), [])


def make_xml(rng: random.Random) -> Made:
    """An article in JATS, or XML of no known kind."""
    found = _sections(rng)
    if rng.random() < 0.5:
        body = "".join(f"<sec><title>{title}</title>{''.join(f'<p>{one}</p>' for one in said)}</sec>" for title, said in found)
        return Made("xml", f"<article><front/><body>{body}</body></article>".encode(), _said(found), [])
    body = "".join(f"<part><name>{title}</name>{''.join(f'<line>{one}</line>' for one in said)}</part>" for title, said in found)
    return Made("xml", f"<things>{body}</things>".encode(), _said(found), [])


def make_notebook(rng: random.Random) -> Made:
    """Cells of Markdown and of code with outputs."""
    found = _sections(rng)
    cells: list[dict[str, Any]] = []
    for title, said in found:
        cells.append({"cell_type": "markdown", "source": [f"## {title}\n", "\n", said[0]]})
        outputs = [{"output_type": "stream", "text": said[1:]}]
        cells.append({"cell_type": "code", "source": "run()", "outputs": outputs})
    return Made("ipynb", json.dumps({"cells": cells}).encode(), _said([(t, [s[0]]) for t, s in found]), [])


def make_subtitles(rng: random.Random) -> Made:
    """What is said, a cue for each sentence."""
    found = [one for _, said in _sections(rng) for one in said]
    suffix = rng.choice(["vtt", "srt"])
    dot = "." if suffix == "vtt" else ","
    cues = [f"00:{n // 10:02}:{n % 10 * 5:02}{dot}000 --> 00:{n // 10:02}:{n % 10 * 5 + 4:02}{dot}000" for n in range(len(found))]
    start = "WEBVTT\n\n" if suffix == "vtt" else ""
    body = "\n\n".join(f"{n}\n{cue}\n{html.escape(one)}" for n, (cue, one) in enumerate(zip(cues, found, strict=True), 1))
    return Made(suffix, f"{start}{body}\n".encode(), " ".join(found).split(), [])


def make_code(rng: random.Random) -> Made:
    """Functions with their docstrings."""
    found = _sections(rng)
    parts = [f'def {title.replace(" ", "_")}():\n    """{" ".join(said)}"""\n    return 1\n' for title, said in found]
    return Made("py", "\n\n".join(parts).encode(), " ".join(" ".join(said) for _, said in found).split(), [])


def make_picture(rng: random.Random) -> Made:
    """A page of text as a picture."""
    from PIL import Image, ImageDraw, ImageFont

    said = [text(rng) for _ in range(6)]
    picture = Image.new("L", (1700, 1000), "white")
    pen = ImageDraw.Draw(picture)
    lines = [" ".join(one.split()[at : at + 8]) for one in said for at in range(0, len(one.split()), 8)]
    for n, line in enumerate(lines):
        pen.text((100, 80 + 44 * n), line, fill="black", font=ImageFont.load_default(32))
    sink = io.BytesIO()
    kind = rng.choice(["PNG", "JPEG", "WEBP", "BMP"])
    picture.save(sink, kind, dpi=(200, 200))
    return Made({"JPEG": "jpg"}.get(kind, kind.lower()), sink.getvalue(), " ".join(lines).split(), [])


MAKERS: dict[str, Callable[[random.Random], Made]] = {
    "Excel (.xlsx)": make_xlsx,
    "Excel (.xls)": make_xls,
    "Open Document workbook": make_ods,
    "CSV, TSV": make_csv,
    "Open Document text": make_odt,
    "Open Document slides": make_odp,
    "EPUB": make_epub,
    "MHTML": make_mhtml,
    "JSON": make_json,
    "JSON lines": make_jsonl,
    "YAML": make_yaml,
    "XML": make_xml,
    "notebook": make_notebook,
    "subtitles": make_subtitles,
    "code": make_code,
    "picture": make_picture,
}
