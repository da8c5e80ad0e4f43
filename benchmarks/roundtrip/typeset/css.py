"""Style sheets: a style as CSS, for the typesetters that set HTML."""

from html import escape

from benchmarks.roundtrip.source import Source
from benchmarks.roundtrip.styles import Style

SCRIPTS = '"Noto Sans CJK SC", "Noto Naskh Arabic", "Noto Sans Arabic", "Noto Sans", "Noto Sans Symbols2", "Noto Sans Math"'
"""Fonts that stand in where a style's own lacks a script."""
RIGHT_TO_LEFT = ("ar", "fa", "he", "ur")

FIXED = """
* { box-sizing: border-box; }
html, body { margin: 0; padding: 0; }
h1, h2, h3, h4 { break-after: avoid; }
ul, ol, dl, p, pre, blockquote { margin: 0; }
ul, ol { padding-inline-start: 1.8em; } ol { list-style: decimal; }
li > ul, li > ol { margin: 0; }
dt { font-weight: bold; break-after: avoid; } dd { margin: 0 0 .4em 2em; }
a { color: inherit; text-decoration: none; }
sup, sub { font-size: .7em; line-height: 0; }
blockquote { margin-inline: 2em; font-style: italic; }
aside, .callout, .cards > * { border: .6pt solid #888; background: #f4f4f4; padding: .6em; }
pre, code { font-family: "Liberation Mono", "DejaVu Sans Mono", "Noto Sans CJK SC"; font-size: .88em; }
pre { white-space: pre-wrap; }
body { overflow-wrap: anywhere; }
table { border-collapse: collapse; table-layout: auto; caption-side: top; max-width: 100%; }
caption { text-align: start; font-style: italic; padding-bottom: .3em; break-after: avoid; }
td, th { text-align: start; vertical-align: top; padding: .2em .5em; }
tr { break-inside: avoid; }
figure { margin: 0; } figcaption { font-style: italic; }
.columns-2 { display: grid; grid-template-columns: 1fr 1fr; gap: 1.5em; } .columns-2.side-bar { grid-template-columns: 2fr 1fr; }
.columns-2.page { height: 100vh; } .columns-2.page > div { display: flex; flex-direction: column; }
.columns-2.page .footnotes { margin-top: auto; }
.cards { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; gap: 1em; }
.side-captions figure { display: grid; grid-template-columns: 2fr 1fr; gap: 1em; align-items: center; }
.footnotes { font-size: .8em; border-top: .5pt solid black; padding-top: .4em; }
.contents p { display: flex; margin: 0 0 .3em; text-indent: 0; text-align: start; } .contents b { font-weight: normal; }
.contents b { margin-inline-start: auto; padding-inline-start: .6em; } .contents .level-2 { padding-inline-start: 1.6em; }
.contents.two { columns: 2; }
.form p { display: grid; grid-template-columns: 12em 1fr; text-indent: 0; } .form { margin-bottom: .7em; }
.form.boxes { display: grid; grid-template-columns: 1fr 1fr; } .form.boxes p { display: block; border: .6pt solid; padding: .4em; margin: 0; }
.sideways { page: sideways; } .slide { break-after: page; } .slide:last-child { break-after: auto; }
h1.large, h2.large { font-size: 2.6em; } h1.same, h2.same { font-size: 1em; } h1.centred, h2.centred { text-align: center; }
p.note { font-size: .8em; } p.drop-cap::first-letter { float: left; font-size: 3.2em; line-height: .9; padding-right: .08em; }
svg { max-width: 100%; }
"""

RULES = {
    "grid": "{0} td, {0} th {{ border: .6pt solid #333; }}",
    "booktabs": "{0} {{ border-top: 1pt solid; border-bottom: 1pt solid; }} {0} thead {{ border-bottom: .6pt solid; }}",
    "half": "{0} tr {{ border-bottom: .6pt solid; }} {0} {{ border-top: .6pt solid; }}",
    "none": "",
    "zebra": "{0} tbody tr:nth-child(even) {{ background: #e8edf3; }} {0} thead {{ background: #b9c7d9; }}",
}
"""Of a table, `{0}` being its selector."""
TABLES = "\n".join(rules.format(f"table.{name}") for name, rules in RULES.items())


