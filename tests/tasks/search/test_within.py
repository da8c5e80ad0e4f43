import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.search.bm25 import bm25
from tasks.search.within import CANDIDATES_WITHIN, best_within, within

TEXTS = st.lists(st.text("ab ß.İ\n", max_size=20), max_size=6)


@given(st.text("ab ßİ", max_size=20), TEXTS)
def test_each_chunk_has_a_share_of_the_best(question: str, texts: list[str]) -> None:
    shares = within(question, texts)
    assert shares.shape == (len(texts),) and np.isfinite(shares).all()
    assert not texts or shares.max() == pytest.approx(1.0) or not shares.any()


def test_the_order_is_that_of_bm25() -> None:
    texts = ["Mills grind grain.", "The mill wheel turns.", "Snow fell.", "A wheel, a wheel and a wheel in a mill of mills."]
    found, expected = within("mill wheel", texts), bm25("mill wheel", texts)
    assert np.argsort(-found).tolist() == np.argsort([-score for score in expected]).tolist()


def test_what_every_chunk_has_counts_little() -> None:
    texts = ["Acme sold lamps.", "Acme paid dividends.", "Acme has debts.", "Acme, Acme, Acme."]
    assert within("dividends of Acme", texts).argmax() == 1


def test_parts_of_words_do_not_match() -> None:
    assert not within("art", ["party", "start", "cart_art", "artist"]).any()
    assert within("art", ["arts", "party"]).tolist() == [1.0, 0.0]


def test_the_best_chunks_their_neighbours_and_known_ones_take_part() -> None:
    texts = ["eel"] * 3 + ["x"] * 500
    known = np.zeros(len(texts), dtype=bool)
    known[400] = True
    found = best_within(within("eel", texts), np.zeros(len(texts), np.float32), known)
    assert {0, 1, 2, 3, 400} <= found.keys() and len(found) <= CANDIDATES_WITHIN + 3
    assert found[400] == 0.0 and found[0] == 1.0


def test_words_that_name_the_document_are_spent() -> None:
    texts = ["Acme Inc. 2019", "Dividends were paid.", "Nothing else."]
    assert within("dividends of Acme in 2019", texts).argmax() == 0
    assert within("dividends of Acme in 2019", texts, {"acme": 1.0, "2019": 0.9}).argmax() == 1
