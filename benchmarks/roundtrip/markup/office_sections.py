"""The arrangements of drawn pages in the OpenDocument format (their classes: see `benchmarks.roundtrip.drawn`). Pure."""

from benchmarks.roundtrip.markup.office_markup import body_style, picture
from benchmarks.roundtrip.markup.office_styles import flow, keep_style, paragraph
from benchmarks.roundtrip.markup.office_tables import frame_table, layout
from benchmarks.roundtrip.markup.tree import Element, classes
from benchmarks.roundtrip.markup.walk import Markup, Setter
from benchmarks.roundtrip.markup.widths import CARD, room_of

GUTTER = 18


def _inside(markup: Markup, width: float, element: Element) -> str:
    before, markup.width = markup.width, width
    inner = flow(markup, element, body_style(markup))
    markup.width = before
    return inner


def _columns(markup: Markup, element: Element) -> str:
    """Set the children in cells without borders; where they fill the page, their footnotes are cells below them."""
    shares = (2, 1) if "side-bar" in classes(element) else (1, 1)
    left, right = ((markup.width - GUTTER) * share / sum(shares) for share in shares)
    if "page" not in classes(element):
        cells = [_inside(markup, wide, child) for wide, child in zip((left, right), element, strict=True)]
        return layout(markup, [left, right], cells, gap=GUTTER)
    bare = keep_style(markup, "table-cell", '<style:table-cell-properties fo:border="none" fo:padding-right="12pt"/>')
    texts, notes = "", ""
    for wide, child in zip((left, right), element, strict=True):
        foot = child.find("section")
        child.remove(foot)
        texts += f'<table:table-cell table:style-name="{bare}">{_inside(markup, wide, child)}</table:table-cell>'
        notes += f'<table:table-cell table:style-name="{bare}">{_footnotes(markup, foot)}</table:table-cell>'
    high = keep_style(
        markup, "table-row", f'<style:table-row-properties style:min-row-height="{markup.look.height() * 0.6:.0f}pt"/>'
    )
    rows = f'<table:table-row table:style-name="{high}">{texts}</table:table-row><table:table-row>{notes}</table:table-row>'
    return frame_table(markup, [left + GUTTER / 2, right + GUTTER / 2], rows)


def _footnotes(markup: Markup, element: Element) -> str:
    line = paragraph(markup, scale=0.5, below=2)
    return f'<text:p text:style-name="{line}">______________________</text:p>' + flow(
        markup, element, paragraph(markup, scale=0.8, below=2)
    )


def _cards(markup: Markup, element: Element) -> str:
    asides = list(element)
    many = max(1, min(len(asides), int(room_of(markup.width, markup.look) / CARD)))
    wide = (markup.width - 10 * (many - 1)) / many
    rows = (asides[start : start + many] for start in range(0, len(asides), many))
    border = 'fo:border="0.5pt solid #888888"'
    return "".join(
        layout(markup, [wide] * len(row), [_inside(markup, wide - 8, aside) for aside in row], border, 10) for row in rows
    )


def _side_captions(markup: Markup, element: Element) -> str:
    drawing, caption = element.find("figure")
    wide = markup.width * 0.55
    text = flow(markup, caption, paragraph(markup, scale=0.9, align="start"))
    return layout(markup, [wide, markup.width - wide - 12], [picture(markup, drawing, wide), text], gap=12)


def _contents(markup: Markup, element: Element) -> str:
    two = "two" in classes(element) and room_of(markup.width, markup.look) > 3 * CARD
    wide = (markup.width - GUTTER) / 2 if two else markup.width
    dots = 'style:leader-style="dotted" style:leader-text="."' if "dots" in classes(element) else ""
    entries = ""
    for entry in element:
        left = 1.4 * markup.look.size if "level-2" in classes(entry) else 0
        stop = (
            f'<style:tab-stops><style:tab-stop style:position="{wide - left:.1f}pt" style:type="right" {dots}/></style:tab-stops>'
        )
        style = paragraph(markup, left=left, below=2, align="start", parts=stop)
        title = markup.inner(entry, without=entry[-1]).strip()
        entries += f'<text:p text:style-name="{style}">{title}<text:tab/>{markup.inner(entry[-1])}</text:p>'
    if not two:
        return entries
    columns = f'<style:columns fo:column-count="2" fo:column-gap="{GUTTER}pt"/>'
    section = keep_style(markup, "section", f"<style:section-properties>{columns}</style:section-properties>")
    return f'<text:section text:style-name="{section}" text:name="contents">{entries}</text:section>'


def _form(markup: Markup, element: Element) -> str:
    if "boxes" in classes(element):
        wide = (markup.width - 8) / 2
        cells = [flow(markup, field, paragraph(markup, align="start")) for field in element]
        pairs = zip(cells[::2], cells[1::2], strict=True)
        return "".join(layout(markup, [wide, wide], pair, 'fo:border="0.7pt solid #000000"', 8) for pair in pairs)
    stop = f'<style:tab-stops><style:tab-stop style:position="{markup.width * 0.38:.0f}pt"/></style:tab-stops>'
    style = paragraph(markup, below=4, align="start", parts=stop, more='fo:border-bottom="0.4pt solid #777777"')
    fields = ((markup.one(field[0]), markup.inner(field, without=field[0]).strip()) for field in element)
    return "".join(f'<text:p text:style-name="{style}">{label}<text:tab/>{value}</text:p>' for label, value in fields)


def _slide(markup: Markup, element: Element) -> str:
    style = paragraph(markup, scale=0.1, keep=1, more='fo:break-before="page"')
    first = element.getprevious() is None
    return ("" if first else f'<text:p text:style-name="{style}"/>') + flow(markup, element, body_style(markup))


def _sideways(markup: Markup, element: Element) -> str:
    """Set a table on a page of landscape format, and go on upright."""
    start, end = (paragraph(markup, scale=0.1, master=master) for master in ("Landscape", "Standard"))
    inner = _inside(markup, markup.look.page[1] - 2 * markup.look.margin, element)
    return f'<text:p text:style-name="{start}"/>{inner}<text:p text:style-name="{end}"/>'


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
