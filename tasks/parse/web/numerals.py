"""Numerals of list items: decimal, letters, Roman."""

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"),
    (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
MAX_ROMAN = 3999


def numeral(number: int, style: str) -> str:
    """Return `number` in a style of Open XML; in digits if the style has no such number or is unknown.

    >>> [numeral(n, "lowerLetter") for n in (1, 27, 0)], numeral(14, "upperRoman"), numeral(3, "decimalZero")
    (['a', 'aa', '0'], 'XIV', '03')
    """
    if style in ("lowerLetter", "upperLetter") and 0 < number <= 26 * 26:
        letters = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letters if style == "lowerLetter" else letters.upper()
    if style in ("lowerRoman", "upperRoman") and 0 < number <= MAX_ROMAN:
        return _roman(number) if style == "lowerRoman" else _roman(number).upper()
    return f"{number:02d}" if style == "decimalZero" else str(number)


def _roman(number: int) -> str:
    letters = ""
    for value, numeral in _ROMAN:
        n, number = divmod(number, value)
        letters += numeral * n
    return letters
