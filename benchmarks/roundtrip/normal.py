"""Normalising: HTML of any origin becomes the few tags that every typesetter of the benchmark can set."""

import re
import unicodedata
from collections.abc import Iterator
from html import escape
from typing import Any

MAIN = ("main", '*[@role="main"]', '*[@id="page-content"]', '*[@id="content"]', "article", "body")
"""Where a page keeps its text, the first that is there."""
DROPPED = frozenset(
    "script style nav form img object iframe svg math video audio input button select hr noscript map head colgroup".split()
)
OUTSIDE = re.compile(
    r"\b(headerlink|permalink|navheader|navfooter|nav[-_]?panel|nav_table|navigation|sphinxsidebar|related|toc|contents|topic|"
    r"toctree-wrapper|indexterm|footer|linenos|viewcode-link|heading-anchor|mediaobject|figure|math|langselect|toplang|bottomlang|"
    r"comments_section|breadcrumbs?|page-header|page-footer|nocount|index|printfooter|copyright|quickview|highlightlines|screenshot|"
    r"genindextable)\b"
)
"""Classes of what stands beside a text, or cannot be set from it: navigation, lists of contents, pictures, formulas."""
BOXED = re.compile(r"\b(admonition|note|warning|tip|important|caution|sidebar|callout)\b")
INLINE = {
    **dict.fromkeys(("b", "strong"), "b"),
    **dict.fromkeys(("i", "em", "cite", "var", "dfn"), "i"),
    **dict.fromkeys(("code", "tt", "kbd", "samp"), "code"),
    "sup": "sup",
    "sub": "sub",
}
UNWRAPPED = frozenset("a span font small big u abbr acronym q s del ins label bdi bdo mark time nobr wbr strike data br".split())
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
MAX_CELL = 200
"""Characters of a cell, on average, above which a table is an arrangement of a page rather than data."""
MAX_COLUMNS = 8
_SPACE = re.compile(r"[ \t\r\n\f\v\xa0\u2000-\u200a\u202f\u205f\u3000]+")
_UNSEEN = re.compile("[\u200b-\u200f\u2060\ufeff\xad\u202a-\u202e]|[\x00-\x08\x0e-\x1f]")
_WIDE = r"\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef"
_BETWEEN_WIDE = re.compile(rf"(?<=[{_WIDE}]) (?=[{_WIDE}])")


def normalise(page: bytes) -> str:
    """Return the text of a page of HTML as a normalised fragment, a block a line; its largest headings are h1.

    What stands above the first heading is left out: on most pages it leads to other pages. Line ends between Chinese characters
    are no spaces, and characters that nobody sees are left out.
    """
    from lxml import html

    root = html.document_fromstring(page, parser=html.HTMLParser(encoding=_encoding(page)))
    found = (root.find(f".//{path}") for path in MAIN)
    main = next((element for element in found if element is not None), root)
    blocks = list(_blocks(main, nested=False))
    start = next((number for number, block in enumerate(blocks) if re.match("<h[1-6]>", block)), 0)
    return rank_headings("\n".join(blocks[start:]))


def _encoding(page: bytes) -> str | None:
    """Return UTF-8 for a page that is in it, whether it says so or not; else what the page says counts."""
    try:
        page.decode()
    except UnicodeDecodeError:
        return None
    return "utf-8"


def rank_headings(body: str) -> str:
    """Return a fragment whose headings are h1 and below without a gap between the ranks that occur; the fourth is the last.

    >>> ranked("<h2>a</h2><h5>b</h5>")
    '<h1>a</h1><h2>b</h2>'
    """
    ranks = sorted(set(re.findall(r"<h([1-6])>", body)))
    new = {rank: min(4, number) for number, rank in enumerate(ranks, 1)}
    return re.sub(r"(</?h)([1-6])>", lambda tag: f"{tag[1]}{new.get(tag[2], 4)}>", body)


