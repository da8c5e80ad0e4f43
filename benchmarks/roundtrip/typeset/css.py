"""Style sheets: a style as CSS, for the typesetters that set HTML."""

from html import escape
from pathlib import Path

from benchmarks.roundtrip.source import Source
from benchmarks.roundtrip.styles import Style

SCRIPTS = '"Noto Sans CJK SC", "Noto Naskh Arabic", "Noto Sans Arabic", "Noto Sans", "Noto Sans Symbols2", "Noto Sans Math"'
"""Fonts that stand in where a style's own lacks a script."""
RIGHT_TO_LEFT = ("ar", "fa", "he", "ur")

FIXED = Path(__file__).with_name("pages.css")
"""What is the same in all styles."""

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
    high = f".columns-2.page {{ min-height: {style.page[1] - 2 * float(s['margin']) - 7 * float(s['size']):.0f}pt }}"
    spaced = s["paragraphs"] == "space"
    gaps = "p, ul, ol, dl, pre, blockquote, aside, table, figure, section { margin-bottom: .7em; }" if spaced else INDENTED
    lists = f'ul {{ list-style-type: "{s["bullet"]}  "; }}'
    width = "width: 100%;" if s["table_width"] == "full" else ""
    rules = RULES[str(s["rules"])].format(":where(table:not([class]))")
    tables = f"table {{ font-size: {s['table_size']}em; hyphens: manual; {width} }} {rules}"
    code = "pre { background: #eee; border: .5pt solid #bbb; padding: .5em; }" if s["code"] == "boxed" else ""
    return "\n".join([FIXED.read_text(), TABLES, _page(source, style), body, gaps, lists, _headings(style), tables, code, high])


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
