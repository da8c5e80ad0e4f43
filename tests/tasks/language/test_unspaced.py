from hypothesis import given
from hypothesis import strategies as st

from tasks.language.unspaced import letter_pairs


def test_runs_without_blanks_become_pairs_of_letters() -> None:
    assert letter_pairs("パッケージ管理") == ["パッ", "ッケ", "ケー", "ージ", "ジ管", "管理"]
    assert letter_pairs("川") == ["川"]
    assert letter_pairs("мельница") == ["мельница"]
    assert letter_pairs("") == [""]


@given(st.text(min_size=1))
def test_pieces_lose_no_letter(word: str) -> None:
    found = letter_pairs(word)
    assert set("".join(found)) == set(word)
    assert all(piece in word for piece in found)
