import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.search.bm25 import MOST_IN_DOCUMENT, bm25, choose_chunks_of_document, score_chunks_by_bm25

WORDS = st.text(st.sampled_from("ab "), max_size=12)
TEXTS = st.lists(st.text("ab ß.İ\n", max_size=20), max_size=6)


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    texts = ["pie chart of rent", "pie chart of food", "pie chart of revenue"]
    scores = bm25("revenue pie", texts)
    assert max(scores) == scores[2] > scores[0] == scores[1] > 0


@given(question=WORDS, texts=st.lists(WORDS, max_size=5))
def test_only_texts_that_share_a_word_score(question: str, texts: list[str]) -> None:
    for text, score in zip(texts, bm25(question, texts), strict=True):
        assert (score > 0) == bool(set(question.split()) & set(text.split()))


@given(st.text("ab ßİ", max_size=20), TEXTS)
def test_each_chunk_has_a_share_of_the_best(question: str, texts: list[str]) -> None:
    shares = score_chunks_by_bm25(question, texts)
    assert shares.shape == (len(texts),) and np.isfinite(shares).all()
    assert not texts or shares.max() == pytest.approx(1.0) or not shares.any()


def test_the_order_is_that_of_bm25() -> None:
    texts = ["Mills grind grain.", "The mill wheel turns.", "Snow fell.", "A wheel, a wheel and a wheel in a mill of mills."]
    found, expected = score_chunks_by_bm25("mill wheel", texts), bm25("mill wheel", texts)
    assert np.argsort(-found).tolist() == np.argsort([-score for score in expected]).tolist()


def test_what_every_chunk_has_counts_little() -> None:
    texts = ["Acme sold lamps.", "Acme paid dividends.", "Acme has debts.", "Acme, Acme, Acme."]
    assert score_chunks_by_bm25("dividends of Acme", texts).argmax() == 1


def test_parts_of_words_do_not_match() -> None:
    assert not score_chunks_by_bm25("art", ["party", "start", "cart_art", "artist"]).any()
    assert score_chunks_by_bm25("art", ["arts", "party"]).tolist() == [1.0, 0.0]


def test_the_best_chunks_their_neighbours_and_known_ones_take_part() -> None:
    texts = ["eel"] * 3 + ["x"] * 500
    known = np.zeros(len(texts), dtype=bool)
    known[400] = True
    found = choose_chunks_of_document(score_chunks_by_bm25("eel", texts), np.zeros(len(texts), np.float32), known)
    assert {0, 1, 2, 3, 400} <= found.keys() and len(found) <= MOST_IN_DOCUMENT + 3
    assert found[400] == 0.0 and found[0] == 1.0


def test_words_that_name_the_document_are_discounted() -> None:
    texts = ["Acme Inc. 2019", "Dividends were paid.", "Nothing else."]
    assert score_chunks_by_bm25("dividends of Acme in 2019", texts).argmax() == 0
    assert score_chunks_by_bm25("dividends of Acme in 2019", texts, {"acme": 1.0, "2019": 0.9}).argmax() == 1
