"""Number formats: shows a cell's number as a spreadsheet does, by the code of its format.

The codes are those of ECMA-376, part 1, section 18.8.31. Dates without a fixed form of their own (format 14, "the system's short
date") are shown as 2024-03-01, since nobody knows whose system is meant. Names of months and days are English.
"""

import math
import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
    14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm",
    21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
}  # fmt: skip
"""Formats that files name by number alone."""
MAX_CODE = 1000
"""Letters of a format that are read; spreadsheets allow 255."""
LAST_DAY = 2_958_466
"""The number of the day after 31 December 9999, the last one that a spreadsheet shows."""
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_(?P<space>.)|\*.|\[(?P<bracket>[^\]]*)\]|(?P<noon>AM/PM|A/P)|(?P<general>General|Standard)'
    r"|(?P<exponent>E[+-]0+)|(?P<date>y+|m+|d+|h+|s+(?:\.0+)?|e+|g+)|(?P<number>[0#?](?:[0#?.,]*[0#?.,])?|\.[0#?]+)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)")
_PLAIN = re.compile(r"(?:#,##)?0(?:\.(?P<decimals>0+))?")
_THOUSANDS = re.compile(r"(?<=\d)(?=(?:\d{3})+$)")
MOST_DIGITS = 25
MANY = Context(prec=100)
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b, "<>": lambda a, b: a != b, "<": lambda a, b: a < b,
    ">": lambda a, b: a > b, "=": lambda a, b: a == b,
}  # fmt: skip


class Token(NamedTuple):
    """A part of a format: its kind, a group of _TOKEN, and its text."""

    kind: str
    text: str


class Section(NamedTuple):
    """One of the parts of a format between semicolons: its tokens, and the condition under which it is used."""

    tokens: tuple[Token, ...]
    condition: tuple[str, float] | None

    @property
    def is_date(self) -> bool:
        """Whether it shows a date or a time."""
        return any(token.kind in ("date", "elapsed", "noon") for token in self.tokens)


@lru_cache(65536)
def show_number(value: float, code: str, since_1904: bool = False) -> str:
    """Return a number as a format shows it. What is not understood of a format never costs the number: then it is shown plainly.

    >>> show_number(0.256, "0.0%"), show_number(1234.5, '#,##0.00 "€"'), show_number(45352, "yyyy-mm-dd")
    ('25.6%', '1,234.50 €', '2024-03-01')
    >>> show_number(-12, 'General" units"')
    '-12 units'
    """
    if not math.isfinite(value):
        return str(value)
    section, signed = _choose_section(value, read_format(code))
    if section is not None and any(token.kind == "general" for token in section.tokens):
        figure = show_plainly(abs(value))
        around = "".join(figure if token.kind == "general" else token.text for token in section.tokens)
        return ("-" if signed else "") + around.strip()
    if section is None or not any(token.kind in ("number", "date", "elapsed", "noon") for token in section.tokens):
        literal = "" if section is None else _show_literals(section.tokens)
        return literal if literal.strip() else show_plainly(value)
    if section.is_date:
        return _show_date(value, section.tokens, since_1904)
    plain = _read_plain(section.tokens)
    shown = _show_plain(abs(value), plain) if plain else None
    return ("-" if signed else "") + (shown or _show_figure(abs(value), section.tokens))


def show_plainly(value: float) -> str:
    """Return a number without a format, as in a cell that is wide enough.

    >>> show_plainly(3.0), show_plainly(0.1 + 0.2), show_plainly(1.5e300), show_plainly(123456789012345.0)
    ('3', '0.3', '1.5E+300', '123456789012345')
    """
    if math.isfinite(value) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.11g}".replace("e", "E")


@lru_cache(4096)
def read_format(code: str) -> tuple[Section, ...]:
    """Return the sections of a format."""
    sections: list[tuple[list[Token], list[tuple[str, float]]]] = [([], [])]
    for found in _TOKEN.finditer(code[:MAX_CODE]):
        tokens, conditions = sections[-1]
        if found["other"] == ";":
            sections.append(([], []))
        elif found["bracket"] is not None and (compared := _CONDITION.fullmatch(found["bracket"])):
            conditions.append((compared[1], float(compared[2])))
        else:
            tokens += _read_token(found)
    return tuple(Section(() if _is_general(tokens) else tuple(tokens), next(iter(found), None)) for tokens, found in sections)


