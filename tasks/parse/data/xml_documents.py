"""XML: articles and books (JATS, DocBook, TEI) as the text that they are, other XML as lines of paths and values."""

import html
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from schemas.errors import DocumentError
from schemas.records import NO_PROPERTIES, Properties
from tasks.parse.data.json_values import value_blocks
from tasks.parse.elements.flow_document import FlowDocument, one_line
from tasks.parse.office.open_document import local_name
from tasks.parse.office.package import MAX_XML_BYTES, SAFE
from tasks.parse.office.xml import XmlElement
from tasks.parse.rejections import blank, refusal
from tasks.parse.web.document import line_of, parse_html
from tasks.parse.web.marks import label_of

SECTIONS = frozenset(
    "sec section sect1 sect2 sect3 sect4 sect5 simplesect chapter appendix part preface abstract trans-abstract app ack div div1"
    " div2 div3 glossary bibliography ref-list".split()
)
TITLES = frozenset(("title", "head"))
TAGS = {
    "p": "p", "para": "p", "simpara": "p", "ab": "p", "l": "p", "speech": "div", "list": "ul", "itemizedlist": "ul",
    "orderedlist": "ol", "variablelist": "dl", "list-item": "li", "listitem": "li", "item": "li", "term": "dt", "def": "dd",
    "bold": "b", "italic": "i", "emphasis": "i", "hi": "i", "sup": "sup", "superscript": "sup", "sub": "sub",
    "subscript": "sub", "monospace": "code", "literal": "code", "code": "pre", "preformat": "pre", "programlisting": "pre",
    "screen": "pre", "disp-quote": "blockquote", "blockquote": "blockquote", "quote": "q", "fig": "figure", "figure": "figure",
    "table-wrap": "figure", "caption": "figcaption", "fn": "aside", "footnote": "aside", "note": "p", "ref": "p", "bibl": "p",
    "biblioentry": "p", "row": "tr", "cell": "td", "entry": "td", "lb": "br", "break": "br", "disp-formula": "p",
    "procedure": "ol", "substeps": "ol", "step": "li", "del": "del",
    **{name: name for name in ("table", "thead", "tbody", "tfoot", "tr", "th", "td")},
}  # fmt: skip
"""Elements of JATS, DocBook and TEI, and the elements of HTML that are read as they are meant."""
APART = frozenset(
    "front teiHeader info bookinfo articleinfo processing-meta journal-meta article-meta graphic inline-graphic"
    " object-id alternatives-other indexterm".split()
)
"""Elements that are no part of the text, or whose text is taken otherwise."""
NUMBERED = {
    "order": "1", "ordered": "1", "numbered": "1", "alpha-lower": "a", "alpha-upper": "A", "roman-lower": "i", "roman-upper": "I"
}  # fmt: skip
"""How JATS and TEI say that a list has numbers, and how HTML says which."""
_READINGS = ("corr", "reg", "expan")
"""What an editor of TEI has readers read, of two readings."""
_TEX = re.compile(r"\\begin\{document\}(.*)\\end\{document\}", re.DOTALL)
_HTML = re.compile(r"<(p|div|span|a|b|i|em|strong|ul|ol|li|h[1-6]|table|blockquote)(?:\s[^<>]*)?>", re.IGNORECASE)
_GLUED = re.compile(r"[\w.,;:)%]\Z")
LABELLED = frozenset(("table-wrap", "fig"))
MAX_DEPTH = 200
LONGEST_DTD, LONGEST_ENTITY = 2**16, 200
"""Bytes in which entities are looked for, and those of one that is resolved."""
_ENTITY = re.compile(rb"""<!ENTITY\s+([A-Za-z_][\w.-]*)\s+(["'])((?:(?!\2)[^<&%]|&#\w+;){0,200})\2\s*>""")
_REFERENCE = re.compile(rb"&([A-Za-z_][\w.-]*);")


def parse_xml(data: bytes) -> FlowDocument:
    """Return the content of an XML file. Of entities, short ones that it defines are resolved; nothing is loaded from outside.

    Raises:
        DocumentError: it is not XML, nests too deeply, or is too large.
    """
    from lxml import etree

    if not data.strip():
        raise blank(data)
    if len(data) > MAX_XML_BYTES:
        raise refusal(DocumentError, f"the file has more than {MAX_XML_BYTES >> 20} MiB of XML", "split it, or exclude it")
    try:
        root: XmlElement = etree.fromstring(_with_entities(data), etree.XMLParser(**SAFE))
    except etree.XMLSyntaxError as error:
        raise refusal(DocumentError, f"the file is not valid XML: {str(error)[:200]}", "correct it, or exclude it") from error
    kind = local_name(root)
    if kind == "html":
        return parse_html(data, xhtml=True)
    written = _WRITTEN.get(kind)
    if written is not None and any(local_name(node) in TAGS or local_name(node) in SECTIONS for node in root.iter()):
        page = f"<meta charset=utf-8><main>{''.join(_front(root))}{''.join(_markup(root, 1))}</main>"
        found = parse_html(page.encode(), xhtml=False)
        return FlowDocument(found.blocks, written(root), rejects=found.rejects)
    return FlowDocument([], NO_PROPERTIES, stream=value_blocks({kind: _value(root, 0)}))


