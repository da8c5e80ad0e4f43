"""Numerals of list items: digits and letters of many scripts, Roman and Hebrew numerals, and the words of East Asian counting.

The names are those of Open XML (ECMA-376, 17.18.59). A style that has no sign for a number shows it in digits, as Word does.
"""

from collections.abc import Callable

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"),
    (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
MAX_ROMAN = 3999
MAX_HEBREW = 1000
MAX_REPEATED = 26
"""Most times that a letter is repeated, as in aa behind z."""


def _letters(*ranges: tuple[int, int]) -> str:
    return "".join(chr(code) for first, last in ranges for code in range(first, last + 1))


_HEBREW = "אבגדהוזחטיכלמנסעפצקרשת"
_HEBREW_VALUES = (*range(400, 0, -100), *range(90, 0, -10), *range(9, 0, -1))
_RUSSIAN = _letters((0x430, 0x438), (0x43A, 0x449), (0x44B, 0x44B), (0x44D, 0x44F))
_KATAKANA = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
_IROHA = "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン"
REPEATED = {
    "lowerLetter": _letters((0x61, 0x7A)),
    "upperLetter": _letters((0x41, 0x5A)),
    "lowerGreek": _letters((0x3B1, 0x3C1), (0x3C3, 0x3C9)),
    "russianLower": _RUSSIAN,
    "russianUpper": _RUSSIAN.upper(),
    "hebrew2": _HEBREW,
    "arabicAlpha": "أبتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "arabicAbjad": "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ",
    "thaiLetters": _letters((0xE01, 0xE02), (0xE04, 0xE04), (0xE07, 0xE23), (0xE25, 0xE25), (0xE27, 0xE2E)),
    "ganada": "가나다라마바사아자차카타파하",
    "chosung": "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
    "aiueo": _KATAKANA,
    "aiueoFullWidth": _KATAKANA,
    "iroha": _IROHA,
    "irohaFullWidth": _IROHA,
    "chicago": "*†‡§",
}
"""Letters for 1, 2, 3 …; behind the last one they are doubled, then tripled, as aa and aaa."""
ONCE = {
    "decimalEnclosedCircle": _letters((0x2460, 0x2473)),
    "decimalEnclosedCircleChinese": _letters((0x2460, 0x2473)),
    "decimalEnclosedParen": _letters((0x2474, 0x2487)),
    "decimalEnclosedFullstop": _letters((0x2488, 0x249B)),
    "ideographEnclosedCircle": _letters((0x3220, 0x3229)),
    "ideographTraditional": "甲乙丙丁戊己庚辛壬癸",
    "ideographZodiac": "子丑寅卯辰巳午未申酉戌亥",
}
"""Signs for 1, 2, 3 …; there are no more."""
DIGITS = {
    "decimalFullWidth": _letters((0xFF10, 0xFF19)),
    "decimalFullWidth2": _letters((0xFF10, 0xFF19)),
    "hindiNumbers": _letters((0x966, 0x96F)),
    "thaiNumbers": _letters((0xE50, 0xE59)),
    "ideographDigital": "〇一二三四五六七八九",
    "japaneseDigitalTenThousand": "〇一二三四五六七八九",
    "taiwaneseDigital": "○一二三四五六七八九",
    "koreanDigital": "영일이삼사오육칠팔구",
    "koreanDigital2": "零一二三四五六七八九",
}
"""Digits from 0 to 9."""
_HAN = "一二三四五六七八九"
COUNTED = {
    "chineseCounting": (_HAN, "十", "○", "first"),
    "taiwaneseCounting": (_HAN, "十", "○", "first"),
    "chineseCountingThousand": (_HAN, "十百千", "\u3007", "first"),
    "taiwaneseCountingThousand": (_HAN, "十百千", "零", "first"),
    "chineseLegalSimplified": ("壹贰叁肆伍陆柒捌玖", "拾佰仟", "零", "none"),
    "ideographLegalTraditional": ("壹貳參肆伍陸柒捌玖", "拾佰仟", "零", "none"),
    "japaneseCounting": (_HAN, "十百千", "", "all"),
    "japaneseLegal": ("壱弐参四伍六七八九", "拾百阡", "", "none"),
    "koreanCounting": ("일이삼사오육칠팔구", "십백천", "", "all"),
}
"""Words for 1 to 9, for the units from ten on, for a unit that is left out, and before which units one is not said."""


def numeral(number: int, style: str) -> str:
    """Return `number` in a style of Open XML; in digits if the style has no such number or is unknown.

    >>> [numeral(n, "lowerLetter") for n in (1, 27, 0)], numeral(14, "upperRoman"), numeral(3, "decimalZero")
    (['a', 'aa', '0'], 'XIV', '03')
    >>> numeral(21, "chineseCountingThousand"), numeral(3, "ganada"), numeral(16, "hebrew1"), numeral(2, "decimalEnclosedCircle")
    ('二十一', '다', 'טז', '②')
    """
    if style == "decimalZero":
        return f"{number:02d}"
    if number <= 0:
        return str(number)
    if letters := REPEATED.get(style):
        times, at = divmod(number - 1, len(letters))
        return letters[at] * (times + 1) if times < MAX_REPEATED else str(number)
    if signs := ONCE.get(style):
        return signs[number - 1] if number <= len(signs) else str(number)
    if digits := DIGITS.get(style):
        return "".join(digits[int(digit)] for digit in str(number))
    if style in COUNTED:
        return _counted(number, *COUNTED[style])
    return _MADE[style](number) if style in _MADE else str(number)


def _counted(number: int, ones: str, units: str, zero: str, unsaid: str) -> str:
    """Return a number in words; digit by digit, if it is too large for the units."""
    said = str(number)
    if len(said) > len(units) + 1:
        return "".join(zero if digit == "0" else ones[int(digit) - 1] for digit in said) if zero else said
    words = gap = ""
    for place, digit in zip(range(len(said) - 1, -1, -1), said, strict=True):
        if digit == "0":
            gap = zero
            continue
        is_unsaid = digit == "1" and place and (unsaid == "all" or (unsaid == "first" and place == 1 and not words))
        words += gap + ("" if is_unsaid else ones[int(digit) - 1]) + (units[place - 1] if place else "")
        gap = ""
    return words


def _hebrew(number: int) -> str:
    """Return a number in Hebrew letters. 15 and 16 are 9 + 6 and 9 + 7, since 10 + 5 and 10 + 6 would be names of God."""
    if number >= MAX_HEBREW:
        return str(number)
    letters = _added(number, tuple(zip(_HEBREW_VALUES, reversed(_HEBREW), strict=True)))
    return letters.replace("\u05d9\u05d4", "\u05d8\u05d5").replace("\u05d9\u05d5", "\u05d8\u05d6")


def _roman(number: int) -> str:
    return _added(number, _ROMAN) if number <= MAX_ROMAN else str(number)


def _added(number: int, values: tuple[tuple[int, str], ...]) -> str:
    """Return a number as the sum of values, the largest first."""
    letters = ""
    for value, letter in values:
        n, number = divmod(number, value)
        letters += letter * n
    return letters


_MADE: dict[str, Callable[[int], str]] = {
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
    "numberInDash": lambda number: f"- {number} -",
    "hex": lambda number: f"{number:X}",
    "hebrew1": _hebrew,
}
