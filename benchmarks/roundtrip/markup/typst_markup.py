"""Normalised HTML in Typst's language. Pure."""

import re

from benchmarks.roundtrip.markup.look import SCRIPTS, Look, furniture, heading_size
from benchmarks.roundtrip.markup.tree import Element, classes, words_of
from benchmarks.roundtrip.markup.typst_tables import typst_table
from benchmarks.roundtrip.markup.walk import Markup, Setter
from benchmarks.roundtrip.source import Source

PREAMBLE = """
#let dropcap(letter, words) = layout(size => {
  set par(first-line-indent: 0pt)
  let cap = text(size: 3.4em, top-edge: "cap-height", bottom-edge: "baseline", letter)
  let wide = measure(cap).width + 0.25em.to-absolute()
  let high = measure(cap).height + 0.5em.to-absolute()
  let count = words.len()
  while count > 1 and measure(block(width: size.width - wide, words.slice(0, count).join(" "))).height > high { count -= 1 }
  grid(columns: (wide, 1fr), cap, words.slice(0, count).join(" "))
  v(-0.55em)
  words.slice(count).join(" ")
})
#let balanced(body) = layout(size => {
  let high = measure(block(width: (size.width - 24pt) / 2, body)).height
  block(height: high / 2 + 3em, columns(2, gutter: 24pt, body))
})
#let heading-block(size, strong, band, centred, family, colour, body) = block(
  sticky: true, width: 100%, above: 1.2em * calc.max(size, 1), below: 0.8em,
  fill: if band != none { rgb(band) }, inset: if band != none { (x: 4pt, y: 4pt) } else { 0pt },
  { set par(justify: false, first-line-indent: 0pt)
    set text(size: size * 1em, weight: if strong { "bold" } else { "regular" }, fill: rgb(colour))
    set text(font: (family, "Noto Sans CJK SC", "Noto Naskh Arabic", "Noto Sans"))
    set align(if centred { center } else { start }); body },
)
"""
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def document(markup: Markup, source: Source) -> str:
    """Return a whole document in Typst's language."""
    look = markup.look
    fonts = ", ".join(f'"{font}"' for font in (look.family, *SCRIPTS))
    page = f"width: {look.page[0]}pt, height: {look.page[1]}pt, margin: {look.margin}pt, columns: {markup.columns}"
    leading, apart = look.leading - 0.72, 0 if look.indented else 0.5
    indent = "(amount: 1.4em, all: false)" if look.indented else "0pt"
    language, _, region = source.language.partition("-")
    return (
        f"#set page({page}{_furniture(look, source)})\n#set columns(gutter: {look.gap}pt)\n"
        f'#set text(font: ({fonts}), size: {look.size}pt, lang: "{language}", hyphenate: {_flag(look.hyphens)})\n'
        + (f'#set text(region: "{region}")\n' if len(region) == 2 else "")
        + f"#set par(justify: {_flag(look.justified)}, first-line-indent: {indent})\n"
        f"#set par(leading: {leading:.2f}em, spacing: {leading + apart:.2f}em)\n"
        f"#set list(marker: [{escape(look.bullet)}])\n{PREAMBLE}{markup.inner(markup.root)}"
    )


def _furniture(look: Look, source: Source) -> str:
    left, right = (escape(text) for text in furniture(source))
    small = f"set text(size: {look.header_size * look.size:.2f}pt)"
    middle = "#counter(page).display()" if look.header == "top" else ""
    top = f", header: context {{ {small}; [{left} #h(1fr) {middle} #h(1fr) {right}] }}"
    bottom = f", footer: context {{ {small}; align(center)[Page #counter(page).display()] }}"
    return (top if look.header in ("top", "both") else "") + (bottom if look.header in ("bottom", "both") else "")


def _flag(value: bool) -> str:
    return "true" if value else "false"


def escape(text: str) -> str:
    """Return text that means itself."""
    return _PUNCTUATION.sub(r"\\\1", text)


def _wrap(name: str) -> Setter:
    return lambda markup, element: f"#{name}[{markup.inner(element)}]"


