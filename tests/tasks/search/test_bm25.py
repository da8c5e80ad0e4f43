from hypothesis import given
from hypothesis import strategies as st

from tasks.search.bm25 import bm25

WORDS = st.text(st.sampled_from("ab "), max_size=12)


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    texts = ["pie chart of rent", "pie chart of food", "pie chart of revenue"]
    scores = bm25("revenue pie", texts)
    assert max(scores) == scores[2] > scores[0] == scores[1] > 0


@given(question=WORDS, texts=st.lists(WORDS, max_size=5))
def test_only_texts_that_share_a_word_score(question: str, texts: list[str]) -> None:
    for text, score in zip(texts, bm25(question, texts), strict=True):
        assert (score > 0) == bool(set(question.split()) & set(text.split()))
