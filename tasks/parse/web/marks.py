"""Marks on the text of a line: raised, lowered and struck text, marks of notes, and ruby, whose readings explain words."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from tasks.parse.elements.flow_document import FlowBlock
from tasks.parse.raised import struck, subscript, superscript
from tasks.parse.web.concealment.concealed import declarations

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

MARKED = {
    "sup": "raised",
    "sub": "lowered",
    "del": "struck",
    "s": "struck",
    "strike": "struck",
    "ruby": "ruby",
    "rt": "reading",
    "rtc": "reading",
}
_STYLED = {"super": "raised", "sub": "lowered"}
_CANDIDATES = (
    "sup, sub, del, s, strike, ruby, rt, rtc, a[role~='doc-noteref'], a[epub\\:type~='noteref'], [style*='vertical-align' i],"
    " [style*='line-through' i]"
)
_RAISED = "sup, a[role~='doc-noteref'], a[epub\\:type~='noteref'], [style*='vertical-align' i]"
_BOXES = frozenset("td th tr div p table tbody thead li ul ol img col".split())
_LABEL = re.compile(r"[\[({]?\s*([^\[\](){}]{1,12}?)\s*[\])}]?[.:]?")


class PageMarks(NamedTuple):
    """The marks of a page by `mem_id` of their elements, and the labels of its notes by `mem_id` of what the marks link to."""

    marks: Mapping[int, str]
    notes: Mapping[int, str]


def marks_of(page: "LexborHTMLParser") -> PageMarks:
    """Return the marks of a parsed page. A note stands behind the mark that links to it: the link back is no mark of a note."""
    marks: dict[int, str] = {}
    notes: dict[int, str] = {}
    labels: dict[str, str] = {}
    passed: set[str] = set()
    for node in page.css(f"{_CANDIDATES}, [id], a[name]" if page.css_first(_RAISED) else _CANDIDATES):
        mark = _mark(node)
        if identity := node.id or (node.attributes.get("name") if node.tag == "a" else None):
            passed.add(identity)
            if identity in labels:
                notes[node.mem_id] = labels[identity]
                mark = "note" if node.tag == "a" and label_of(node.text()) == labels[identity] else mark
        link = _note_link(node) if mark in ("raised", "note") else None
        label = label_of(node.text())
        if link is not None and label:
            mark = "note"
            target = unquote((link.attributes.get("href") or "").rpartition("#")[2])
            labels |= {} if target in passed else {target: label}
        if mark and node.tag not in _BOXES:
            marks[node.mem_id] = mark
    return PageMarks(marks, notes)


def _mark(node: "LexborNode") -> str:
    if node.tag in MARKED:
        return MARKED[node.tag] if node.tag not in ("rt", "rtc") or _is_in_ruby(node) else ""
    attributes = node.attributes
    if node.tag == "a" and "noteref" in f"{attributes.get('role')} {attributes.get('epub:type')}":
        return "note"
    styles = declarations(attributes.get("style") or "")
    struck = "line-through" in styles.get("text-decoration", "") + styles.get("text-decoration-line", "")
    return _STYLED.get(styles.get("vertical-align", ""), "struck" if struck else "")


def _is_in_ruby(node: "LexborNode") -> bool:
    above = node.parent
    return above is not None and (above.tag == "ruby" or (above.tag == "rtc" and _is_in_ruby(above)))


def _note_link(node: "LexborNode") -> "LexborNode | None":
    """Return the link of a note's mark to a place on a page; None if it has none."""
    links = [node, *filter(None, [node.parent]), *node.css("a")]
    return next((link for link in links if link.tag == "a" and "#" in (link.attributes.get("href") or "")), None)


def label_of(text: str) -> str:
    """Return the label in the mark of a note, "" if it is too long for one.

    >>> label_of(" [12] "), label_of("3)"), label_of("see the table")
    ('12', '3', '')
    """
    found = _LABEL.fullmatch(text.strip())
    return found[1] if found else ""


def marked(text: str, mark: str, behind: str) -> str:
    """Return the text of an element with a mark, as it is written where `behind` ends.

    >>> marked("6", "raised", "10"), marked("2", "lowered", "H"), marked("3)", "note", "so"), marked("40 ", "struck", "")
    ('^6', '₂', '[3]', '~~40~~ ')
    """
    if mark == "raised":
        return superscript(text, behind)
    if mark == "lowered":
        return subscript(text, behind)
    if mark == "struck":
        return struck(text)
    inner = text.strip()
    return text.replace(inner, f"[{label_of(inner) or inner}]", 1) if inner else text


def with_readings(text: str, readings: Mapping[str, str]) -> str:
    """Return the text of a block, and behind it how words in it are read, so that no word is torn.

    >>> with_readings("東京に", {"東京": "とうきょう"})
    '東京に (東京: とうきょう)'
    """
    return f"{text} ({'; '.join(f'{base}: {reading}' for base, reading in readings.items())})" if text and readings else text


def as_note(block: FlowBlock, label: str) -> FlowBlock:
    """Return a block that the mark of a note links to as the note, its label before it as in the text; a heading stays."""
    if block.kind not in ("paragraph", "list_item", "footnote"):
        return block
    written = "|".join(map(re.escape, (label, superscript(label))))
    own = re.match(rf"[\[(]?(?:{written})(?:[\])][.:]?\s*|[.:]?(?:\s+|$))", block.text)
    return FlowBlock("footnote", f"[{label}] {block.text[own.end() :] if own else block.text}".strip())
