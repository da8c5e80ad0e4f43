"""Score: compare what a generation retrieves for questions with their gold."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from schemas.access import OWNER, Principal
from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.hits import Hit
from schemas.options.chat import ChatOptions
from schemas.options.sections import EvaluateOptions
from schemas.references import Frozen
from tasks.evaluate.answers.io.models import check_nli_model
from tasks.evaluate.averages import ScoredQuestion
from tasks.evaluate.gold import DocumentText, Problem, Question, follow_to_shown_documents, locate_questions
from tasks.evaluate.io.costs import Costs, measure_index_and_searches
from tasks.evaluate.io.documents import read_documents
from tasks.evaluate.io.evidence import (
    Document,
    Evidence,
    Ranges,
    RankedChunk,
    explain_losses,
    read_evidence,
    score_chunk_ranking,
    score_hits,
    score_hits_in_budget,
)
from tasks.evaluate.io.memory import open_sentence_memory
from tasks.evaluate.io.question_files import read_questions
from tasks.evaluate.losses import LOOKED_AT, Loss
from tasks.evaluate.scoring import Scores
from tasks.search.answerability import UNANSWERED
from tasks.search.io.ask import count_results_for_budget
from tasks.search.io.duplicates import read_duplicates
from tasks.search.io.retrieve import Searcher
from tasks.store import conditions, published
from tasks.store.access import OpenTables, check_owner
from tasks.store.published import Generation

if TYPE_CHECKING:
    from tasks.embed.io.tokenizer import Tokenizer

NAMED_COLUMNS = ["document_id", "text", "n_pages"]

LOCATED: Scores = {("located", 0): 1.0}
MISPLACED: Scores = {("located", 0): 0.0}
"""The metric `located` is the share of questions whose gold was found. All other metrics are means over those questions; that of
`answered` is the share of them that search would not call unanswered."""


class Evaluation(Frozen):
    """One evaluation of one generation, with one file of questions."""

    run_id: str
    corpus: Corpus
    live: Generation
    questions: tuple[Question, ...]
    options: EvaluateOptions
    chat: ChatOptions = ChatOptions()

    @property
    def generation(self) -> int:
        """The number of the generation."""
        return self.live.generation


class LocatedQuestions(Frozen):
    """The questions whose gold was found in the corpus, and the problems of the others."""

    questions: tuple[Question, ...]
    problems: tuple[Problem, ...]


class SearchResults(NamedTuple):
    """What was found for the located questions.

    For each cutoff k, the results of a search for k results for each question, best first; and for each question its ranked
    chunks, and how likely the corpus answers it, None if the search does not tell.
    """

    results: Mapping[int, Sequence[Sequence[Hit]]]
    chunks: Sequence[Sequence[RankedChunk]]
    answered: Sequence[float | None]


def start_evaluation(
    run_id: str,
    corpus: Corpus,
    questions: str,
    options: EvaluateOptions,
    chat: ChatOptions | None = None,
    principal: Principal | None = None,
) -> Evaluation:
    """Return an evaluation of the generation that is live now. All of its documents take part.

    Raises:
        AccessError: the corpus says who may read it, and it is not its owner who asks.
        CorpusError: nothing has been published yet.
        InputError: the questions cannot be read, or a language model shall answer or judge and `chat` names none.
    """
    check_owner(corpus, principal)
    model = chat or ChatOptions()
    if options.asks_model and not model.base_url:
        raise InputError(
            "no endpoint is set for a language model that answers or judges: set chat.base_url and chat.model in pagemill.toml, "
            "or PAGEMILL_CHAT_BASE_URL and PAGEMILL_CHAT_MODEL; --answers builtin without --judge needs none"
        )
    if options.nli_model:
        check_nli_model(options.nli_model)
    read = tuple(read_questions(Path(questions)))
    return Evaluation(
        run_id=run_id, corpus=corpus, live=published.read_live_generation(corpus), questions=read, options=options, chat=model
    )


def locate_gold(evaluation: Evaluation) -> LocatedQuestions:
    """Find the gold of the questions in the published documents.

    Raises:
        InputError: no question can be scored; gives the reason for the first one.
    """
    located = locate_gold_if_any(evaluation)
    if not located.questions:
        first = located.problems[0]
        raise InputError(
            f"no question can be scored against generation {evaluation.generation} of {evaluation.corpus}: "
            f"question {first.question_id}, {first.document}: {first.reason}: check that corpus and questions belong together"
        )
    return located


def locate_gold_if_any(evaluation: Evaluation) -> LocatedQuestions:
    """Find the gold of the questions in the documents of the generation. It is no error if none is found.

    Gold in a document for which a search shows another is looked for there.
    """
    rows = _read_named_documents(evaluation, evaluation.questions)
    duplicates = read_duplicates(OpenTables(evaluation.corpus, evaluation.live, OWNER))
    found = {path: duplicates.find_shown(row["document_id"]) for path, row in rows.items()}
    shown = {path: duplicates.members[name].path for path, name in found.items() if name != rows[path]["document_id"]}
    rows |= read_documents(evaluation.corpus, evaluation.live, NAMED_COLUMNS, shown.values())
    sources = {path: DocumentText(row["text"], row["n_pages"]) for path, row in rows.items()}
    questions, problems = locate_questions(evaluation.questions, sources)
    located = tuple(follow_to_shown_documents(question, shown, sources) for question in questions)
    return LocatedQuestions(questions=located, problems=tuple(problems))


def search_questions(evaluation: Evaluation, located: LocatedQuestions) -> SearchResults:
    """Search for each located question, once for each cutoff and budget: k results are not the first k of more."""
    questions, options = [question.question for question in located.questions], evaluation.options
    cutoffs, how = list_search_limits(options), (options.mode, None, options.returned)
    with open_sentence_memory(evaluation.corpus, evaluation.live.embedder) as memory:
        found = open_searcher(evaluation).search_ranked(questions, cutoffs, *how, depth=LOOKED_AT, memory=memory)
    return SearchResults(found.results, [as_ranked_chunks(rows) for rows in found.chunks], found.answered)


def list_search_limits(options: EvaluateOptions) -> list[int]:
    """Return for how many results is searched: the cutoffs, and what fills the budgets."""
    return sorted({*options.cutoffs, *map(count_results_for_budget, options.budgets)})


def as_ranked_chunks(rows: Sequence[Mapping[str, object]]) -> list[RankedChunk]:
    """Return rows of chunks without what no score depends on."""
    return [cast("RankedChunk", {name: row[name] for name in RankedChunk.__annotations__}) for row in rows]


def score_questions(evaluation: Evaluation, located: LocatedQuestions, found: SearchResults) -> list[ScoredQuestion]:
    """Return the scores of every question, of those that could not be located too."""
    corpus, live, options = evaluation.corpus, evaluation.live, evaluation.options
    tokenizer = open_tokenizer(evaluation)
    rows = _read_named_documents(evaluation, located.questions)
    documents = {path: Document(row["document_id"], row["text"]) for path, row in rows.items()}
    ranges = Ranges(tokenizer, documents, located.questions)
    scored = score_located_questions(located, found, options, ranges, read_evidence(corpus, live, ranges, located.questions))
    return [scored.get(question.id) or _score_unlocated_question(evaluation, question) for question in evaluation.questions]


def score_located_questions(
    located: LocatedQuestions, found: SearchResults, options: EvaluateOptions, ranges: Ranges, evidence: Evidence
) -> dict[str, ScoredQuestion]:
    """Return the scores of the located questions by their ids."""
    scored: dict[str, ScoredQuestion] = {}
    for at, question in enumerate(located.questions):
        hits, chunks = {k: of_all[at] for k, of_all in found.results.items()}, found.chunks[at]
        results = {k: hits[k] for k in options.cutoffs}
        scores = LOCATED | _score_answerability(found.answered[at]) | score_hits(question, results, ranges)
        scores |= score_chunk_ranking(question, chunks, evidence, ranges, options.cutoffs)
        for budget in options.budgets:
            scores |= score_hits_in_budget(question, hits[count_results_for_budget(budget)], budget, ranges)
        lost = explain_losses(question, results, chunks, evidence, ranges, options.returned)
        scored[question.id] = ScoredQuestion(question.id, question.split, question.domain, scores, lost, question.is_generated)
    return scored


def _score_answerability(likely: float | None) -> Scores:
    """Return the metric `answered`: 0 for a question of which search says that nothing seems to answer it, else 1."""
    return {} if likely is None else {("answered", 0): float(likely >= UNANSWERED)}


def _score_unlocated_question(evaluation: Evaluation, question: Question) -> ScoredQuestion:
    """Return the score of a question whose gold is not in the corpus: because a page or document was rejected, or never there."""
    where = conditions.make_in_condition("path", question.document_paths)
    rejected = published.read_columns(evaluation.corpus, evaluation.live, "rejects", ["path"], where).num_rows
    lost: dict[int, Loss] = {0: "rejected page" if rejected else "no document"}
    return ScoredQuestion(question.id, question.split, question.domain, MISPLACED, lost, question.is_generated)


def open_tokenizer(evaluation: Evaluation) -> "Tokenizer":
    """Return the tokenizer of the corpus's embedder."""
    from tasks.embed.io import providers

    return providers.load_counting_tokenizer(open_searcher(evaluation).embed_options)


def open_searcher(evaluation: Evaluation) -> Searcher:
    """Return the generation, open for questions."""
    return Searcher(evaluation.corpus, evaluation.live, OWNER)


def measure_search_costs(evaluation: Evaluation, located: LocatedQuestions) -> Costs:
    """Return what the index costs, and how long searches for some of the questions take."""
    return measure_index_and_searches(
        open_searcher(evaluation), [question.question for question in located.questions], evaluation.options
    )


def _read_named_documents(evaluation: Evaluation, questions: Iterable[Question]) -> dict[str, dict[str, Any]]:
    """Return the documents that questions name, by path."""
    named = {path for one in questions for path in one.document_paths}
    return read_documents(evaluation.corpus, evaluation.live, NAMED_COLUMNS, named)
