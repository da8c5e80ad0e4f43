"""Normalised HTML in LaTeX's language. Pure."""

import re

from benchmarks.roundtrip.markup.latex_tables import latex_table
from benchmarks.roundtrip.markup.look import Look, furniture, heading_size
from benchmarks.roundtrip.markup.tree import Element, classes, words_of
from benchmarks.roundtrip.markup.walk import Markup, Setter
from benchmarks.roundtrip.source import Source

PACKAGES = r"""
\usepackage{fontspec,xcolor,colortbl,geometry,fancyhdr,booktabs,longtable,multirow,array,enumitem,graphicx,lettrine,multicol}
\renewcommand{\LettrineTextFont}{}\LTpre=0pt\LTpost=0pt\LTleft=0pt
\setlist[enumerate]{label=\arabic*.}\setlist{nosep,topsep=3pt}\setlist[description]{style=unboxed,leftmargin=1.8em}
\newcommand{\ragged}{\rightskip=0pt plus 1fil}
\newcommand{\sized}[2]{\fontsize{#1bp}{#2bp}\selectfont}
"""
SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "'": "\\textquotesingle{}",
    "`": "\\textasciigrave{}",
    '"': "\\textquotedbl{}",
    **{character: f"\\{character}" for character in "{}$&#_%"},
    **{"-": "-{}", "<": "{<}", ">": "{>}", "[": "{[}", "]": "{]}", "\u00a0": "~"},
}
LATIN_MODERN = "[lmroman10-regular.otf]", "[lmroman10-bold.otf]", "[lmroman10-italic.otf]"
HAN = "Noto Serif CJK SC"


def escape(text: str) -> str:
    """Return text that means itself: without ligatures of hyphens and quotation marks."""
    return re.sub(r"[\\~^'`\"{}$&#_%\-<>\[\]\u00a0]", lambda found: SPECIAL[found[0]], text)


def document(markup: Markup, source: Source) -> str:
    """Return a whole document in LaTeX's language."""
    look = markup.look
    columns = "twocolumn" if markup.columns == 2 else "onecolumn"
    page = f"paperwidth={look.page[0]}bp,paperheight={look.page[1]}bp,margin={look.margin}bp"
    still = "" if look.hyphens else r"\hyphenpenalty=10000\exhyphenpenalty=10000"
    ragged = "" if look.justified else r"\ragged"
    body = markup.inner(markup.root)
    many = f"\\begin{{multicols}}{{{markup.columns}}}{body}\\end{{multicols}}" if markup.columns > 2 else body
    return (
        f'\\documentclass[10pt,{columns}]{{article}}{PACKAGES}\\XeTeXlinebreaklocale "{source.language}"\n'
        f"\\geometry{{{page},headsep=8pt,headheight=12pt,footskip=20pt}}\\columnsep={look.gap}bp\n"
        f"{_fonts(look, source)}\\renewcommand{{\\normalsize}}{{{set_size(look.size, look.leading)}}}\n{_furniture(look, source)}"
        f"\\begin{{document}}\\normalsize\\raggedbottom{still}\\emergencystretch=3em\\tolerance=9000 {paragraphs(look)}{ragged}\n"
        f"{many}\n\\end{{document}}\n"
    )


def set_size(size: float, leading: float = 1.2) -> str:
    """Return the switch to a size of type, in points."""
    return f"\\sized{{{size:.2f}}}{{{size * leading:.2f}}}"


def paragraphs(look: Look) -> str:
    """Return how paragraphs are parted: by an indent or by space."""
    return r"\parindent=1.4em\parskip=0pt " if look.indented else f"\\parindent=0pt\\parskip={look.size * 0.5:.1f}pt "


def _fonts(look: Look, source: Source) -> str:
    """Return the fonts: where a style has the common serif, LaTeX's own, if it has the letters."""
    if source.language.startswith("zh"):
        return f"\\setmainfont{{{HAN}}}\\setmonofont{{Noto Sans Mono CJK SC}}\\newfontfamily\\headface{{{HAN}}}\n"
    mono = r"\setmonofont{DejaVu Sans Mono}"
    head = "\\newfontfamily\\headface{" + look.heading_family + "}"
    if look.family == "Liberation Serif" and source.language.startswith("en"):
        plain, bold, italic = LATIN_MODERN
        faces = f"[BoldFont={bold},ItalicFont={italic},BoldItalicFont=[lmroman10-bolditalic.otf]]"
        head = f"\\newfontfamily\\headface{{{plain}}}{faces}" if look.heading_family == look.family else head
        return f"\\setmainfont{{{plain}}}{faces}{mono}{head}\n"
    return f"\\setmainfont{{{look.family}}}{mono}{head}\n"


def _furniture(look: Look, source: Source) -> str:
    left, right = (escape(text) for text in furniture(source))
    small = set_size(look.header_size * look.size)
    top = f"\\lhead{{{small} {left}}}\\rhead{{{small} {right}}}" if look.header in ("top", "both") else ""
    middle = f"\\chead{{{small}\\thepage}}" if look.header == "top" else ""
    bottom = f"\\cfoot{{{small} Page \\thepage}}" if look.header in ("bottom", "both") else ""
    return f"\\pagestyle{{fancy}}\\fancyhf{{}}\\renewcommand{{\\headrulewidth}}{{0pt}}{top}{middle}{bottom}\n"


