"""The arrangements of drawn pages in LaTeX (their classes: see `benchmarks.roundtrip.drawn`). Pure."""

from benchmarks.roundtrip.markup.latex_markup import box, small
from benchmarks.roundtrip.markup.tree import Element, classes
from benchmarks.roundtrip.markup.walk import Markup, Setter
from benchmarks.roundtrip.markup.widths import CARD, room_of

GUTTER = 18


def _columns(markup: Markup, element: Element) -> str:
    shares = (2, 1) if "side-bar" in classes(element) else (1, 1)
    widths = [(markup.width - GUTTER) * share / sum(shares) for share in shares]
    high = r"[t][\dimexpr\pagegoal-\pagetotal-\baselineskip\relax][t]" if "page" in classes(element) else "[t]"
    cells = (box(f"{wide:.1f}bp", markup, markup.within(wide, child), high) for wide, child in zip(widths, element, strict=True))
    return "\n\n\\vspace{4pt}\\noindent " + "\\hfill ".join(cells) + "\\par\\vspace{4pt}\n\n"


def _footnotes(markup: Markup, element: Element) -> str:
    notes = f"{small(markup, 0.8)}{markup.inner(element)}\\par}}"
    return f"\n\n\\vfill{{\\noindent\\rule{{0.3\\linewidth}}{{0.4pt}}\\par\\parskip=2pt\\parindent=0pt{notes}}}"


def _cards(markup: Markup, element: Element) -> str:
    asides = list(element)
    many = max(1, min(len(asides), int(room_of(markup.width, markup.look) / CARD)))
    wide = markup.width / many - 18
    boxes = (box(f"{wide:.1f}bp", markup, markup.within(wide, aside)) for aside in asides)
    cards = [f"\\fcolorbox{{gray}}{{white}}{{{each}}}" for each in boxes]
    rows = ["\\hfill ".join(cards[start : start + many]) for start in range(0, len(cards), many)]
    return "\n\n\\vspace{5pt}" + "\\par\\vspace{5pt}".join(f"\\noindent {row}" for row in rows) + "\\par\\vspace{5pt}\n\n"


def _side_captions(markup: Markup, element: Element) -> str:
    drawing, caption = element.find("figure")
    wide = markup.width * 0.55
    image = f"\\includegraphics[width={wide:.0f}bp]{{{markup.chart(drawing, 'pdf')}}}"
    beside = f"{small(markup, 0.9)}\\raggedright {markup.inner(caption).strip()}\\par}}"
    boxes = (
        box(f"{wide:.0f}bp", markup, image, "[c]") + r"\hfill " + box(f"{markup.width - wide - 12:.0f}bp", markup, beside, "[c]")
    )
    return f"\n\n\\vspace{{4pt}}\\noindent {boxes}\\par\\vspace{{4pt}}\n\n"


def _contents(markup: Markup, element: Element) -> str:
    two = "two" in classes(element) and room_of(markup.width, markup.look) > 3 * CARD
    fill = r"\dotfill " if "dots" in classes(element) else r"\hfill "
    entries = []
    for entry in element:
        indent = 1.4 if "level-2" in classes(entry) else 0
        title = markup.inner(entry, without=entry[-1]).strip()
        entries.append(f"\\noindent\\hspace*{{{indent}em}}{title}~{fill}\\mbox{{{markup.inner(entry[-1])}}}\\par")
    listed = "\\rightskip=0pt\\parskip=2pt " + "\n".join(entries)
    return f"\n\n\\begin{{multicols}}{{2}}{listed}\\end{{multicols}}\n\n" if two else f"\n\n{{{listed}}}\n\n"


def _form(markup: Markup, element: Element) -> str:
    if "boxes" in classes(element):
        wide = markup.width / 2 - 14
        inside = (box(f"{wide:.1f}bp", markup, r"\noindent " + markup.inner(field)) for field in element)
        boxes = [f"\\fbox{{{each}}}" for each in inside]
        pairs = zip(boxes[::2], boxes[1::2], strict=True)
        return "\n\n" + "\\par\\vspace{5pt}".join(f"\\noindent {left}\\hfill {right}" for left, right in pairs) + "\\par\n\n"
    lines = []
    for field in element:
        value = markup.inner(field, without=field[0]).strip()
        left, right = (f"{markup.width * share:.0f}bp" for share in (0.38, 0.6))
        lines.append(
            f"\\noindent\\makebox[{left}][l]{{{markup.one(field[0])}}}\\underline{{\\makebox[{right}][l]{{{value}}}}}\\par"
        )
    return "\n\n\\vspace{3pt}{\\parskip=5pt" + "\n".join(lines) + "}\n\n"


def _sideways(markup: Markup, element: Element) -> str:
    high = markup.look.height() * 0.97
    turned = box(f"{high:.0f}bp", markup, markup.within(high, element))
    return f"\n\n\\clearpage\\noindent\\rotatebox{{90}}{{{turned}}}\\clearpage\n\n"


ARRANGEMENTS: dict[str, Setter] = {
    "columns-2": _columns,
    "footnotes": _footnotes,
    "cards": _cards,
    "side-captions": _side_captions,
    "contents": _contents,
    "form": _form,
    "slide": lambda markup, element: f"\n\n\\clearpage {markup.inner(element)}",
    "sideways": _sideways,
}
