import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from schemas.shown import plain, shorten

ANY = st.text(st.characters(codec=None, categories=["L", "N", "P", "S", "Z", "C"]))


@given(ANY)
@example("\u202egpj.exe\u2066")
@example("tail\r\n\x1b]0;title\x07")
@example("half \ud800 pair, tag \U000e0041, line \u2028 end")
def test_what_is_shown_is_one_line_that_hides_and_turns_nothing(text: str) -> None:
    shown = plain(text)
    assert len(shown.splitlines()) <= 1
    assert all(unicodedata.category(character)[0] != "C" or character in "\u200c\u200d" for character in shown)
    assert shown.encode("utf-8").decode("utf-8") == shown


@given(st.text(st.characters(categories=["L", "N", "P", "S"])))
def test_names_without_hidden_characters_stay_as_they_are(text: str) -> None:
    assert plain(text) == text


@given(st.text(), st.integers(3, 50))
def test_a_shortened_text_fits_and_keeps_both_ends(text: str, most: int) -> None:
    short = shorten(text, most)
    assert len(short) <= most
    assert short == text if len(text) <= most else (short[0], short[-1]) == (text[0], text[-1])
