import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.web.numerals import COUNTED, DIGITS, ONCE, REPEATED, numeral

STYLES = [
    *REPEATED,
    *ONCE,
    *DIGITS,
    *COUNTED,
    "lowerRoman",
    "upperRoman",
    "hebrew1",
    "hex",
    "decimalZero",
    "decimal",
]
WRITTEN = {
    "chineseCounting": {1: "一", 10: "十", 11: "十一", 21: "二十一", 101: "一○一"},
    "chineseCountingThousand": {10: "十", 101: "一百〇一", 110: "一百一十", 111: "一百一十一", 1001: "一千〇一"},
    "taiwaneseCountingThousand": {12: "十二", 101: "一百零一"},
    "chineseLegalSimplified": {1: "壹", 10: "壹拾", 101: "壹佰零壹"},
    "ideographDigital": {10: "一〇", 101: "一〇一"},
    "ideographTraditional": {1: "甲", 10: "癸", 11: "11"},
    "ideographZodiac": {1: "子", 12: "亥", 13: "13"},
    "japaneseCounting": {10: "十", 11: "十一", 101: "百一"},
    "koreanCounting": {12: "십이", 100: "백"},
    "ganada": {1: "가", 14: "하", 15: "가가"},
    "decimalFullWidth": {10: "\uff11\uff10"},
    "decimalEnclosedCircle": {1: "①", 20: "⑳", 21: "21"},
    "russianLower": {10: "к", 29: "я"},
    "hebrew1": {15: "\u05d8\u05d5", 16: "טז", 17: "יז", 116: "קטז", 1000: "1000"},
    "hindiNumbers": {12: "१२"},
    "upperRoman": {1999: "MCMXCIX", 4000: "4000"},
    "lowerLetter": {26: "z", 27: "aa", 28: "bb", 0: "0"},
    "decimalZero": {0: "00", 7: "07", 12: "12"},
    "unheardOf": {5: "5"},
}  # fmt: skip


@pytest.mark.parametrize("style", WRITTEN)
def test_numbers_are_written_as_word_shows_them(style: str) -> None:
    assert {number: numeral(number, style) for number in WRITTEN[style]} == WRITTEN[style]


@given(style=st.sampled_from(STYLES), numbers=st.sets(st.integers(-5, 20_000), min_size=2, max_size=2))
def test_two_numbers_never_look_alike(style: str, numbers: set[int]) -> None:
    first, second = numbers
    assert numeral(first, style) != numeral(second, style)
