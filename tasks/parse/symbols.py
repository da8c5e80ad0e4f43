"""Characters of fonts of symbols, by the places that the fonts give them: Symbol, Dingbats and Wingdings are not Unicode."""

from collections.abc import Iterator

_GREEK = dict(zip("abcdefghijklmnopqrstuvwxyzDFGJLPQSUWXY", "αβχδεφγηιϕκλμνοπθρστυϖωξψζΔΦΓϑΛΠΘΣΥΩΞΨ", strict=True))
_LATIN = dict(zip("ABCEHIKMNORTVZ", "ΑΒΧΕΗΙΚΜΝΟΡΤςΖ", strict=True))
_MATHS = {0x22: "∀", 0x24: "∃", 0x27: "∋", 0x2A: "∗", 0x2D: "−", 0x40: "≅", 0x5C: "∴", 0x5E: "⊥", 0x7E: "∼"}  # noqa: RUF001


def _row(start: int, characters: str) -> dict[int, str]:
    """Return the characters from the place `start` on. A space stands for a place without a character."""
    return {start + n: character for n, character in enumerate(characters) if character != " "}


_SYMBOL = (
    {place: chr(place) for place in range(0x20, 0x40)}
    | {ord(letter): greek for letter, greek in (_GREEK | _LATIN).items()}
    | {ord(sign): sign for sign in "[]_{|}"}
    | _MATHS
    | _row(0xA1, "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…│─↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑")  # noqa: RUF001
    | _row(0xF1, "〉∫")
)
_WINGDINGS = (
    _row(0x22, "✂✁👓   ☎✆✉")
    | _row(0x30, "📁📂📄   ⌛")
    | _row(0x3E, "✇✍ ✌ 👍👎☜☞☝☟🖐☺😐☹💣☠")
    | _row(0x51, "✈☼💧❄ ✞ ✠✡☪☯ॐ☸♈♉♊♋♌♍♎♏♐♑♒♓&&●")
    | _row(0x6E, "■□ ❑❒ ⧫◆❖ ⌧ ⌘")
    | _row(0x80, "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿")
    | _row(0x9E, "·•▪○")
    | _row(0xA7, "▪☐ ✦★✶ ✴✹✵")
    | _row(0xB7, "🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛")
    | _row(0xD5, "⌫⌦ ➢")
    | _row(0xDF, "←→↑↓↖↗↙↘←→↑↓↖↗↙↘⇦⇨⇧⇩⬄⇳")
    | _row(0xFB, "✗✓☒☑")
)
_WINGDINGS_2 = _row(0x4F, "✗✓☒☑☒☒") | _row(0x69, "⓪①②③④⑤⑥⑦⑧⑨⑩") | _row(0x95, "·•●") | {0x97: "●", 0xA2: "■", 0xA3: "☐"}
_WINGDINGS_3 = _row(0x66, "←→↑↓↖↗↙↘↔↕▲▼△▽◄►") | {0x22: "⇄", 0x7D: "►", 0x80: "▲", 0x81: "▼", 0x82: "△"}
_WEBDINGS = _row(0x33, "◄►▲▼") | _row(0x3C, "■") | {0x61: "✓", 0x63: "☐", 0x67: "■", 0x6E: "●", 0x72: "✗", 0x69: "ℹ"}  # noqa: RUF001
_DINGBATS = (
    {place: chr(0x26E0 + place) for place in range(0x21, 0x7F)}
    | {place: chr(0x26C0 + place) for place in range(0xA1, 0xFF)}
    | {0x25: "☎", 0x2A: "☛", 0x2B: "☞", 0x48: "★", 0x6C: "●", 0x6E: "■", 0x73: "▲", 0x74: "▼", 0x75: "◆", 0x77: "◗"}
    | _row(0xA8, "♣♦♥♠①②③④⑤⑥⑦⑧⑨⑩")
    | {0xD5: "→", 0xD6: "↔", 0xD7: "↕"}
)
_FONTS = {
    "zapfdingbats": _DINGBATS,
    "symbol": _SYMBOL,
    "wingdings": _WINGDINGS,
    "wingdings 2": _WINGDINGS_2,
    "wingdings 3": _WINGDINGS_3,
    "webdings": _WEBDINGS,
}
_PRIVATE = range(0xF000, 0xF100)
"""Where Unicode text keeps the places of such a font."""


def is_symbol_font(font: str | None) -> bool:
    """Return whether the letters of a font are other characters than those of Unicode."""
    return (font or "").lower() in _FONTS


def symbol(font: str, code: str) -> str:
    """Return a character of a symbol font by its hexadecimal place; "" for one that Unicode does not have.

    >>> symbol("Symbol", "F062"), symbol("Wingdings", "F0E0"), symbol("Wingdings", "FC"), symbol("Arial", "2022")
    ('β', '→', '✓', '•')
    """
    try:
        point = int(code, 16)
    except ValueError:
        return ""
    if not 0x20 <= point <= 0x10FFFF or 0xD800 <= point < 0xE000:
        return ""
    return "".join(_characters(font, chr(point)))


def in_font(font: str, text: str) -> str:
    """Return text that is set in a symbol font as the characters that readers see.

    >>> in_font("Symbol", "m"), in_font("Wingdings", "ü"), in_font("Arial", "m"), in_font("", chr(0xF0B0))
    ('μ', '✓', 'm', '°')
    """
    if not font and text.isascii():
        return text
    if not is_symbol_font(font) and not any(ord(character) in _PRIVATE for character in text):
        return text
    return "".join(_characters(font, text))


def _characters(font: str, text: str) -> Iterator[str]:
    known = _FONTS.get(font.lower())
    for character in text:
        point = ord(character)
        place = point - _PRIVATE.start if point in _PRIVATE else point
        if point in _PRIVATE:
            yield (_SYMBOL if known is None else known).get(place, "")
        elif known is not None and place < 0x100 and not character.isspace():
            yield known.get(place, character)
        else:
            yield "" if 0xE000 <= point < 0xF900 else character
