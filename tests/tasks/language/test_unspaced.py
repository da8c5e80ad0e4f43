from hypothesis import given
from hypothesis import strategies as st

from tasks.language.unspaced import pieces


def test_runs_without_blanks_become_pairs_of_letters() -> None:
    assert pieces("パッケージ管理") == ["パッ", "ッケ", "ケー", "ージ", "ジ管", "管理"]
    assert pieces("川") == ["川"]
    assert pieces("мельница") == ["мельница"]
    assert pieces("") == [""]


@given(st.text(min_size=1))
def test_pieces_lose_no_letter(word: str) -> None:
    found = pieces(word)
    assert set("".join(found)) == set(word)
    assert all(piece in word for piece in found)
