"""A page whose font does not tell which characters some of its glyphs are."""

import re
from collections.abc import Mapping
from importlib import resources

import pymupdf

PRINTED = (
    "The chief \ufb01nancial o\ufb03cer\ncon\ufb01rmed 7 \ufb01gures of the \ufb01rst quarter,\nand the o\ufb03ce grew by 3.\n"
)


def unnamed(glyphs: Mapping[str, str | None], text: str = PRINTED) -> bytes:
    """Return a PDF of one page; `glyphs` are characters that its font names otherwise, or not at all."""
    data = (resources.files("matplotlib") / "mpl-data/fonts/ttf/DejaVuSans.ttf").read_bytes()
    drawn = pymupdf.open()
    page = drawn.new_page(width=400, height=200)
    page.insert_font("F0", fontbuffer=data)
    page.insert_text((40, 60), text.splitlines(), fontname="F0", fontsize=11)
    font, document = pymupdf.Font(fontbuffer=data), pymupdf.open("pdf", drawn.tobytes())
    named = {font.has_glyph(ord(c)): glyphs.get(c, c) for c in sorted({*text} - {"\n"})}
    for xref in range(1, document.xref_length()):
        kind, value = document.xref_get_key(xref, "ToUnicode")
        if kind == "xref":
            document.update_stream(int(re.findall(r"\d+", value)[0]), _map(named).encode())
    return bytes(document.tobytes())


def _map(named: Mapping[int, str | None]) -> str:
    lines = [f"<{glyph:04x}> <{ord(name):04x}>" for glyph, name in named.items() if name]
    return "\n".join(
        [
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Named def /CMapType 2 def",
            "1 begincodespacerange <0000> <FFFF> endcodespacerange",
            f"{len(lines)} beginbfchar",
            *lines,
            "endbfchar endcmap end end",
        ]
    )
