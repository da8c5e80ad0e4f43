"""Generate: questions about the live generation, from a language model or from the documents themselves."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from schemas.access import Principal
from schemas.corpus import Corpus
from schemas.errors import AnswerError, CorpusError, CostError, InputError, PagemillError, ServiceError
from schemas.options.chat import ChatOptions
from schemas.options.questions import GenerateOptions
from schemas.references import Frozen
from tasks.chat.io.calls import FIRST_CALLS, Calls
from tasks.chat.io.client import Chat
from tasks.chat.io.ledger import ChatCosts
from tasks.chunk.batches import batched
from tasks.evaluate.gold import Question
from tasks.evaluate.io.documents import PublishedDocuments
from tasks.evaluate.io.question_files import write_questions
from tasks.evaluate.questions.builtin import make_builtin_questions
from tasks.evaluate.questions.choose import MOST_ROUNDS, Candidates, Chooser, Chosen, choose_questions
from tasks.evaluate.questions.formats import RefusedQuestion
from tasks.evaluate.questions.generated import (
    Document,
    GeneratedQuestion,
    Passage,
    QuestionAndAnswer,
    build_question_prompt,
    locate_answer_in_passage,
)
from tasks.evaluate.questions.spread import sample_paths, split_into_passages, spread_evenly

DOCUMENTS_AT_ONCE = 100

STOPS = {kind.__name__: kind for kind in (AnswerError, CostError, InputError, ServiceError)}
"""Errors of calls that end the generation. What was made before is written."""


class GenerationJob(Frozen):
    """One generation of questions."""

    corpus: Corpus
    principal: Principal | None = None
    out: str
    options: GenerateOptions
    chat: ChatOptions


class GenerationResult(Frozen):
    """Questions, refused ones with reasons, and what they cost. `stop` and `stopped` are the error that ended it early."""

    questions: tuple[Question, ...]
    refused: tuple[RefusedQuestion, ...]
    spent: ChatCosts = ChatCosts()
    stop: str = ""
    stopped: str = ""


def generate_questions_from_documents(job: GenerationJob) -> GenerationResult:
    """Make questions from headings, captions, tables and sentences.

    Raises:
        CorpusError: nothing has been published, or the embedder of the corpus is not installed.
    """
    published, most = PublishedDocuments(job.corpus, job.principal), MOST_ROUNDS * job.options.per_document
    candidates = [
        Candidates(document, make_builtin_questions(document, elements, most, job.options.seed))
        for documents in _sample_documents(published, job.options)
        for document, elements in published.read_elements(documents)
    ]
    chosen = choose_questions(
        candidates, lambda tried: [made for _, made in tried], _make_question_chooser(published, job.options)
    )
    return GenerationResult(questions=tuple(chosen.questions), refused=tuple(chosen.refused))


def generate_questions_from_model(job: GenerationJob) -> GenerationResult:
    """Ask the language model about passages of each document.

    An error of the endpoint, or the cap on costs, ends it early: what was made before is returned with the error.

    Raises:
        CorpusError: nothing has been published, or the embedder of the corpus is not installed.
        InputError: no endpoint is set.
    """
    published = PublishedDocuments(job.corpus, job.principal)
    candidates = [
        _sample_passages(document, job.options)
        for documents in _sample_documents(published, job.options)
        for document in documents
    ]
    with Chat(job.chat, job.corpus.answers) as chat:
        calls = Calls(partial(_ask_about_passage, chat=chat), chat.options.calls_at_once, FIRST_CALLS)

        def ask_about_passages(tried: Sequence[tuple[Document, Passage]]) -> list[GeneratedQuestion | RefusedQuestion | None]:
            found = zip(tried, calls.ask_each([passage for _, passage in tried]), strict=True)
            return [
                RefusedQuestion(place=document.path, reason=str(one)) if isinstance(one, AnswerError) else one
                for (document, _), one in found
            ]

        chosen = choose_questions(candidates, ask_about_passages, _make_question_chooser(published, job.options))
        spent = chat.costs
    return _make_generation_result(chosen, spent, calls.stopped)


def write_generated_questions(job: GenerationJob, generated: GenerationResult) -> Path:
    """Write the questions and the refused ones; return the path for the refused ones."""
    return write_questions(Path(job.out), generated.questions, generated.refused)


def raise_early_end(job: GenerationJob, generated: GenerationResult) -> None:
    """Raise what ended the generation early.

    Raises:
        PagemillError: it was ended early, or there are no questions.
    """
    if generated.stopped:
        n, spent = len(generated.questions), generated.spent
        done = f"{n} questions are in {job.out}" if n else f"no question was made, and {job.out} was not written"
        done = f"{done}, after {spent.calls} calls for ${spent.dollars:.4f}"
        raise STOPS[generated.stop](f"{generated.stopped} ({done})")
    if not generated.questions:
        first = f": the first try: {generated.refused[0]}" if generated.refused else ": its documents hold too little text"
        raise CorpusError(f"no question could be made from {job.corpus}{first}")


def _ask_about_passage(passage: Passage, chat: Chat) -> GeneratedQuestion | RefusedQuestion:
    answered = chat.ask_for_object(build_question_prompt(passage), QuestionAndAnswer)
    made = locate_answer_in_passage(passage, answered, chat.options.model)
    reason = f"the answer does not stand in the passage that it is about: {answered.answer!r}"
    return made or RefusedQuestion(place=passage.document.path, reason=reason, question=answered.question)


def _sample_documents(published: PublishedDocuments, options: GenerateOptions) -> Iterator[list[Document]]:
    """Yield the documents that were drawn, by path, some at a time."""
    for paths in batched(sample_paths(published.list_paths(), options.documents, options.seed), DOCUMENTS_AT_ONCE):
        yield published.load_documents(paths)


def _sample_passages(document: Document, options: GenerateOptions) -> Candidates[Passage]:
    spans = spread_evenly(split_into_passages(document.text, options.passage_chars), options.seed)[
        : MOST_ROUNDS * options.per_document
    ]
    return Candidates(document, [Passage(document, span) for span in spans])


def _make_question_chooser(published: PublishedDocuments, options: GenerateOptions) -> Chooser:
    return Chooser(
        lambda texts: published.searcher.embedder.encode_queries(texts), options.per_document, options.least_alike, options.split
    )


def _make_generation_result(chosen: Chosen, spent: ChatCosts, stopped: PagemillError | None) -> GenerationResult:
    stop = {"stop": type(stopped).__name__, "stopped": str(stopped)} if stopped else {}
    return GenerationResult(questions=tuple(chosen.questions), refused=tuple(chosen.refused), spent=spent, **stop)
