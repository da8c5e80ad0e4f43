import pymupdf
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.pdf.accents import COMBINING, Character, has_accents, with_accents
from tasks.parse.pdf.io.page_text import words_of

CHARACTERS = st.lists(
    st.tuples(st.sampled_from("aeou tx" + "".join(COMBINING)), st.integers(0, 40)).map(
        lambda pair: (pair[0], (float(pair[1]), 0.0, pair[1] + 5.0, 10.0))
    )
)


def at(text: str, x: float) -> Character:
    return text, (x, 0.0, x + 5, 10.0)


def test_an_accent_above_a_letter_is_joined_to_it() -> None:
    assert with_accents([at("\u00b4", 10), at("e", 10), at("s", 15)]) == [None, at("é", 10), at("s", 15)]
    assert with_accents([at("c", 10), at("\u00b8", 10)]) == [at("ç", 10), None]


def test_an_accent_beside_a_letter_is_an_apostrophe() -> None:
    characters = [at("n", 10), at("\u00b4", 15), at("t", 20)]
    assert with_accents(characters) == characters
    assert with_accents([at("\u00b4", 10), at("t", 10)]) == [at("\u00b4", 10), at("t", 10)]


@given(CHARACTERS)
def test_every_character_stays_or_is_in_a_letter(characters: list[Character]) -> None:
    found = with_accents(characters)
    assert len(found) == len(characters)
    assert all(new is not None or old[0] in COMBINING for new, old in zip(found, characters, strict=True))
    changed = sum(new is not None and new != old for new, old in zip(found, characters, strict=True))
    assert changed <= found.count(None)
    assert found == characters or has_accents("".join(text for text, _ in characters))


def test_words_set_by_old_tex_have_their_accents() -> None:
    page = pymupdf.open().new_page()
    page.insert_text((72, 72), "x")
    stream = b"BT /helv 11 Tf 1 0 0 1 72 700 Tm [(caf) (\xb4) 333 (e don) (\xb4) (t go \xa8) 333 (uber)] TJ ET"
    page.parent.update_stream(page.get_contents()[0], stream)
    words = words_of(pymupdf.open(stream=page.parent.tobytes())[0])
    assert [word.text for word in words] == ["café", "don\u00b4t", "go", "über"]