def _wrap(command: str) -> Setter:
    return lambda markup, element: f"{{{command}{{{markup.inner(element)}}}}}"


def _heading(markup: Markup, element: Element) -> str:
    look = markup.look
    times = heading_size(element, look)
    size = look.size * times
    face = r"\headface" + set_size(size) + (r"\bfseries" if look.bold else "")
    colour = f"\\color[HTML]{{{look.heading_colour[1:].upper()}}}" if look.heading_colour != "#000000" else ""
    middle = r"\centering" if look.centred or "centred" in classes(element) else r"\raggedright"
    text = f"{middle}{face}{colour} {markup.inner(element).strip()}\\par"
    if look.band:
        text = f"\\colorbox[HTML]{{{look.band[1:].upper()}}}{{\\parbox{{\\dimexpr\\linewidth-2\\fboxsep}}{{{text}}}}}\\par"
    above = f"\\addpenalty{{-300}}\\vspace{{{0.9 * size:.1f}bp plus 2pt}}"
    return f"\n\n{above}{{\\parskip=0pt\\noindent {text}}}\\nobreak\\vspace{{3pt}}\\nobreak\n\n"


def _paragraph(markup: Markup, element: Element) -> str:
    text = markup.inner(element).strip()
    if "note" in classes(element):
        return f"\n\n{small(markup, 0.85)}\\noindent {text}\\par}}\n\n"
    if "drop-cap" in classes(element):
        said = words_of(element)
        return f"\n\n\\lettrine[lines=3]{{{said[0]}}}{{}}{escape(said[1:])}\n\n"
    return f"\n\n{text}\n\n"


def small(markup: Markup, times: float) -> str:
    """Return the beginning of a group in other type."""
    return f"{{{set_size(markup.look.size * times)} "


def _list(markup: Markup, element: Element) -> str:
    bullet = f"[label={{{escape(markup.look.bullet)}}}]"
    name, options = ("itemize", bullet) if element.tag == "ul" else ("enumerate", "")
    items = "".join(f"\\item {{}}{markup.inner(child).strip()}\n" for child in element if child.tag == "li")
    return f"\n\n\\begin{{{name}}}{options}{items}\\end{{{name}}}\n\n" if items else ""


def _definitions(markup: Markup, element: Element) -> str:
    """Set terms as LaTeX does: in bold, with the body beginning on their line."""
    items = ""
    for child in element:
        if child.tag == "dt":
            items += f"\\item[{{{markup.inner(child).strip()}}}] "
        elif child.tag == "dd":
            items += ("" if items else r"\item[] ") + markup.inner(child).strip() + "\n"
    return f"\n\n\\begin{{description}}{items}\\end{{description}}\n\n" if items else ""


def _pre(markup: Markup, element: Element) -> str:
    lines = "".join(element.itertext()).strip("\n").split("\n")
    said = "\\\\\n".join(r"\mbox{}" + escape(line).replace(" ", r"\ ") for line in lines)
    return f"\n\n{small(markup, 0.8)}\\noindent\\raggedright\\ttfamily {said}\\par}}\n\n"


def _svg(markup: Markup, element: Element) -> str:
    return f"\\includegraphics[width={min(markup.width * 0.8, 300):.0f}bp]{{{markup.chart(element, 'pdf')}}}\\par "


def _figure(markup: Markup, element: Element) -> str:
    parts = r"\nobreak ".join(markup.one(child).strip() for child in element)
    return f"\n\n\\vspace{{3pt}}\\noindent {parts}\\vspace{{3pt}}\n\n"


def _caption(markup: Markup, element: Element) -> str:
    return f"\n\n{small(markup, 0.9)}\\noindent {markup.inner(element).strip()}\\par}}\n\n"


def _table(markup: Markup, element: Element) -> str:
    caption = element.find("caption")
    above = _caption(markup, caption) + r"\nobreak " if caption is not None else ""
    return above + latex_table(element, markup.look, markup.width, markup.inner)


def _aside(markup: Markup, element: Element) -> str:
    framed = box(r"\dimexpr\linewidth-2\fboxsep-2\fboxrule", markup, markup.within(markup.width - 8, element))
    return f"\n\n\\vspace{{5pt}}\\noindent\\fcolorbox{{black}}{{black!5}}{{{framed}}}\\par\\vspace{{5pt}}\n\n"


def box(width: str, markup: Markup, inner: str, options: str = "[t]") -> str:
    """Return a box of a width, in which paragraphs are as outside."""
    ragged = "" if markup.look.justified else r"\ragged"
    start = f"\\begin{{minipage}}{options}{{{width}}}\\vspace{{0pt}}{paragraphs(markup.look)}{ragged}"
    return f"{start} {inner.strip()}\\end{{minipage}}"


SETTERS: dict[str, Setter] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4"), _heading),
    **{"p": _paragraph, "ul": _list, "ol": _list, "dl": _definitions, "pre": _pre, "svg": _svg},
    **{"figure": _figure, "table": _table},
    **{"figcaption": _caption, "caption": _caption, "aside": _aside},
    "blockquote": lambda markup, element: f"\n\n\\begin{{quote}}{markup.inner(element)}\\end{{quote}}\n\n",
    **{"b": _wrap(r"\textbf"), "i": _wrap(r"\textit"), "sup": _wrap(r"\textsuperscript"), "sub": _wrap(r"\textsubscript")},
    "code": _wrap(r"\texttt"),
    "br": lambda _, __: r"\newline ",
}
