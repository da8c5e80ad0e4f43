"""The arrangements of drawn pages in Typst's language (their classes: see `benchmarks.roundtrip.drawn`). Pure."""

from benchmarks.roundtrip.markup.tree import Element, classes
from benchmarks.roundtrip.markup.walk import Markup, Setter
from benchmarks.roundtrip.markup.widths import CARD, room_of

GUTTER = 18


def _columns(markup: Markup, element: Element) -> str:
    """Set the children beside each other, on one page: over two pages they would be read in another order than the truth's."""
    shares = (2, 1) if "side-bar" in classes(element) else (1, 1)
    room = markup.width - GUTTER
    cells = [markup.within(room * share / sum(shares), child).strip() for child, share in zip(element, shares, strict=True)]
    rows = "rows: (100%,), " if "page" in classes(element) else ""
    widths = ", ".join(f"{share}fr" for share in shares)
    pair = f"grid(columns: ({widths}), {rows}gutter: {GUTTER}pt, {', '.join(f'[{cell}]' for cell in cells)})"
    return f"\n\n#block(height: 1fr, {pair})\n\n" if rows else f"\n\n#block(breakable: false, {pair})\n\n"


def _footnotes(markup: Markup, element: Element) -> str:
    small = "#set text(size: 0.8em)\n#set par(first-line-indent: 0pt)\n#line(length: 30%, stroke: 0.5pt)\n#v(0.4em)\n"
    return f"#v(1fr)\n#block[{small}{markup.inner(element)}]"


def _cards(markup: Markup, element: Element) -> str:
    asides = list(element)
    many = max(1, min(len(asides), int(room_of(markup.width, markup.look) / CARD)))
    inside = markup.width / many - 26
    cells = ", ".join(f"[{markup.within(inside, aside).strip()}]" for aside in asides)
    grid = f"grid(columns: (1fr,) * {many}, gutter: 10pt, inset: 8pt, stroke: 0.5pt + gray, {cells})"
    return f"\n\n#block(breakable: false, {grid})\n\n"


def _side_captions(markup: Markup, element: Element) -> str:
    figure = element.find("figure")
    drawing, caption = figure[0], figure[1]
    wide = markup.width * 0.55
    before, markup.width = markup.width, wide / 0.8
    image = markup.one(drawing)
    markup.width = before
    beside = f"[{image}], [#text(size: 0.9em)[{markup.inner(caption).strip()}]]"
    return f"\n\n#block(breakable: false, grid(columns: ({wide:.0f}pt, 1fr), gutter: 12pt, {beside}))\n\n"


def _contents(markup: Markup, element: Element) -> str:
    dots = "repeat[.]" if "dots" in classes(element) else "[]"
    entries = []
    for entry in element:
        number = entry[-1]
        indent = 1.4 if "level-2" in classes(entry) else 0
        title = f"{markup.inner(entry, without=number).strip()} #box(width: 1fr, {dots}) {markup.inner(number)}"
        entries.append(f"#block(spacing: 0.7em, inset: (left: {indent}em))[{title}]")
    inner = "\n".join(entries)
    two = "two" in classes(element) and room_of(markup.width, markup.look) > 3 * CARD
    return f"\n\n#balanced[{inner}]\n\n" if two else f"\n\n{inner}\n\n"


def _form(markup: Markup, element: Element) -> str:
    if "boxes" in classes(element):
        cells = ", ".join(f"[#set text(size: 0.9em); {markup.inner(field).strip()}]" for field in element)
        return f"\n\n#block(breakable: false, grid(columns: (1fr, 1fr), gutter: 6pt, stroke: 0.6pt, inset: 5pt, {cells}))\n\n"
    rows = []
    for field in element:
        value = markup.inner(field, without=field[0]).strip()
        rows.append(f"[{markup.one(field[0])}], [#box(width: 100%, stroke: (bottom: 0.4pt), outset: (bottom: 2pt))[{value}]]")
    return f"\n\n#block(breakable: true, grid(columns: (38%, 1fr), row-gutter: 0.9em, {', '.join(rows)}))\n\n"


def _slide(markup: Markup, element: Element) -> str:
    return f"\n\n#pagebreak(weak: true)\n{markup.inner(element)}"


def _sideways(markup: Markup, element: Element) -> str:
    turned = markup.within(markup.look.height(), element)
    block = f"block(width: {markup.look.height() * 0.98:.0f}pt)[{turned}]"
    return f"\n\n#pagebreak(weak: true)\n#rotate(-90deg, reflow: true, {block})\n#pagebreak(weak: true)\n\n"


ARRANGEMENTS: dict[str, Setter] = {
    "columns-2": _columns,
    "footnotes": _footnotes,
    "cards": _cards,
    "side-captions": _side_captions,
    "contents": _contents,
    "form": _form,
    "slide": _slide,
    "sideways": _sideways,
}
