import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tasks.chunk.graphemes import find_nearest_break, is_grapheme_break

ODD = (
    "e\u0301\u0323\u200d\u200c\ufe0f\U0001f468\U0001f469\U0001f3fd\U0001f1e6\U0001f1e7"
    "\u1100\u1161\u11a8\uac00\u0915\u094d\u0e33\u0600\r\n a"
)
FAMILY, FLAG, SYLLABLE = "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f1e9\U0001f1ea", "\u1112\u1161\u11ab"


@settings(max_examples=300)
@example("0\u1acf")  # a mark that Python 3.11 does not know
@given(text=st.text(alphabet=st.one_of(st.sampled_from(ODD), st.characters()), max_size=12))
def test_an_allowed_cut_is_never_inside_a_grapheme(text: str) -> None:
    boundaries = {match.start() for match in regex.finditer(r"\X", text)} | {len(text)}
    assert {at for at in range(len(text) + 1) if is_grapheme_break(text, at)} <= boundaries | {0}


def test_a_family_a_flag_and_a_syllable_stay_whole() -> None:
    for whole in (FAMILY, FLAG, SYLLABLE, "\u0915\u094d\u0937", "n\u0303"):
        assert not any(is_grapheme_break(whole, at) for at in range(1, len(whole)))


def test_a_second_flag_may_be_parted_from_the_first() -> None:
    assert is_grapheme_break("\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", 2)


def test_the_nearest_break_is_before_else_after_else_at_the_given_index() -> None:
    assert find_nearest_break("abe\u0301c", 3, 0, 5) == 2
    assert find_nearest_break("e\u0301\u0323c", 1, 0, 4) == 3
    assert find_nearest_break("e\u0301\u0323", 1, 0, 3) == 1
