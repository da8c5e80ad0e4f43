"""Truth: what a reader of a typeset source should write, in the Markdown that the kit's scorer of parsing reads."""

import re
from collections.abc import Iterator
from html import escape
from typing import Any

from benchmarks.roundtrip.normal import plain

PLAIN = frozenset("b i code sup sub a br span".split())
_FENCED = re.compile(r"^(```+|~~~+)[^\n]*\n(.*?)^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_LEADERS = re.compile(r"(?:[ \t]*[.·…]){4,}[ \t]*")
_BARRED = re.compile(r"^\|.*\n\|(?: *:?-+:? *\|)+\n(?:\|.*(?:\n|\Z))*", re.MULTILINE)
_BAR = re.compile(r"(?<!\\)\|")
_HTML_TABLE = re.compile(r"<table[^>]*>.*?</table>", re.DOTALL | re.IGNORECASE)


def truth_of(body: str) -> str:
    """Return the Markdown of a normalised fragment, in the order in which it is read.

    Headings are `#` lines, items of lists start with `- ` or their number, tables are HTML whose first row is of `th`, lines
    of code are set in by one space, and all else is paragraphs. Drawings have no text.
    """
    from lxml import html

    root = html.fragment_fromstring(body, create_parent="div")
    return without_leaders("\n\n".join(_blocks(root)) + "\n")


def comparable(markdown: str) -> str:
    """Return the Markdown of a reader with its code and its tables as `truth_of` writes them.

    To the scorer a line `# …` of a fenced block would be a heading, `<thead>` and white space between tags would be text, and an
    escaped bar would end a cell.
    """
    bare = _FENCED.sub(lambda block: re.sub("^(?=.)", " ", block[2], flags=re.MULTILINE), markdown)
    bare = _BARRED.sub(lambda table: _write_pipe_table(table[0]) if r"\|" in table[0] else table[0], bare)
    return without_leaders(_HTML_TABLE.sub(lambda table: _compact(table[0]), bare))


def without_leaders(text: str) -> str:
    """Return text with a space for every row of four dots or more: how many lead to a page number is no part of a text.

    >>> without_leaders("Contents . . . . . 3, and so on ...")
    'Contents 3, and so on ...'
    """
    return _LEADERS.sub(" ", text)


def _compact(table: str) -> str:
    from lxml import html

    found = html.fragment_fromstring(table, create_parent="div").find("table")
    return table if found is None else _table(found)


def _write_pipe_table(table: str) -> str:
    r"""Return a table of pipes as HTML, with the bars that stand in its cells.

    >>> _unbarred("| a\\|b |\n| --- |\n| c |\n")
    '<table><tr><th>a|b</th></tr><tr><td>c</td></tr></table>\n'
    """
    lines = [[cell.strip().replace(r"\|", "|") for cell in _BAR.split(line)[1:-1]] for line in table.splitlines()]
    rows = [(tag, row) for tag, row in zip(("th", *["td"] * len(lines)), [lines[0], *lines[2:]], strict=False)]
    made = "".join(f"<tr>{''.join(f'<{tag}>{escape(cell, quote=False)}</{tag}>' for cell in row)}</tr>" for tag, row in rows)
    return f"<table>{made}</table>\n"


def _blocks(parent: Any) -> Iterator[str]:
    """Yield the Markdown of the blocks of an element; bare text between them is a paragraph."""
    run = [parent.text or ""]
    for child in parent:
        if child.tag in PLAIN:
            run.append(text_of(child))
        else:
            yield from _paragraph(run)
            run = []
            yield from _block(child)
        run.append(child.tail or "")
    yield from _paragraph(run)


def text_of(element: Any) -> str:
    """Return an element's text, a space for every line break in it."""
    if element.tag == "br":
        return " "
    return (element.text or "") + "".join(text_of(child) + (child.tail or "") for child in element)


def _paragraph(run: list[str]) -> Iterator[str]:
    """Yield a paragraph of the pieces, if they hold text; one that starts with `#` is set in, lest it be a heading."""
    text = plain("".join(run)).strip()
    if text:
        yield f" {text}" if text.startswith("#") else text


def _block(element: Any) -> Iterator[str]:
    tag = str(element.tag)
    if re.fullmatch("h[1-6]", tag):
        yield f"{'#' * int(tag[1])} {plain(text_of(element)).strip()}"
    elif tag in ("ul", "ol"):
        yield from _items(element, numbered=tag == "ol")
    elif tag == "table":
        caption = element.find("caption")
        yield from _paragraph([text_of(caption)]) if caption is not None else ()
        yield _table(element)
    elif tag == "pre":
        yield "\n".join(f" {line}" for line in element.text_content().splitlines())
    elif tag != "svg":
        yield from _blocks(element)


def _items(element: Any, numbered: bool) -> Iterator[str]:
    for number, item in enumerate(element.findall("li"), 1):
        first, *others = list(_blocks(item)) or [""]
        yield f"{f'{number}.' if numbered else '-'} {first}"
        yield from others


def _table(element: Any) -> str:
    """Return a table as the scorer writes those of pipes: the cells of the first row are `th`, all others `td`."""
    rows: list[str] = []
    for row in element.iter("tr"):
        tag = "td" if rows else "th"
        cells = [cell for cell in row if cell.tag in ("td", "th")]
        rows.append("".join(f"<{tag}{_spans(cell)}>{_cell(cell)}</{tag}>" for cell in cells))
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def _cell(cell: Any) -> str:
    return escape(plain(text_of(cell)).strip())


def _spans(cell: Any) -> str:
    return "".join(f' {name}="{cell.get(name)}"' for name in ("colspan", "rowspan") if cell.get(name, "1") != "1")
