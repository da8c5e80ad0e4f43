"""HTML and XHTML: reads blocks and properties from the bytes of a page."""

import html
import json
import re
from typing import TYPE_CHECKING

from schemas.errors import DocumentError, EmptyDocument
from schemas.records import Properties
from tasks.parse.charsets import Decoded, binary_kind, decode_page
from tasks.parse.elements.flow_document import FlowDocument, bounded
from tasks.parse.rejections import RENAME, blank, refusal
from tasks.parse.tables.cells import as_html
from tasks.parse.web.html_flow import flow_of
from tasks.parse.web.mathml import formulas_in_tree, take_rendered
from tasks.parse.web.properties import page_properties
from tasks.parse.web.sheets import FindSheet
from tasks.parse.web.tables import text_of

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

LONGEST_CONTROL = 40
"""Most characters of an element that is no text."""
MAX_NESTED = 20_000
"""Deepest nesting of elements. Browsers show 512. The parser's time grows with the square of the depth."""
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_END_MAY_LACK = frozenset("p li dt dd td th tr thead tbody tfoot option optgroup rt rp colgroup caption html head body".split())
_TEMPLATE = re.compile(r"<(/?)template\b([^>]*)>", re.IGNORECASE)
_FRAME = re.compile(
    r"""<iframe\b([^>]*?)\ssrcdoc\s*=\s*(?:"([^"]*)"|'([^']*)')([^>]*)>(?:.*?</iframe\s*>)?""", re.IGNORECASE | re.DOTALL
)
_CONTROLS = (
    ".mw-editsection, [role~='doc-pagebreak'], [epub\\:type~='pagebreak'], clipboard-copy,"
    " button[class*='copy' i], button[aria-label*='copy' i], button[title*='copy' i]"
)
"""What is no text: links by which MediaWiki has sections edited, numbers of pages in books, buttons that copy a listing."""
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)(?=[\s/>])")
_CLOSED = re.compile(r"""<([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*/>""")
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)


def parse_html(data: bytes, xhtml: bool, find_sheet: FindSheet = lambda _: None) -> FlowDocument:
    """Return the content of a page. `xhtml` says that elements may be closed in their start tag.

    `find_sheet` gives the style sheets that came with the page.

    Raises:
        DocumentError: it is binary, or its elements are nested too deeply.
        EmptyDocument: there is no text and no picture.
    """
    from selectolax.lexbor import LexborHTMLParser

    decoded = decode_page(data)
    text = decoded.text
    _check(data, decoded)
    if xhtml:
        text = _CLOSED.sub(_opened, _CDATA.sub(lambda found: html.escape(found[1], quote=False), text))
    _check_depth(text)
    source = formulas_in_tree(_with_shadows(text.replace("\0", "")))
    page = LexborHTMLParser(_with_frames(source))
    if "data-script" in source:
        take_rendered(page)
    for control in reversed(page.css(_CONTROLS)):  # inner ones first: what lies in one that is taken out is gone
        if len(control.text().strip()) <= LONGEST_CONTROL:
            control.decompose()
    blocks = flow_of(page, find_sheet)
    if not any(block.text or block.cells or block.picture for block in blocks):
        raise _without_text(page)
    return FlowDocument(blocks, _with_charset(page_properties(page), decoded), rejects=list(decoded.notes))


def _with_shadows(text: str) -> str:
    """Return a page with the content of declarative shadow roots, which browsers show, in its tree."""
    if "shadowroot" not in text:
        return text
    declared: list[bool] = []

    def swap(found: re.Match[str]) -> str:
        if found[1]:
            return "</shadow-root>" if declared and declared.pop() else found[0]
        declared.append("shadowroot" in found[2])
        return "<shadow-root>" if declared[-1] else found[0]

    return _TEMPLATE.sub(swap, text)


def _with_frames(text: str) -> str:
    """Return a page with the pages that it holds itself, in frames, in its tree; their heads are left out."""
    from selectolax.lexbor import LexborHTMLParser

    def framed(found: re.Match[str]) -> str:
        inside = LexborHTMLParser(html.unescape(found[2] or found[3] or "")).body
        return f"<div{found[1]}{found[4].rstrip('/')}>{inside.inner_html if inside else ''}</div>"

    return _FRAME.sub(framed, text) if "srcdoc" in text else text


def _opened(found: re.Match[str]) -> str:
    """Return an element that XML closes in its start tag as HTML: only void elements have no end tag."""
    return found[0] if found[1].lower() in _VOID else f"<{found[1]}{found[2]}></{found[1]}>"


def _check(data: bytes, decoded: Decoded) -> None:
    if not decoded.text.strip():
        raise blank(data)
    if kind := binary_kind(data):
        raise refusal(DocumentError, f"the content is {kind}, not HTML", RENAME)
    if decoded.text.count("\0") > len(decoded.text) // 100:
        raise refusal(DocumentError, "the content is binary, not HTML", "exclude it, or save it again as HTML in UTF-8")


def _without_text(page: "LexborHTMLParser") -> DocumentError:
    """Return the error of a page without text, with where its text is."""
    if page.css_first("frame, iframe") is not None:
        return refusal(EmptyDocument, "no text found in the page: it shows other pages in frames", "take those pages instead")
    if page.css_first("script") is not None:
        remedy = "open it in a browser, save the page as it is then shown, and take that file; or exclude it"
        return refusal(EmptyDocument, "no text found in the page: only its scripts may write some", remedy)
    return refusal(EmptyDocument, "no text found in the page", "add text to it, or exclude it")


def _check_depth(text: str) -> None:
    """Refuse a page that keeps the parser busy for minutes. Optional end tags and void elements do not count."""
    if text.count("<") < MAX_NESTED:
        return
    depth = 0
    for slash, name in _TAG.findall(text):
        tag = name.lower()
        if tag not in _VOID and tag not in _END_MAY_LACK:
            depth = max(0, depth - 1) if slash else depth + 1
            if depth > MAX_NESTED:
                message = f"the page has more than {MAX_NESTED:,} elements nested inside each other"
                raise refusal(DocumentError, message, "save it again from a browser, or exclude it")


def _with_charset(properties: Properties, decoded: Decoded) -> Properties:
    """Add the charset to the properties of a page unless it is the usual one."""
    if decoded.charset == "utf-8":
        return properties
    extra = {**json.loads(properties["extra"]), "charset": decoded.charset}
    return {**properties, "extra": json.dumps(extra, ensure_ascii=False, sort_keys=True)}


def table_of(source: str) -> str | None:
    """Return a piece of HTML that is one data table as the HTML of elements; None if it is anything else."""
    from selectolax.lexbor import LexborHTMLParser

    page = LexborHTMLParser(source)
    blocks = flow_of(page)
    tables = [block for block in blocks if block.kind == "table"]
    if len(tables) != 1 or any(block.kind not in ("table", "caption") for block in blocks):
        return None
    return as_html(bounded(tables[0].cells), tables[0].n_head)


def line_of(source: str) -> str:
    """Return a piece of HTML as one line of text."""
    from selectolax.lexbor import LexborHTMLParser

    return text_of(flow_of(LexborHTMLParser(source)))