def plain(text: str | None) -> str:
    """Return text with single spaces, composed characters and nothing unseen.

    >>> plain("a   b  中 文")
    'a b 中文'
    """
    spaced = _SPACE.sub(" ", _UNSEEN.sub("", unicodedata.normalize("NFC", text or "")))
    return _BETWEEN_WIDE.sub("", spaced)


def _outside(element: Any) -> bool:
    """Return whether an element is none of the text: a comment, a dropped tag, navigation, or hidden."""
    if not isinstance(element.tag, str) or element.tag in DROPPED:
        return True
    named = f"{element.get('class', '')} {element.get('id', '') if element.tag == 'div' else ''}"
    return (
        bool(OUTSIDE.search(named))
        or "display:none" in element.get("style", "").replace(" ", "")
        or element.get("hidden") is not None
    )


def _is_inline(element: Any) -> bool:
    return (element.tag in INLINE or element.tag in UNWRAPPED) and all(_outside(child) or _is_inline(child) for child in element)


def _inline(element: Any) -> str:
    """Return an element's text with the inline tags that are kept."""
    parts = [escape(plain(element.text), quote=False)]
    for child in element:
        if not _outside(child):
            parts.append(_mark(child))
        parts.append(escape(plain(child.tail), quote=False))
    return "".join(parts)


def _mark(element: Any) -> str:
    if element.tag == "br":
        return "<br>"
    inner = _inline(element)
    tag = INLINE.get(element.tag)
    if tag and inner.strip():
        return f"<{tag}>{inner}</{tag}>"
    href = element.get("href", "")
    return f'<a href="{escape(href)}">{inner}</a>' if element.tag == "a" and href.startswith("http") and inner.strip() else inner


def trim(inline: str) -> str:
    """Return inline HTML without white space at its ends, double spaces and line breaks at its ends.

    >>> trimmed(" a  <b>c</b> <br> ")
    'a <b>c</b>'
    """
    return re.sub(r"^(<br>|\s)+|(<br>|\s)+$", "", _BETWEEN_WIDE.sub("", re.sub(r" {2,}", " ", inline)))


def _blocks(parent: Any, nested: bool) -> Iterator[str]:
    """Yield the blocks of an element; text that stands between them is paragraphs. No headings where it is `nested`."""
    run = [escape(plain(parent.text), quote=False)]
    for child in parent:
        if _outside(child):
            pass
        elif _is_inline(child):
            run.append(_mark(child))
        else:
            yield from _paragraph(run)
            run = []
            yield from _block(child, nested)
        run.append(escape(plain(child.tail), quote=False))
    yield from _paragraph(run)


def _paragraph(run: list[str]) -> Iterator[str]:
    if text := trim("".join(run)):
        yield f"<p>{text}</p>"


def _block(element: Any, nested: bool) -> Iterator[str]:
    """Yield what an element becomes that is no inline one."""
    tag = element.tag
    if tag in HEADINGS and all(_outside(child) or _is_inline(child) for child in element):
        text = trim(re.sub("<br>", " ", _inline(element)))
        made = f"<p><b>{text}</b></p>" if nested else f"<{tag}>{text}</{tag}>"
        yield from [made] if text else []
    elif tag == "pre":
        text = _UNSEEN.sub("", element.text_content()).expandtabs(4).strip("\n").rstrip()
        yield from [f"<pre>{escape(text, quote=False)}</pre>"] if text.strip() else []
    elif tag in ("ul", "ol"):
        yield from _list(element, tag, ("li",))
    elif tag == "dl":
        yield from _list(element, tag, ("dt", "dd"))
    elif tag == "table":
        yield from _table(element, nested)
    elif tag in ("blockquote", "aside") or (tag == "div" and BOXED.search(element.get("class", ""))):
        outer = "blockquote" if tag == "blockquote" else "aside"
        inner = "".join(_blocks(element, nested=True))
        yield from [f"<{outer}>{inner}</{outer}>"] if inner else []
    else:
        yield from _blocks(element, nested)


