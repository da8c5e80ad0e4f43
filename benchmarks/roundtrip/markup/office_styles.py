"""What paragraphs, words and pages look like, as styles of the OpenDocument format. Pure."""

from html import escape

from benchmarks.roundtrip.markup.look import SCRIPTS, Look, furniture
from benchmarks.roundtrip.markup.tree import BLOCKS, Element, classes, squeeze
from benchmarks.roundtrip.markup.walk import Markup
from benchmarks.roundtrip.source import Source

SPACES = "office style text table draw fo svg".split()
SCHEMAS = {
    "fo": "xsl-fo-compatible:1.0",
    "svg": "svg-compatible:1.0",
    "draw": "drawing:1.0",
}
WORDS = {
    "b": 'fo:font-weight="bold" style:font-weight-asian="bold" style:font-weight-complex="bold"',
    "i": 'fo:font-style="italic" style:font-style-complex="italic"',
    "sup": 'style:text-position="super 60%"',
    "sub": 'style:text-position="sub 60%"',
    "code": 'fo:font-family="DejaVu Sans Mono" fo:font-size="85%"',
}
RIGHT_TO_LEFT = ("ar", "fa", "he", "ur")
"""LibreOffice takes the start of a line for its left even there."""
LEVELS = 5
"""Levels of lists."""


def paragraph(markup: Markup, **facts: str | float) -> str:
    """Return the name of a style of paragraphs, made unless it is there.

    `facts`: `align`; `left`, `first`, `above`, `below` in points; `scale` of the body's size; `bold`; `keep` with the next;
    `family`, `colour`, `band`; `master`, the kind of page that begins with it; `more` attributes and `parts` of its own.
    """
    look = markup.look
    size = look.size * float(facts.get("scale", 1))
    left, first = float(facts.get("left", 0)), float(facts.get("first", 0))
    above, below = float(facts.get("above", 0)), float(facts.get("below", 0))
    attributes = (
        f'fo:text-align="{facts.get("align", "justify" if look.justified else "start")}" '
        f'fo:margin-top="{above:.1f}pt" fo:margin-bottom="{below:.1f}pt" '
        f'fo:line-height="{look.leading * 85:.0f}%" {facts.get("more", "")}'
    )
    if left or first:
        attributes += f' fo:margin-left="{left:.1f}pt" fo:text-indent="{first:.1f}pt"'
    if facts.get("keep"):
        attributes += ' fo:keep-with-next="always"'
    if facts.get("band"):
        attributes += f' fo:background-color="{facts["band"]}" fo:padding="3pt"'
    letters = f'fo:font-size="{size:.2f}pt" style:font-size-asian="{size:.2f}pt" style:font-size-complex="{size:.2f}pt"'
    letters += f" {WORDS['b']}" if facts.get("bold") else ""
    letters += f' fo:font-family="{facts["family"]}"' if facts.get("family") else ""
    letters += f' fo:color="{facts["colour"]}"' if facts.get("colour") else ""
    inner = f"<style:paragraph-properties {attributes}>{facts.get('parts', '')}</style:paragraph-properties>"
    return keep_style(markup, "paragraph", f"{inner}<style:text-properties {letters}/>", str(facts.get("master", "")))


def keep_style(markup: Markup, family: str, inner: str, master: str = "") -> str:
    """Return the name of the style that says `inner`; `master` names the kind of page that begins with it."""
    page = f' style:master-page-name="{master}"' if master else ""
    for name, text in markup.kept.items():
        if text.endswith(f'style:family="{family}"{page}>{inner}</style:style>'):
            return name
    name = f"S{len(markup.kept)}"
    markup.kept[name] = f'<style:style style:name="{name}" style:family="{family}"{page}>{inner}</style:style>'
    return name


def document(markup: Markup, source: Source) -> str:
    """Return a whole document as flat OpenDocument."""
    body = "".join(markup.one(child) for child in markup.root)
    named = " ".join(f'xmlns:{space}="{_schema(space)}"' for space in SPACES)
    words = "".join(
        f'<style:style style:name="{name}" style:family="text"><style:text-properties {look}/></style:style>'
        for name, look in WORDS.items()
    )
    head = _head(markup.look, source)
    styles = "".join(markup.kept.values())
    if source.language.split("-")[0] in RIGHT_TO_LEFT:
        styles = styles.replace('fo:text-align="start"', 'fo:text-align="end"')
    layouts = _layout("Upright", markup, turned=False) + _layout("Turned", markup, turned=True)
    pages = "".join(
        _master(name, layout, markup.look, source) for name, layout in (("Standard", "Upright"), ("Landscape", "Turned"))
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {named} office:version="1.2" '
        f'office:mimetype="application/vnd.oasis.opendocument.text"><office:styles>{head}</office:styles>'
        f"<office:automatic-styles>{layouts}{words}{_lists(markup.look)}{styles}</office:automatic-styles>"
        f"<office:master-styles>{pages}</office:master-styles><office:body><office:text>{body}</office:text></office:body></office:document>"
    )


def _schema(space: str) -> str:
    return f"urn:oasis:names:tc:opendocument:xmlns:{SCHEMAS.get(space, f'{space}:1.0')}"