def _read_token(found: re.Match[str]) -> list[Token]:
    kind, text = found.lastgroup or "", found[0]
    if kind == "bracket":
        if re.fullmatch("h+|m+|s+", found[kind], re.IGNORECASE):
            return [Token("elapsed", found[kind].lower())]
        return [Token("literal", found[kind][1:].partition("-")[0])] if found[kind].startswith("$") else []
    if kind in ("quoted", "escaped"):
        return [Token("literal", found[kind])]
    if kind == "other":
        return [Token({"%": "percent", "@": "text"}.get(text, "literal"), text)]
    return [Token("literal", " ")] if kind == "space" else [Token(kind, text.lower() if kind == "date" else text)] if kind else []


def _is_general(tokens: Sequence[Token]) -> bool:
    return "".join(token.text for token in tokens).strip().lower() in ("general", "standard", "")


def _choose_section(value: float, sections: tuple[Section, ...]) -> tuple[Section | None, bool]:
    """Return the section that shows a value, and whether it needs a minus sign."""
    if any(section.condition for section in sections):
        for section in sections[:3]:
            if section.condition is None or _COMPARE[section.condition[0]](value, section.condition[1]):
                return section, value < 0
        return None, False
    numeric = [section for section in sections[:3] if not any(token.kind == "text" for token in section.tokens)]
    if not numeric:
        return None, False
    if value < 0:
        return (numeric[1], False) if len(numeric) > 1 else (numeric[0], True)
    return (numeric[2] if value == 0 and len(numeric) > 2 else numeric[0]), False


class PlainFigure(NamedTuple):
    """A format of one group of digits with a fixed number of decimals, and what stands around it."""

    before: str
    after: str
    n_decimals: int
    code: str


@lru_cache(4096)
def _read_plain(tokens: tuple[Token, ...]) -> PlainFigure | None:
    """Return a section that is as simple as most are; None for another."""
    [at, *more] = [n for n, token in enumerate(tokens) if token.kind == "number"]
    whole = _PLAIN.fullmatch(tokens[at].text)
    if more or not whole or any(token.kind != "literal" for n, token in enumerate(tokens) if n != at):
        return None
    n_decimals = len(whole["decimals"] or "")
    before, after = ("".join(token.text for token in part) for part in (tokens[:at], tokens[at + 1 :]))
    return PlainFigure(before.lstrip(), after.rstrip(), n_decimals, f"{',' if ',' in tokens[at].text else ''}.{n_decimals}f")


def _show_plain(value: float, plain: PlainFigure) -> str | None:
    """Return a number in a simple format; None if it is too large, or if it lies in the middle between two, as 1.005 for 0.00."""
    digits = repr(value)
    if value >= 1e15 or (digits[-1] == "5" and len(digits) - digits.find(".") - 1 == plain.n_decimals + 1) or "e" in digits:
        return None
    return f"{plain.before}{value:{plain.code}}{plain.after}"


def _show_literals(tokens: tuple[Token, ...]) -> str:
    return "".join(token.text for token in tokens if token.kind in ("literal", "percent"))


def _show_figure(value: float, tokens: tuple[Token, ...]) -> str:
    """Return a number that is not negative by the tokens of a section: its digits, with all that stands around them."""
    numbers = [n for n, token in enumerate(tokens) if token.kind == "number"]
    slash = next((n for n, token in enumerate(tokens) if token.text == "/"), None)
    if slash is not None and len(numbers) >= 2 and numbers[-1] > slash:
        return _show_fraction(value, tokens, numbers)
    percents = sum(token.kind == "percent" for token in tokens)
    exponent = next((token for token in tokens if token.kind == "exponent"), None)
    patterns = [tokens[n].text for n in numbers]
    digits = _show_digits(Decimal(repr(value)) * 100**percents, "".join(patterns), exponent)
    at_places = dict(zip(numbers, _spread_digits(digits, patterns), strict=True))
    shown = [at_places.get(n, "" if token.kind == "exponent" else token.text) for n, token in enumerate(tokens)]
    return "".join(shown).strip() or show_plainly(value)


def _spread_digits(digits: str, patterns: Sequence[str]) -> list[str]:
    """Return the digits for each of the patterns of a section, as in telephone numbers: from the right, if all are whole."""
    if not digits.isdecimal():
        return [digits, *[""] * (len(patterns) - 1)]
    found: list[str] = []
    for pattern in reversed(patterns[1:]):
        cut = max(0, len(digits) - len(pattern))
        found, digits = [digits[cut:], *found], digits[:cut]
    return [digits, *found]


