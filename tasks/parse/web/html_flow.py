"""HTML flow: the tree of a page as blocks: headings, paragraphs, list items, tables, listings, figures and furniture."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tasks.parse.elements.flow_document import MAX_NESTED_TABLES, FlowBlock, one_line
from tasks.parse.layout.prose import clean
from tasks.parse.web.events import Event, Events
from tasks.parse.web.inline import (
    InlineFormula,
    InlineItem,
    InlineReading,
    InlineText,
    blocks_of,
    field_value,
    inline_picture,
    inline_text,
    is_mark,
    with_lines,
)
from tasks.parse.web.lists import HtmlList, list_of
from tasks.parse.web.marks import as_note, marked
from tasks.parse.web.mathml import mathml_text
from tasks.parse.web.page import HtmlPage, prepare
from tasks.parse.web.sheets import FindSheet
from tasks.parse.web.tables import has_columns, is_data_table, table_blocks

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

HEADINGS = {f"h{n}": n for n in range(1, 7)}
BLOCKS = frozenset(
    "address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption figure"
    " footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre search"
    " section shadow-root summary table tbody td tfoot th thead tr ul xmp listing plaintext".split()
)
LISTS = ("ul", "ol", "menu", "dir", "dl")
LISTINGS = ("pre", "xmp", "listing", "plaintext")
CODE = ("code", "samp", "tt")
FIELDS = frozenset(("input", "select", "textarea", "label", "output"))


def is_code_of_lines(node: "LexborNode") -> bool:
    """Return whether an element for code within text is all that its parent holds, and has several lines."""
    parent = node.parent
    return node.css_first("br") is not None and parent is not None and parent.text().strip() == node.text().strip()


@dataclass
class BlockContext:
    """The kind of the text inside an element, the `owner`. Marker and kind of a list item apply only to its first text."""

    owner: int
    kind: str
    level: int | None = None
    marker: str = ""
    around: str = ""


class HtmlFlow:
    """Reads the tree below one element."""

    def __init__(self, page: HtmlPage, depth: int = 0) -> None:
        """`page` is what is known of the whole page, `depth` the number of tables around the element."""
        self.blocks: list[FlowBlock] = []
        self._page = page
        self._edges, self._keeps = page.styled
        self._depth = depth
        self._pieces: list[InlineItem] = []
        self._marked: list[tuple[int, str, int]] = []
        self._readings: list[str] = []
        self._keeping: list[tuple[int, bool]] = []
        self._note = ""
        self._contexts = [BlockContext(0, "paragraph")]
        self._lists: list[HtmlList] = []
        self._listing: list[str] | None = None
        self._listing_owner = 0

    def read(self, node: "LexborNode") -> list[FlowBlock]:
        """Return the blocks inside `node`, in order."""
        events = Events(node, with_root=False)
        for event in events:
            if event.kind == "text":
                self._text(event.node.text_content or "")
            elif event.kind == "close":
                self._close(event)
            elif self._open(event):
                events.skip()
        self._flush()
        return self.blocks

    def _text(self, text: str) -> None:
        if self._listing is not None:
            self._listing.append(text)
        elif self._pieces or not text.isspace():
            keeps_lines = self._keeping and self._keeping[-1][1]
            self._pieces.append(with_lines(text) if keeps_lines else inline_text(text))

    def _open(self, event: Event) -> bool:
        """Handle the start of an element. Return whether its content is already read."""
        tag, node = event.tag, event.node
        owner = node.mem_id
        is_listing = tag in LISTINGS or (tag in CODE and is_code_of_lines(node))
        is_block = tag in BLOCKS or owner in self._page.tables or is_listing
        if mark := self._page.marks.get(owner):
            self._marked.append((owner, mark, len(self._pieces if self._listing is None else self._listing)))
        if self._listing is not None:
            self._break_listing(tag)
            return False
        if self._keeps and owner in self._keeps:
            self._keeping.append((owner, self._keeps[owner]))
        if is_block:
            self._flush()
        if self._page.notes and not self._pieces:
            self._note = self._page.notes.get(owner, self._note)
        if is_listing:
            self._listing, self._listing_owner = [], owner
        if is_block:
            return self._open_block(tag, node)
        if self._edges:
            self._part(owner)
        return self._inline(tag, node)

    def _part(self, owner: int) -> None:
        """Part the words before and behind an edge of an element that is no block by its tag, if its style does."""
        if edge := self._edges.get(owner):
            self._pieces.append(InlineText(edge, hard=edge == "\n"))

    def _inline(self, tag: str, node: "LexborNode") -> bool:
        if tag in ("img", "svg"):
            self._pieces.append(inline_picture(node))
        elif tag == "math":
            self._pieces.append(InlineFormula(mathml_text(node)))
        elif tag == "br":
            self._pieces.append(InlineText("\n", hard=True))
        elif tag == "q":
            self._pieces.append(InlineText("\u201c"))
        elif tag == "a":
            return is_mark(node)
        elif tag in FIELDS:
            self._pieces.append(inline_text(f" {field_value(node)} " if tag in ("input", "select") else " "))
        return tag in ("svg", "math", "select")

    def _open_block(self, tag: str, node: "LexborNode") -> bool:
        if tag == "table" and self._depth < MAX_NESTED_TABLES and is_data_table(node):
            self._table(node)
            return True
        if self._page.tables and node.mem_id in self._page.tables and has_columns(node):
            self._table(node)
            return True
        attributes = node.attributes
        if tag in LISTS:
            self._lists.append(list_of(node))
        if context := self._context(tag, node.mem_id, attributes):
            self._contexts.append(context)
        return False

    def _context(self, tag: str, owner: int, attributes: dict[str, Any]) -> BlockContext | None:
        role = attributes.get("role") or ""
        top = self._contexts[-1]
        if tag in HEADINGS or (role == "heading" and tag != "table"):
            told = attributes.get("aria-level") or ""
            level = int(told) if role == "heading" and told.isdecimal() and told != "0" else HEADINGS.get(tag, 2)
            return BlockContext(owner, "heading", level, around=top.around)
        if tag in ("li", "dt"):
            inner = self._lists[-1] if self._lists else HtmlList()
            return BlockContext(owner, "list_item", max(1, len(self._lists)), inner.marker(attributes), top.around)
        if tag in ("figcaption", "caption", "dd"):
            return BlockContext(owner, "paragraph" if tag == "dd" else "caption", around=top.around)
        if role in ("doc-footnote", "doc-endnote"):
            return BlockContext(owner, "footnote", around=top.around)
        if furniture := self._page.furniture.get(owner):
            return BlockContext(owner, "paragraph", around=top.around or furniture)
        return None

    def _close(self, event: Event) -> None:
        tag = event.tag
        if self._marked and self._marked[-1][0] == event.node.mem_id:
            self._mark(*self._marked.pop()[1:])
        if self._listing is not None and (tag in LISTINGS or event.node.mem_id == self._listing_owner):
            self._end_listing(tag)
        elif self._listing is not None:
            if tag != "br":
                self._break_listing(tag)
            return
        if tag == "q":
            self._pieces.append(InlineText("\u201d"))
        owner = event.node.mem_id
        if tag in BLOCKS:
            self._flush()
        elif tag in FIELDS:
            self._pieces.append(InlineText(" "))
        if self._edges and tag not in BLOCKS:
            self._part(owner)
        if self._keeping and self._keeping[-1][0] == owner:
            self._keeping.pop()
        self._leave(tag, owner)

    def _leave(self, tag: str, owner: int) -> None:
        if self._contexts[-1].owner == owner:
            self._contexts.pop()
        if tag in LISTS and self._lists:
            self._lists.pop()

    def _mark(self, mark: str, start: int) -> None:
        """Mark the text since `start`, where the element began that has just ended."""
        if self._listing is not None:
            self._listing[start:] = [marked("".join(self._listing[start:]), mark, "".join(self._listing[start - 1 : start]))]
            return
        inside = [item for item in self._pieces[start:] if isinstance(item, InlineText) and not item.hard]
        text = "".join(item.text for item in inside)
        if len(inside) < len(self._pieces) - start:
            return
        if mark == "ruby":
            self._pieces += [InlineReading("".join(self._readings), text.strip())] if "".join(self._readings) else []
            self._readings = []
            return
        self._readings += [text.strip()] if mark == "reading" else []
        self._pieces[start:] = (
            [] if mark == "reading" else [InlineText(marked(text, mark, self._pieces[start - 1].text if start else ""))]
        )

    def _break_listing(self, tag: str) -> None:
        """Begin a line of code where a block or a line break stands."""
        if self._listing is not None and (tag == "br" or (tag in BLOCKS and "".join(self._listing[-1:])[-1:] not in ("", "\n"))):
            self._listing.append("\n")

    def _end_listing(self, tag: str) -> None:
        """Keep a listing. What is no `pre` can be indented by no-break spaces only."""
        text = clean("".join(self._listing or ())).strip("\n").rstrip()
        text = text.replace("\xa0", " ") if tag in CODE else text
        self._listing = None
        if text.strip():
            self._add(FlowBlock("code", text))

    def _table(self, node: "LexborNode") -> None:
        for block in table_blocks(node, lambda cell: HtmlFlow(self._page, self._depth + 1).read(cell)):
            self._add(block)

    def _flush(self) -> None:
        """End the run of text before a block starts or ends. What is struck around it stays so."""
        if not self._pieces and not self._readings:
            return
        struck = [(owner, mark, start) for owner, mark, start in self._marked if mark == "struck"]
        for _, mark, start in reversed(struck):
            self._mark(mark, start)
        pieces = [*self._pieces, *map(InlineText, self._readings)]
        self._pieces, self._readings = [], []
        self._marked = [(owner, mark, 0) for owner, mark, _ in struck]
        context = self._contexts[-1]
        found = list(blocks_of(pieces, context.kind, context.level, "" if self._note else context.marker))
        if found and self._note and found[0].text:
            found[0] = as_note(found[0], self._note)
            self._note = ""
        for block in found:
            self._add(block)
        if found and context.kind == "list_item":
            context.kind, context.level, context.marker = "paragraph", None, ""

    def _add(self, block: FlowBlock) -> None:
        """Keep a block. Outside the content of the page it is furniture, except the first headings in the page's header."""
        around = self._contexts[-1].around
        if around and not (around == "header" and block.kind == "heading"):
            text = block.text or " ".join(cell.text for cell in block.cells)
            block = FlowBlock("furniture", one_line(text)) if text else FlowBlock("furniture")
        self.blocks.append(block)


def flow_of(page: "LexborHTMLParser", find_sheet: FindSheet = lambda _: None) -> list[FlowBlock]:
    """Return the blocks of a parsed page, in order; at their end what it conceals."""
    if page.body is None:
        return []
    known = prepare(page, find_sheet)
    return [*HtmlFlow(known).read(page.body), *(FlowBlock("hidden", text) for text in known.concealed)]