def _with_entities(data: bytes) -> bytes:
    """Return XML with what the short entities mean that it defines itself, if that makes it no longer than XML may be."""
    meant = {found[1]: found[3] for found in _ENTITY.finditer(data[:LONGEST_DTD])}
    if not meant or len(data) + data.count(b"&") * LONGEST_ENTITY > MAX_XML_BYTES:
        return data
    return _REFERENCE.sub(lambda found: meant.get(found[1], found[0]), data)


def _text(node: XmlElement | None) -> str:
    return one_line("".join(_texts(node))) if node is not None else ""


def _texts(node: XmlElement) -> Iterator[str]:
    yield _own_text(node)
    for child in node:
        if local_name(child) not in ("xref", "fn"):
            yield from _texts(child)
        yield child.tail or ""


def _own_text(node: XmlElement) -> str:
    """Return the text of an element before its children; for a reference to an entity, the character that HTML calls so."""
    text: str = node.text or ""
    return text if isinstance(node.tag, str) else html.unescape(text)


def _first(root: XmlElement, *names: str) -> XmlElement | None:
    return next(root.iter(*(f"{{*}}{name}" for name in names)), None)


def _article(root: XmlElement) -> Properties:
    """Return what an article of JATS says of itself; DocBook names some of it alike."""
    names = []
    for author in root.iter("{*}contrib", "{*}author"):
        parts = [_text(_first(author, *part)) for part in (("given-names", "firstname", "forename"), ("surname",))]
        named = " ".join(part for part in parts if part) or _text(author)
        names += [named] if named and named not in names else []
    dates = root.iter("{*}pub-date")
    date = next(
        ("-".join(part for part in (_text(_first(one, name)) for name in ("year", "month", "day")) if part) for one in dates),
        None,
    )
    extra = {"keywords": ", ".join(_text(one) for one in root.iter("{*}kwd"))}
    return {
        **NO_PROPERTIES,
        "title": _text(_title(root)) or None,
        "author": ", ".join(names[:20]) or None,
        "created": date,
        "extra": json.dumps({name: value for name, value in extra.items() if value}, ensure_ascii=False),
    }


def _title(root: XmlElement) -> XmlElement | None:
    header = _first(root, "article-meta", "info", "bookinfo", "articleinfo", "teiHeader")
    if header is not None:
        return _first(header, "article-title", "title")
    return next((node for node in root if local_name(node) == "title"), None)


_WRITTEN: dict[str, Callable[[XmlElement], Properties]] = dict.fromkeys(
    ("article", "book", "TEI", "TEI.2", "chapter", "section", "part"), _article
)
"""Roots of documents that are written for readers."""


def _front(root: XmlElement) -> Iterator[str]:
    """Yield the title, and the abstracts of a JATS article, which its header holds."""
    if title := _text(_title(root)):
        yield f"<h1>{html.escape(title)}</h1>"
    header = _first(root, "article-meta", "info", "articleinfo")
    for node in header.iter("{*}abstract", "{*}trans-abstract") if header is not None else ():
        titled = any(local_name(child) in TITLES for child in node)
        yield ("" if titled else "<h2>Abstract</h2>") + "".join(_markup(node, 2))


def _markup(node: XmlElement, level: int, depth: int = 0, in_line: bool = False) -> Iterator[str]:
    """Yield an element as HTML. `level` is that of the headings in it; `in_line`, that it lies in a line of text."""
    yield html.escape(_own_text(node), quote=False)
    in_line = in_line or _is_mixed(node)
    behind = node.text or ""
    for child in node if depth < MAX_DEPTH else ():
        name = local_name(child)
        if name in TITLES and not (name == "title" and level == 1 and local_name(node) in _WRITTEN):
            inside = "".join(_markup(child, level, depth + 1))
            yield f"<h{min(level, 6)}>{inside}</h{min(level, 6)}>" if _is_section(node) else f"<p>{inside}</p>"
        elif name == "label" and local_name(node) in LABELLED:
            yield ""  # it stands in the caption
        elif name == "caption" and (label := _text(_first(node, "label"))):
            yield f"<figcaption>{html.escape(label)} {''.join(_markup(child, level, depth + 1))}</figcaption>"
        elif name == "label":
            yield f"<span>{html.escape(_text(child))}</span> "
        elif name == "math":
            yield _mathml(child)
        elif name == "tex-math":
            yield _formula(child)
        elif name == "choice":
            read = next((one for one in child if local_name(one) in _READINGS), child)
            yield "".join(_markup(read, level, depth + 1, in_line))
        elif not name:
            yield html.escape(_own_text(child), quote=False)
        elif name not in APART and name not in TITLES and child.get("break") != "no":
            tag = _tag(child, in_line)
            inside = "".join(_markup(child, level + (_is_section(child)), depth + 1, in_line and tag == "span"))
            if name == "xref" and label_of(inside).isdecimal() and _GLUED.search(behind):
                inside = f"[{label_of(inside)}]"
            yield f"<{tag}{_attributes(child, tag)}>{inside}</{tag}>"
        behind = child.tail or ""
        yield html.escape(behind, quote=False)