def _head(look: Look, source: Source) -> str:
    """Return what holds for all paragraphs: fonts for the three kinds of scripts, the language, the direction."""
    language, _, region = source.language.partition("-")
    asian, complex_script = SCRIPTS[0], SCRIPTS[1]
    letters = (
        f'fo:font-family="{look.family}" style:font-family-asian="{asian}" style:font-family-complex="{complex_script}" '
        f'fo:language="{language}" fo:country="{region or "none"}" fo:hyphenate="{str(look.hyphens).lower()}"'
    )
    direction = f'style:writing-mode="{"rl-tb" if language in RIGHT_TO_LEFT else "lr-tb"}"'
    inner = f"<style:paragraph-properties {direction}/><style:text-properties {letters}/>"
    return f'<style:default-style style:family="paragraph">{inner}</style:default-style>'


def _layout(name: str, markup: Markup, turned: bool) -> str:
    look = markup.look
    wide, high = reversed(look.page) if turned else look.page
    columns = f'<style:columns fo:column-count="{markup.columns}" fo:column-gap="{look.gap}pt"/>' if markup.columns > 1 else ""
    header = 16 if look.header in ("top", "both") else 0
    footer = 16 if look.header in ("bottom", "both") else 0
    size = (
        f'fo:page-width="{wide}pt" fo:page-height="{high}pt" fo:margin-left="{look.margin}pt" fo:margin-right="{look.margin}pt"'
    )
    margins = f'fo:margin-top="{look.margin - header:.1f}pt" fo:margin-bottom="{look.margin - footer:.1f}pt"'
    way = f'style:print-orientation="{"landscape" if turned else "portrait"}"'
    inner = f"<style:page-layout-properties {size} {margins} {way}>{columns}</style:page-layout-properties>"
    edges = "".join(
        f'<style:{edge}-style><style:header-footer-properties fo:min-height="14pt" fo:margin-{side}="2pt"/></style:{edge}-style>'
        for edge, side, there in (("header", "bottom", header), ("footer", "top", footer))
        if there
    )
    return (
        f'<style:page-layout style:name="{name}">{inner}{edges}</style:page-layout>{_small(name, wide - 2 * look.margin, look)}'
    )


def _small(name: str, width: float, look: Look) -> str:
    """Return the style of running headers: small type, with stops in the middle and at the right."""
    stops = "".join(
        f'<style:tab-stop style:position="{at:.0f}pt" style:type="{kind}"/>'
        for at, kind in ((width / 2, "center"), (width, "right"))
    )
    tabs = f"<style:paragraph-properties><style:tab-stops>{stops}</style:tab-stops></style:paragraph-properties>"
    size = f'<style:text-properties fo:font-size="{look.header_size * look.size:.1f}pt"/>'
    return f'<style:style style:name="{name}Edge" style:family="paragraph">{tabs}{size}</style:style>'


def _master(name: str, layout: str, look: Look, source: Source) -> str:
    left, right = (escape(text) for text in furniture(source))
    number = "<text:page-number/>"
    middle = number if look.header == "top" else ""
    paragraph_style = f'text:style-name="{layout}Edge"'
    top = f"<style:header><text:p {paragraph_style}>{left}<text:tab/>{middle}<text:tab/>{right}</text:p></style:header>"
    bottom = f"<style:footer><text:p {paragraph_style}><text:tab/>Page {number}</text:p></style:footer>"
    edges = (top if look.header in ("top", "both") else "") + (bottom if look.header in ("bottom", "both") else "")
    return f'<style:master-page style:name="{name}" style:page-layout-name="{layout}">{edges}</style:master-page>'


def _lists(look: Look) -> str:
    """Return the styles of lists, each level further in than the one before."""
    step = 1.7 * look.size

    def level(number: int, kind: str, what: str) -> str:
        place = f'fo:text-indent="-{step:.0f}pt" fo:margin-left="{step * number:.0f}pt"'
        stop = f'text:label-followed-by="listtab" text:list-tab-stop-position="{step * number:.0f}pt"'
        label = f"<style:list-level-label-alignment {stop} {place}/>"
        mode = 'text:list-level-position-and-space-mode="label-alignment"'
        inner = f"<style:list-level-properties {mode}>{label}</style:list-level-properties>"
        return f'<text:list-level-style-{kind} text:level="{number}" {what}>{inner}</text:list-level-style-{kind}>'

    bullets = "".join(level(n, "bullet", f'text:bullet-char="{escape(look.bullet)}"') for n in range(1, LEVELS + 1))
    numbers = "".join(level(n, "number", 'style:num-suffix="." style:num-format="1"') for n in range(1, LEVELS + 1))
    styles = (("ul", bullets), ("ol", numbers))
    return "".join(f'<text:list-style style:name="{name}">{levels}</text:list-style>' for name, levels in styles)


def flow(markup: Markup, element: Element, style: str) -> str:
    """Return what stands in an element: its words and its <p> as paragraphs of a style, other blocks as they are set."""
    done, run = "", markup.language.escaped(squeeze(element.text))
    for child in element:
        if child.tag in BLOCKS:
            done += paragraph_of(run, style)
            run = markup.language.escaped(squeeze(child.tail))
            done += paragraph_of(markup.inner(child), style) if child.tag == "p" and not classes(child) else markup.one(child)
        else:
            run += markup.one(child) + markup.language.escaped(squeeze(child.tail))
    return done + paragraph_of(run, style)


def paragraph_of(run: str, style: str) -> str:
    """Return words as a paragraph of a style; blank if there are none."""
    return f'<text:p text:style-name="{style}">{run.strip()}</text:p>' if run.strip() else ""
