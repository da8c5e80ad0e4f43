import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.raised import subscript, superscript, with_fractions

CASES = {
    "6": ("⁶", "₆"),
    "-3": ("⁻³", "₋₃"),
    "\N{MINUS SIGN}12": ("⁻¹²", "₋₁₂"),
    "2+": ("²⁺", "₂₊"),
    "(1)": ("⁽¹⁾", "₍₁₎"),
    "n": ("ⁿ", "_n"),
    "n-1": ("ⁿ⁻¹", "_(n-1)"),
    "k": ("^k", "_k"),
    "max": ("^max", "_max"),
    "1,2": ("^(1,2)", "_(1,2)"),
    "i j": ("^(i j)", "_(i j)"),
    "th": ("th", "th"),
    "TM": ("TM", "TM"),
    "*": ("*", "*"),
    "": ("", ""),
    " 2 ": (" ² ", " ₂ "),
}


@pytest.mark.parametrize(("text", "written"), CASES.items())
def test_raised_and_lowered_text_stands_apart_from_what_it_follows(text: str, written: tuple[str, str]) -> None:
    assert (superscript(text), subscript(text)) == written


@given(st.text("0123456789", min_size=1), st.text("0123456789", min_size=1))
def test_no_number_changes_by_what_is_raised_behind_it(number: str, exponent: str) -> None:
    for written in (superscript(exponent), subscript(exponent)):
        assert not any(character.isascii() and character.isdigit() for character in written)
        assert unicodedata.normalize("NFKC", written) == exponent, "and nothing of it is lost"
        assert (number + written).startswith(number)


@given(st.text("0123456789", min_size=1), st.text("0123456789", min_size=1))
def test_behind_a_digit_a_number_stays_apart_when_search_folds_its_characters(number: str, exponent: str) -> None:
    assert unicodedata.normalize("NFKC", number + superscript(exponent, number)) == f"{number}^{exponent}"
    assert unicodedata.normalize("NFKC", number + subscript(exponent, number)) == f"{number}_{exponent}"


@given(st.integers(1, 99), st.integers(1, 99), st.integers(1, 99))
def test_a_mixed_number_is_no_power(whole: int, above: int, below: int) -> None:
    written = f"{whole}{superscript(str(above), str(whole))}/{subscript(str(below), '/')}"
    assert with_fractions(written) == f"{whole} {above}/{below}"


@given(st.text())
def test_no_text_is_lost(text: str) -> None:
    for written in (superscript(text), subscript(text)):
        kept = [character for character in unicodedata.normalize("NFKC", written) if character.isalnum()]
        assert kept == [character for character in unicodedata.normalize("NFKC", text) if character.isalnum()]