def _tag(node: XmlElement, in_line: bool) -> str:
    """Return the element of HTML that is read as an element is meant; one that is not known is inline among text."""
    name = local_name(node)
    if name == "list" and NUMBERED.get(node.get("list-type") or node.get("type") or node.get("rend") or ""):
        return "ol"
    inline = "span" if name in INLINE or in_line else "div"
    return inline if name == "term" and in_line else TAGS.get(name, inline)


def _attributes(node: XmlElement, tag: str) -> str:
    if tag == "ol":
        return f' type="{NUMBERED.get(node.get("list-type") or "", "1")}"'
    return _spans(node) if tag in ("td", "th") else ' role="doc-footnote"' if tag == "aside" else ""


def _is_mixed(node: XmlElement) -> bool:
    return bool((node.text or "").strip()) or any((child.tail or "").strip() for child in node)


def _mathml(node: XmlElement) -> str:
    """Return a formula in MathML as HTML writes it, without prefixes."""
    inside = "".join(_mathml(child) + html.escape(child.tail or "", quote=False) for child in node if local_name(child))
    attributes = "".join(f' {key}="{html.escape(value)}"' for key, value in node.items() if "}" not in key)
    return f"<{local_name(node)}{attributes}>{html.escape(node.text or '', quote=False)}{inside}</{local_name(node)}>"


def _formula(node: XmlElement) -> str:
    """Return a formula in TeX, without the document around it; "" beside the same formula in MathML."""
    beside = node.getparent()
    if beside is not None and any(local_name(one) == "math" for one in beside):
        return ""
    source = "".join(_texts(node))
    found = _TEX.search(source)
    return html.escape((found[1] if found else source).strip().strip("$").strip(), quote=False)


def _is_section(node: XmlElement) -> bool:
    return local_name(node) in SECTIONS


def _spans(cell: XmlElement) -> str:
    """Return HTML's attributes for the rows and columns that a cell covers; TEI and DocBook (CALS) say them each its way."""
    rows = cell.get("rowspan") or cell.get("rows") or str(_number(cell.get("morerows")) + 1)
    columns = cell.get("colspan") or cell.get("cols") or str(_named_columns(cell))
    return f' rowspan="{_number(rows) or 1}" colspan="{_number(columns) or 1}"'


def _number(text: str | None) -> int:
    return int(text) if text and re.fullmatch("[0-9]{1,4}", text) else 0


def _named_columns(entry: XmlElement) -> int:
    """Return how many columns of DocBook an entry covers by the names of its first and last one; 1 if it names none."""
    names = [column.get("colname") for group in entry.iterancestors("{*}tgroup") for column in group.iter("{*}colspec")]
    first, last = entry.get("namest"), entry.get("nameend")
    return names.index(last) - names.index(first) + 1 if first in names and last in names else 1


INLINE = frozenset(
    "xref ext-link link ulink ref uri email named-content styled-content sc underline overline strike person-group name surname"
    " given-names year volume issue fpage lpage article-title source mixed-citation element-citation citation inline-formula"
    " persName placeName orgName date num abbr foreign filename command option varname function classname replaceable citetitle"
    " phrase anchor pub-id etal collab publisher-name publisher-loc month day string-name note-ref".split()
)


def _as_shown(text: str) -> str:
    """Return a value, of one that is a piece of HTML, as in feeds, its text."""
    found = _HTML.search(text)
    return line_of(text) if found and f"</{found[1]}>".lower() in text.lower() else text


def _value(node: XmlElement, depth: int) -> Any:
    """Return an element as a JSON value: its text, or its attributes and children by name, those of one name as a list."""
    children = [child for child in node if local_name(child)]
    attributes = {f"@{key.rpartition('}')[2]}": value for key, value in node.items() if value.strip()}
    is_mixed = _is_mixed(node)
    text = _as_shown(_text(node)) if is_mixed else ""
    if not children or is_mixed or depth > MAX_DEPTH:
        return {**attributes, **({"text": text} if text else {})} if attributes else text
    found: dict[str, Any] = dict(attributes)
    for child in children:
        value = _value(child, depth + 1)
        if value != "":
            found.setdefault(local_name(child), []).append(value)
    return {key: value[0] if isinstance(value, list) and len(value) == 1 else value for key, value in found.items()}
