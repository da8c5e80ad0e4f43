"""Normalised HTML in the OpenDocument format. Pure."""

import base64
from html import escape

from benchmarks.roundtrip.markup.look import heading_size
from benchmarks.roundtrip.markup.office_styles import flow, paragraph, paragraph_of
from benchmarks.roundtrip.markup.office_tables import layout, office_table
from benchmarks.roundtrip.markup.tree import Element, classes
from benchmarks.roundtrip.markup.walk import Markup, Setter


def _space(markup: Markup) -> float:
    return 0 if markup.look.indented else markup.look.size * 0.5


def body_style(markup: Markup) -> str:
    """Return the style of running text."""
    indent = 1.4 * markup.look.size if markup.look.indented else 0
    return paragraph(markup, below=_space(markup), first=indent)


def _paragraph(markup: Markup, element: Element) -> str:
    own = classes(element)
    style = body_style(markup)
    if "note" in own:
        style = paragraph(markup, scale=0.85, below=_space(markup))
    elif "drop-cap" in own:
        style = paragraph(
            markup, below=_space(markup), parts='<style:drop-cap style:lines="3" style:length="1" style:distance="3pt"/>'
        )
    return paragraph_of(markup.inner(element), style)


def _heading(markup: Markup, element: Element) -> str:
    look = markup.look
    size = heading_size(element, look)
    middle = look.centred or "centred" in classes(element)
    colour = "" if look.heading_colour == "#000000" else look.heading_colour
    style = paragraph(
        markup,
        scale=size,
        bold=int(look.bold),
        keep=1,
        above=look.size * size * 0.9,
        below=look.size * 0.4,
        align="center" if middle else "start",
        family=look.heading_family,
        colour=colour,
        band=look.band,
    )
    return f'<text:h text:style-name="{style}" text:outline-level="{element.tag[1]}">{markup.inner(element).strip()}</text:h>'


def _list(markup: Markup, element: Element) -> str:
    style = paragraph(markup)
    items = "".join(f"<text:list-item>{flow(markup, child, style)}</text:list-item>" for child in element if child.tag == "li")
    return f'<text:list text:style-name="{element.tag}">{items}</text:list>{_gap(markup)}' if items else ""


def _gap(markup: Markup) -> str:
    """Return a little space, where paragraphs have no space between them to end a list with."""
    return f'<text:p text:style-name="{paragraph(markup, scale=0.3)}"/>'


def _definitions(markup: Markup, element: Element) -> str:
    term = paragraph(markup, keep=1, above=2)
    meaning = paragraph(markup, left=markup.look.size * 1.8, below=_space(markup))
    return "".join(flow(markup, child, term if child.tag == "dt" else meaning) for child in element if child.tag in ("dt", "dd"))


def _pre(markup: Markup, element: Element) -> str:
    lines = "".join(element.itertext()).strip("\n").split("\n")
    spaced = "<text:line-break/>".join(escape(line).replace(" ", '<text:s text:c="1"/>') for line in lines)
    return paragraph_of(
        f'<text:span text:style-name="code">{spaced}</text:span>', paragraph(markup, below=_space(markup), align="start")
    )


def picture(markup: Markup, element: Element, width: float) -> str:
    """Return a drawing as a picture of so many points' width, at 150 dpi."""
    import pymupdf
    from lxml import etree

    with pymupdf.open(stream=etree.tostring(element, with_tail=False), filetype="svg") as drawing:
        page = drawing[0]
        zoom = width / page.rect.width * 150 / 72
        pixels = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), alpha=False)
    high = width * pixels.height / pixels.width
    data = f"<office:binary-data>{base64.b64encode(pixels.tobytes('png')).decode()}</office:binary-data>"
    size = f'text:anchor-type="as-char" svg:width="{width:.1f}pt" svg:height="{high:.1f}pt"'
    frame = f"<draw:frame {size}><draw:image>{data}</draw:image></draw:frame>"
    return paragraph_of(frame, paragraph(markup, above=3, keep=1, align="start", more='style:line-height-at-least="1pt"'))


def _figure(markup: Markup, element: Element) -> str:
    last = len(element) - 1
    return "".join(
        _caption(markup, child, at < last) if child.tag == "figcaption" else markup.one(child) for at, child in enumerate(element)
    )


def _caption(markup: Markup, element: Element, keep: bool = True) -> str:
    return flow(markup, element, paragraph(markup, scale=0.9, below=markup.look.size * 0.4, keep=int(keep), align="start"))


def _table(markup: Markup, element: Element) -> str:
    caption = element.find("caption")
    return (_caption(markup, caption) if caption is not None else "") + office_table(markup, element)


def _aside(markup: Markup, element: Element) -> str:
    before, markup.width = markup.width, markup.width - 10
    inner = flow(markup, element, body_style(markup))
    markup.width = before
    return layout(markup, [markup.width], [inner], 'fo:border="0.5pt solid #555555" fo:background-color="#f2f2ec"')


def _quote(markup: Markup, element: Element) -> str:
    return flow(markup, element, paragraph(markup, left=markup.look.size * 1.8, below=_space(markup)))


def _span(markup: Markup, element: Element) -> str:
    return f'<text:span text:style-name="{element.tag}">{markup.inner(element)}</text:span>'


def _block(markup: Markup, element: Element) -> str:
    return flow(markup, element, body_style(markup))


SETTERS: dict[str, Setter] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4"), _heading),
    **dict.fromkeys(("b", "i", "sup", "sub", "code"), _span),
    **dict.fromkeys(("section", "div", "body"), _block),
    **{"p": _paragraph, "ul": _list, "ol": _list, "dl": _definitions, "pre": _pre, "figure": _figure, "table": _table},
    **{"figcaption": _caption, "caption": _caption, "aside": _aside, "blockquote": _quote},
    "svg": lambda markup, element: picture(markup, element, min(markup.width * 0.8, 300)),
    "br": lambda _, __: "<text:line-break/>",
}
