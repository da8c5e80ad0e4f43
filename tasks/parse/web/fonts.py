"""Fonts of symbols in pages and mails, as Word and Outlook write them: a J in Wingdings is a face that smiles."""

from typing import TYPE_CHECKING

from tasks.parse.symbols import in_font, is_symbol_font
from tasks.parse.web.concealment.concealed import declarations

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode


def name_symbols(page: "LexborHTMLParser") -> None:
    """Write letters that a page sets in a font of symbols as the characters that readers see."""
    for node in page.css("[style*='font-family' i], font[face]"):
        font = _font_of(node)
        for child in list(node.iter(include_text=True)) if is_symbol_font(font) else ():
            if child.is_text_node:
                child.replace_with(in_font(font, child.text_content or ""))


def _font_of(node: "LexborNode") -> str:
    """Return the first font that an element names."""
    attributes = node.attributes
    styles = declarations(attributes.get("style") or "")
    named = styles.get("font-family") or styles.get("mso-symbol-font-family") or attributes.get("face") or ""
    return named.split(",")[0].strip().strip("\"'")
