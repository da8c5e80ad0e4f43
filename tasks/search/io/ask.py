"""Ask: the one function that answers a question, for the command line, Python, HTTP and MCP."""

from collections.abc import Sequence
from typing import NamedTuple, get_args

from schemas.errors import InputError
from schemas.hits import Hit
from schemas.options.search import QUESTION_CHARS, By, Mode, Returned
from tasks.embed.vectors import VectorCache
from tasks.search.io.retrieve import Searcher, check_question

TOKENS_PER_RESULT, MOST_RESULTS = 50, 200
"""A budget of tokens is filled with the results of a search for so many: one for each 50 tokens, 200 at most."""


class Answer(NamedTuple):
    """The results of a question, best first, and how likely one answers it: see `answer_probability`; None if unknown."""

    hits: list[Hit]
    answered: float | None


def answer_question(
    searcher: Searcher,
    question: str,
    k: int = 5,
    mode: str = "hybrid",
    where: str | None = None,
    returned: str = "passages",
    memory: VectorCache | None = None,
    budget: int | None = None,
    by: str | None = None,
    show_all: bool = False,
) -> Answer:
    """Return at most the best `k` results for a question, best first. `where` is a condition in SQL on documents or chunks.

    With a `budget` of tokens, counted as the corpus's embedder does, the best results that fit, whatever `k` is.

    With `by` page or document, the best `k` pages or documents, each shown by its best chunk.

    Of documents that say nearly the same, the newest is searched alone, unless `show_all`: its results name the others.

    What `memory` has of a server's earlier questions is not embedded again.

    Raises:
        InputError: the question is blank or too long, `k` or `budget` is below 1, or `mode`, `where`, `returned` or `by` is not
            valid.
        CorpusError: the corpus cannot be read, or its embedder is not the installed one.
    """
    for name, value, known in (
        ("mode", mode, get_args(Mode)),
        ("returned", returned, get_args(Returned)),
        ("by", by, (None, *get_args(By))),
    ):
        if value not in known:
            raise InputError(f"{name} {value!r} is not known: choose one of {', '.join(filter(None, known))}")
    check_question(question)
    if len(question) > QUESTION_CHARS:
        raise InputError(f"the question has {len(question):,} characters: at most {QUESTION_CHARS:,} are read, so shorten it")
    if budget is not None:
        k = count_results_for_budget(budget)
    n, form = (k, returned) if by is None else (max(k, MOST_RESULTS), "chunks")
    found = searcher.search_ranked([question], (n,), mode, where, form, memory=memory, show_all=show_all)  # type: ignore[arg-type]
    hits = found.results[n][0] if by is None else keep_best_of_each(found.results[n][0], by)[:k]
    return Answer(hits if budget is None else choose_hits_within_budget(searcher, hits, budget), found.answered[0])


def keep_best_of_each(hits: Sequence[Hit], by: str) -> list[Hit]:
    """Return the first hit of each document, or of each page on which a hit begins, numbered anew."""
    first: dict[tuple[str, int], Hit] = {}
    for hit in hits:
        first.setdefault((hit.document_id, hit.pages[0] if by == "page" and hit.pages else 0), hit)
    return [hit.model_copy(update={"rank": rank}) for rank, hit in enumerate(first.values(), start=1)]


def count_results_for_budget(budget: int) -> int:
    """Return how many results are searched for to fill a budget of tokens.

    Raises:
        InputError: the budget is below 1.
    """
    if budget < 1:
        raise InputError(f"the budget is {budget} tokens: allow at least one")
    return min(MOST_RESULTS, -(-budget // TOKENS_PER_RESULT))


def choose_hits_within_budget(searcher: Searcher, hits: Sequence[Hit], budget: int) -> list[Hit]:
    """Return the results that fit into a budget of tokens, best first; one that is too long for the rest is passed over.

    Raises:
        InputError: none of them fits.
    """
    from tasks.embed.io.providers import load_counting_tokenizer

    kept, left = list[Hit](), budget
    counts = load_counting_tokenizer(searcher.embed_options).count([hit.embedding_text for hit in hits])
    for hit, n_tokens in zip(hits, counts, strict=True):
        if n_tokens <= left:
            kept.append(hit)
            left -= n_tokens
    if hits and not kept:
        raise InputError(f"the shortest result has {min(counts)} tokens, and the budget is {budget}: allow more")
    return [hit.model_copy(update={"rank": rank}) for rank, hit in enumerate(kept, start=1)]