def _list(element: Any, tag: str, items: tuple[str, ...]) -> Iterator[str]:
    """Yield a list; a first paragraph of an item stands in it bare."""
    made = []
    for child in element:
        if child.tag in items and not _outside(child):
            inner = "".join(_blocks(child, nested=True))
            bare = re.sub(r"^<p>(.*?)</p>", r"\1", inner, count=1)
            made += [f"<{child.tag}>{bare}</{child.tag}>"] if bare else []
        elif child.tag == "div" and tag == "dl":
            made += [inner[4:-5] for inner in _list(child, tag, items)]
    if made:
        yield f"<{tag}>{''.join(made)}</{tag}>"


def _table(element: Any, nested: bool) -> Iterator[str]:
    """Yield a table of data; another, an arrangement of the page, is what stands in its cells; one with gaps is left out."""
    own = (row for row in element.iter("tr") if next(row.iterancestors("table")) is element)
    rows = [row for row in own if any(cell.tag in ("td", "th") for cell in row)]
    cells = [[cell for cell in row if cell.tag in ("td", "th")] for row in rows]
    flat = [cell for row in cells for cell in row]
    text = sum(len(plain(cell.text_content()).strip()) for cell in flat)
    if len(rows) < 2 or max(map(len, cells)) < 2 or text > MAX_CELL * len(flat) or _arranges(element, flat):
        for cell in flat:
            yield from _blocks(cell, nested)
        return
    width = grid_width([[(_span(cell, "colspan"), _span(cell, "rowspan")) for cell in row] for row in cells])
    if not width or width > MAX_COLUMNS or any(cell.find(".//pre") is not None for cell in flat):
        return
    caption = element.find("caption")
    title = trim(_inline(caption)) if caption is not None else ""
    lines = [f"<tr>{''.join(map(_cell, row))}</tr>" for row in cells]
    heads = next((number for number, row in enumerate(cells) if any(cell.tag == "td" for cell in row)), len(cells) - 1)
    head = f"<thead>{''.join(lines[:heads])}</thead>" if heads else ""
    yield f"<table>{f'<caption>{title}</caption>' if title else ''}{head}<tbody>{''.join(lines[heads:])}</tbody></table>"


def _arranges(table: Any, cells: list[Any]) -> bool:
    """Return whether a table arranges a page: it holds another, stands in a box as its frame, or is empty for the most part."""
    boxed = any(BOXED.search(outer.get("class", "")) for outer in table.iterancestors("div"))
    empty = sum(not cell.text_content().strip() for cell in cells)
    return boxed or table.find(".//table") is not None or 2 * empty > len(cells)


def _span(cell: Any, name: str) -> int:
    given = cell.get(name, "1")
    return int(given) if given.isdigit() else 1


def grid_width(rows: list[list[tuple[int, int]]]) -> int:
    """Return the columns of a table whose cells' (columns, rows) are these; 0 if they leave gaps or reach below the last row.

    >>> grid_width([[(1, 2), (1, 1)], [(1, 1)]]), grid_width([[(2, 1)], [(1, 1)]])
    (2, 0)
    """
    taken: dict[tuple[int, int], int] = {}
    for y, row in enumerate(rows):
        x = 0
        for columns, lines in row:
            while (y, x) in taken:
                x += 1
            taken.update({(y + j, x + i): 1 for j in range(lines) for i in range(columns)})
            x += columns
    width = max((x for _, x in taken), default=-1) + 1
    return width if len(taken) == width * len(rows) and max((y for y, _ in taken), default=0) < len(rows) else 0


def _cell(cell: Any) -> str:
    """Return a cell, its blocks and items as lines."""
    blocks = re.sub(r"</(p|li|dt|dd)>", "<br>", "".join(_blocks(cell, nested=True)))
    text = trim(re.sub(r"</?(p|ul|ol|dl|li|dt|dd|blockquote|aside)>", "", re.sub(r"(<br>\s*)+", "<br>", blocks)))
    spans = "".join(f' {name}="{n}"' for name in ("colspan", "rowspan") if (n := _span(cell, name)) > 1)
    return f"<{cell.tag}{spans}>{text}</{cell.tag}>"