def _show_digits(value: Decimal, pattern: str, exponent: Token | None) -> str:
    """Return the digits of a number that is not negative; commas at the end of the pattern divide it by thousands."""
    scaled = pattern.rstrip(",")
    value = value.scaleb(-3 * (len(pattern) - len(scaled)))
    whole, _, decimals = scaled.replace(",", "").partition(".")
    power = 0
    if exponent is not None and value:
        power = value.adjusted() // max(1, len(whole)) * max(1, len(whole))
        value = value.scaleb(-power)
    if value.adjusted() >= MOST_DIGITS:
        return show_plainly(float(value))
    rounded = value.quantize(Decimal(1).scaleb(-min(MOST_DIGITS, len(decimals))), ROUND_HALF_UP, MANY)
    left, _, right = f"{rounded:f}".partition(".")
    right = right.rstrip("0").ljust(decimals.count("0"), "0")
    left = left.lstrip("0").rjust(whole.count("0"), "0")
    if "," in scaled:
        left = _THOUSANDS.sub(",", left)
    shown = left + ("." + right if right else "")
    return shown if exponent is None else f"{shown}E{'-' if power < 0 else '+'}{abs(power):0{len(exponent.text) - 2}}"


def _show_fraction(value: float, tokens: tuple[Token, ...], numbers: list[int]) -> str:
    longest = tokens[numbers[-1]].text
    limit = 10 ** min(4, len(longest)) - 1
    whole = int(value) if len(numbers) > 2 else 0
    rest = Fraction(value - whole).limit_denominator(int(longest) if longest.isdigit() and int(longest) else limit)
    if rest == 1 and len(numbers) > 2:
        whole, rest = whole + 1, Fraction(0)
    parts = [str(whole)] if whole or not rest else []
    return " ".join([*parts, *([f"{rest.numerator}/{rest.denominator}"] if rest else [])])


def _show_date(value: float, tokens: tuple[Token, ...], since_1904: bool) -> str:
    """Return a day, counted from 1900 or 1904, and the time in it by the tokens of a section."""
    if not 0 <= value < LAST_DAY:
        return show_plainly(value)
    fraction = max(len(token.text.partition(".")[2]) for token in tokens if token.kind in ("date", "elapsed", "noon"))
    unit = 10 ** min(fraction, 6)
    units = round(value * 86400 * unit)
    seconds, days = units // unit, units // unit // 86400
    base = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30) if days >= 60 else datetime(1899, 12, 31)
    moment = base + timedelta(seconds=seconds, microseconds=units % unit * 1_000_000 // unit)
    noon = any(token.kind == "noon" for token in tokens)
    shown = []
    for n, token in enumerate(tokens):
        if token.kind == "elapsed":
            shown.append(str(seconds // {"h": 3600, "m": 60, "s": 1}[token.text[0]]).rjust(len(token.text), "0"))
        elif token.kind == "noon":
            shown.append("AM" if moment.hour < 12 else "PM")
        elif token.kind == "date":
            shown.append(_show_part(moment, token.text, _is_minute(tokens, n), noon))
        elif token.kind == "literal":
            shown.append(token.text)
    return "".join(shown).strip()


def _is_minute(tokens: tuple[Token, ...], n: int) -> bool:
    """Return whether an `m` is a minute: hours are the last before it, or seconds the next after it."""
    before = next((token.text[0] for token in reversed(tokens[:n]) if token.kind in ("date", "elapsed")), "")
    after = next((token.text[0] for token in tokens[n + 1 :] if token.kind in ("date", "elapsed")), "")
    return tokens[n].text in ("m", "mm") and (before == "h" or after == "s")


def _show_part(moment: datetime, text: str, minute: bool, noon: bool) -> str:
    letter, wide = text[0], len(text)
    if letter in "yeg":
        return f"{moment.year % 100:02}" if wide <= 2 and letter == "y" else f"{moment.year:04}"
    if letter == "m" and not minute:
        names = {3: moment.strftime("%b"), 4: moment.strftime("%B"), 5: moment.strftime("%B")[0]}
        return names.get(wide, f"{moment.month:0{min(wide, 2)}}")
    if letter == "d":
        return {3: moment.strftime("%a"), 4: moment.strftime("%A")}.get(wide, f"{moment.day:0{min(wide, 2)}}")
    if letter == "s":
        whole, _, decimals = text.partition(".")
        thousandths = f".{moment.microsecond:06}"[: 1 + len(decimals)] if decimals else ""
        return f"{moment.second:0{min(len(whole), 2)}}{thousandths}"
    number = moment.minute if letter == "m" else (moment.hour % 12 or 12) if noon else moment.hour
    return f"{number:0{min(wide, 2)}}"