def _heading(markup: Markup, element: Element) -> str:
    look = markup.look
    band = f'"{look.band}"' if look.band else "none"
    centred = _flag(look.centred or "centred" in classes(element))
    face = f'"{look.heading_family}", "{look.heading_colour}"'
    facts = f"{heading_size(element, look):.3f}, {_flag(look.bold)}, {band}, {centred}, {face}"
    return f"\n\n#heading-block({facts})[{markup.inner(element).strip()}]\n\n"


def _paragraph(markup: Markup, element: Element) -> str:
    text = markup.inner(element).strip()
    if "note" in classes(element):
        return f"\n\n#text(size: 0.85em)[{text}]\n\n"
    if "drop-cap" in classes(element):
        said = words_of(element).replace("\\", "\\\\").replace('"', '\\"')
        words = ", ".join(f'"{word}"' for word in said[1:].split(" "))
        return f'\n\n#dropcap("{said[0]}", ({words},))\n\n'
    return f"\n\n{text}\n\n"


def _list(markup: Markup, element: Element) -> str:
    name = "list" if element.tag == "ul" else "enum"
    items = "".join(f"[{markup.inner(child).strip()}]," for child in element if child.tag == "li")
    return f"\n\n#{name}(tight: true, spacing: 0.7em, {items})\n\n" if items else ""


def _definitions(markup: Markup, element: Element) -> str:
    text = ""
    for child in element:
        if child.tag == "dt":
            text += f"\n\n#block(sticky: true, below: 0.5em)[{markup.inner(child).strip()}]\n\n"
        elif child.tag == "dd":
            text += f"\n\n#pad(left: 1.8em, block(above: 0.5em)[{markup.inner(child).strip()}])\n\n"
    return text


def _pre(markup: Markup, element: Element) -> str:
    lines = "\\\n".join(escape(line).replace(" ", "~") for line in "".join(element.itertext()).strip("\n").split("\n"))
    return f'\n\n#block[#set par(justify: false); #text(font: "DejaVu Sans Mono", size: 0.8em, hyphenate: false)[{lines}]]\n\n'


def _svg(markup: Markup, element: Element) -> str:
    return f'#image("{markup.chart(element, "svg")}", width: {min(markup.width * 0.8, 300):.0f}pt)'


def _figure(markup: Markup, element: Element) -> str:
    parts = [markup.one(child).strip() for child in element]
    last = len(parts) - 1
    kept = (f"#block(sticky: {str(at < last).lower()}, breakable: true)[{part}]" for at, part in enumerate(parts))
    return "\n\n" + "\n".join(kept) + "\n\n"


def _caption(markup: Markup, element: Element) -> str:
    return f"\n\n#block(sticky: true)[#text(size: 0.9em)[{markup.inner(element).strip()}]]\n\n"


def _table(markup: Markup, element: Element) -> str:
    caption = element.find("caption")
    above = _caption(markup, caption) if caption is not None else ""
    return above + typst_table(element, markup.look, markup.width, markup.inner)


def _aside(markup: Markup, element: Element) -> str:
    inner = markup.within(markup.width - 16, element)
    return f'\n\n#block(width: 100%, fill: rgb("#f2f2ec"), stroke: 0.5pt, inset: 8pt)[{inner}]\n\n'


def _quote(markup: Markup, element: Element) -> str:
    return f"\n\n#pad(x: 1.8em)[{markup.inner(element)}]\n\n"


SETTERS: dict[str, Setter] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4"), _heading),
    **{
        "p": _paragraph,
        "ul": _list,
        "ol": _list,
        "dl": _definitions,
        "pre": _pre,
        "svg": _svg,
        "figure": _figure,
        "table": _table,
    },
    **{"figcaption": _caption, "caption": _caption, "aside": _aside, "blockquote": _quote},
    **{"b": _wrap("strong"), "i": _wrap("emph"), "sup": _wrap("super"), "sub": _wrap("sub")},
    "code": _wrap('text(font: "DejaVu Sans Mono", size: 0.85em)'),
    "br": lambda _, __: "#linebreak()",
}