def page_of(source: Source, style: Style) -> str:
    """Return a whole page of HTML for a source in a style."""
    direction = "rtl" if source.language.split("-")[0] in RIGHT_TO_LEFT else "ltr"
    head = f'<meta charset="utf-8"><title>{escape(source.name)}</title><style>{sheet(source, style)}</style>'
    return f'<!doctype html><html lang="{source.language}" dir="{direction}"><head>{head}</head><body>{source.body}</body></html>'


def sheet(source: Source, style: Style) -> str:
    """Return the style sheet for a source."""
    s = style.settings
    columns = f"columns: {style.columns}; column-gap: {s['gap']}pt;" if style.columns > 1 else ""
    text = f"text-align: {'justify' if s['justified'] else 'start'}; hyphens: {'auto' if s['hyphens'] else 'manual'};"
    body = f'body {{ font: {s["size"]}pt/{s["leading"]} "{s["family"]}", {SCRIPTS}; {columns} {text} }}'
    spaced = s["paragraphs"] == "space"
    gaps = "p, ul, ol, dl, pre, blockquote, aside, table, figure, section { margin-bottom: .7em; }" if spaced else INDENTED
    lists = f'ul {{ list-style-type: "{s["bullet"]}  "; }}'
    width = "table { width: 100%; }" if s["table_width"] == "full" else ""
    tables = f"table {{ font-size: {s['table_size']}em; hyphens: manual; }} {width} {RULES[str(s['rules'])].format(':where(table:not([class]))')}"
    code = "pre { background: #eee; border: .5pt solid #bbb; padding: .5em; }" if s["code"] == "boxed" else ""
    return "\n".join([FIXED, TABLES, _page(source, style), body, gaps, lists, _headings(style), tables, code])


INDENTED = """p + p { text-indent: 1.4em; } td p, li p { text-indent: 0; }
ul, ol, dl, pre, blockquote, aside, table, figure, section { margin-block: .6em; }"""


def _headings(style: Style) -> str:
    """Return the rules of headings; a heading across all columns is only the first."""
    s = style.settings
    family = f'font-family: "{s["heading_family"]}", {SCRIPTS};' if s["heading_family"] else ""
    band = f"background: {s['band']}; padding: .25em .5em;" if s["band"] != "none" else ""
    look = f"font-weight: {s['heading_weight']}; text-align: {s['heading_align']}; color: {s['heading_colour']};"
    common = f"h1, h2, h3, h4 {{ {look} {family} {band} margin: .9em 0 .4em; line-height: 1.2; hyphens: manual; }}"
    align = "h1, h2, h3, h4 { text-align: start; }" if s["heading_align"] == "left" else ""
    sizes = " ".join(f"{rank} {{ font-size: {s[rank]}em; }}" for rank in ("h1", "h2", "h3", "h4"))
    return f"{common} {align} {sizes} body > :first-child {{ margin-top: 0; }}"


def _page(source: Source, style: Style) -> str:
    """Return the rule of the page: its size, running header and page number."""
    s = style.settings
    width, height = style.page
    font = f'font: {float(s["header_size"]) * float(s["size"])}pt "{s["family"]}", {SCRIPTS};'
    title = source.package.replace("-", " ").title()
    top = f'@top-left {{ content: "{title}"; {font} }} @top-right {{ content: "{source.kind.title()}"; {font} }}'
    bottom = f'@bottom-center {{ content: "Page " counter(page) " of " counter(pages); {font} }}'
    if s["header"] == "top":
        top += f" @top-center {{ content: counter(page); {font} }}"
    boxes = {"none": "", "top": top, "bottom": bottom, "both": top + bottom}[str(s["header"])]
    turned = f"@page sideways {{ size: {height}pt {width}pt; }}"
    return f"@page {{ size: {width}pt {height}pt; margin: {s['margin']}pt; {boxes} }} {turned}"
