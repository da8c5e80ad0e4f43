"""Collect what a model learns from: a corpus's questions with the chunks that answer them, and a pool of its chunks."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from schemas.access import Principal
from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.options.finetune import FinetuneOptions
from schemas.options.sections import EmbedOptions, EvaluateOptions
from schemas.references import Frozen
from tasks.embed.io.static_files import find_static_files
from tasks.embed.io.tokenizer import find_model_folder
from tasks.evaluate.gold import Question
from tasks.evaluate.io import score
from tasks.evaluate.io.documents import read_documents
from tasks.evaluate.io.evidence import Document, Ranges, read_evidence
from tasks.evaluate.io.question_files import read_questions
from tasks.evaluate.io.score import Evaluation
from tasks.finetune.examples import Example, remove_held_out_questions
from tasks.search.io.retrieve import CorpusEmbedder
from tasks.store import published
from tasks.store.access import check_owner
from tasks.store.published import Generation

FEWEST = 2
"""Questions without which nothing can be learnt, and nothing told."""


class Finetuning(Frozen):
    """One fine-tuning: of the embedder of a generation, with the questions of two splits, into the folder `out`."""

    run_id: str
    corpus: Corpus
    live: Generation
    train: tuple[Question, ...]
    held_out: tuple[Question, ...]
    out: str
    options: FinetuneOptions

    @property
    def embedding(self) -> EmbedOptions:
        """How the base model embeds: by torch in float32, and what is too long is cut."""
        options = CorpusEmbedder(self.corpus, self.live).options
        return options.model_copy(update={"engine": "torch", "dtype": "float32", "too_long": "truncate"})


class TrainingData(NamedTuple):
    """Training and held-out examples. `texts` are those of the pool's chunks, without prompts.

    `n_unplaced` counts the questions that no chunk answers.
    """

    train: list[Example]
    held_out: list[Example]
    texts: list[str]
    n_unplaced: int
    n_left_out: int
    n_shortened: int
    n_chunks: int


def start_finetuning(
    run_id: str, corpus: Corpus, questions: str, out: str, options: FinetuneOptions, principal: Principal | None = None
) -> Finetuning:
    """Return a fine-tuning of the embedder of the generation that is live now, by all of its documents.

    Raises:
        AccessError: the corpus says who may read it, and it is not its owner who asks.
        CorpusError: nothing has been published.
        InputError: the embedder cannot be tuned, `out` is there already, or a split has too few questions.
    """
    check_owner(corpus, principal)
    asked, live = read_questions(Path(questions)), published.read_live_generation(corpus)
    parts = [tuple(one for one in asked if one.split == split) for split in (options.train_split, options.held_out_split)]
    for split, part in zip((options.train_split, options.held_out_split), parts, strict=True):
        if len(part) < FEWEST:
            known = ", ".join(sorted({one.split for one in asked}))
            raise InputError(
                f"{questions} has {len(part)} questions of the split {split}, and fewer than {FEWEST} are not enough; "
                f"its splits are {known}: see docs/finetune.md"
            )
    if options.train_split == options.held_out_split:
        raise InputError("train_split and held_out_split are the same: what was learnt cannot tell whether it helped")
    if Path(out).exists():
        raise InputError(f"{out} is there already: name a new folder for the model")
    job = Finetuning(run_id=run_id, corpus=corpus, live=live, train=parts[0], held_out=parts[1], out=out, options=options)
    _check_embedder_tunable(job.embedding)
    return job


def _check_embedder_tunable(options: EmbedOptions) -> None:
    if options.provider != "local":
        raise InputError(f"{options.model} stands behind an endpoint: only a local transformer can be tuned")
    if find_static_files(find_model_folder(options.model)):
        raise InputError(f"{options.model} has static vectors: only a transformer can be tuned")


def collect_training_data(job: Finetuning) -> TrainingData:
    """Find the chunks that answer the questions, and draw the pool: they are in it, and other chunks up to its size.

    Raises:
        InputError: too few questions have a chunk that answers them.
        CorpusError: the tables cannot be read.
    """
    answered = _find_answering_chunks(job)
    golden = sorted({name for names in answered.values() for name in names})
    pool, n_chunks = _sample_pool(job, golden)
    place = {name: at for at, name in enumerate(pool)}
    examples = {
        part: [
            Example(one.id, one.question, one.document_paths[0], frozenset(place[name] for name in answered[one.id]))
            for one in asked
            if one.id in answered
        ]
        for part, asked in (("train", job.train), ("held out", job.held_out))
    }
    parted = remove_held_out_questions(examples["train"], examples["held out"])
    for part, found in (("train", parted.train), ("held out", examples["held out"])):
        if len(found) < FEWEST:
            raise InputError(
                f"only {len(found)} questions ({part}) have chunks that answer them: pagemill questions check says why"
            )
    n_unplaced = len(job.train) + len(job.held_out) - len(answered)
    texts = list(pool.values())
    return TrainingData(parted.train, examples["held out"], texts, n_unplaced, parted.n_left_out, parted.n_shortened, n_chunks)


def _find_answering_chunks(job: Finetuning) -> dict[str, list[str]]:
    """Return the ids of the chunks that touch the gold of each question, by its id; only questions with such chunks."""
    asked = (*job.train, *job.held_out)
    evaluation = Evaluation(run_id=job.run_id, corpus=job.corpus, live=job.live, questions=asked, options=EvaluateOptions())
    located = score.locate_gold_if_any(evaluation).questions
    rows = read_documents(job.corpus, job.live, ["document_id", "text"], {path for one in located for path in one.document_paths})
    documents = {path: Document(row["document_id"], row["text"]) for path, row in rows.items()}
    ranges = Ranges(score.open_tokenizer(evaluation), documents, located)
    evidence = read_evidence(job.corpus, job.live, ranges, located)
    found = {one.id: sorted(evidence.find_chunks_with_gold(ranges.find_relevant_characters(one))) for one in located}
    return {name: chunks for name, chunks in found.items() if chunks}


def _sample_pool(job: Finetuning, golden: list[str]) -> tuple[dict[str, str], int]:
    """Return the texts of the pool's chunks as they are embedded, by id in order, and how many chunks the generation has."""
    ids = sorted(published.read_columns(job.corpus, job.live, "chunks", ["chunk_id"])["chunk_id"].to_pylist())
    known = set(golden)
    others = [name for name in ids if name not in known]
    room = max(0, job.options.pool_chunks - len(golden))
    drawn = np.random.default_rng(job.options.seed).permutation(len(others))[:room]
    chosen = known | {others[at] for at in drawn.tolist()}
    texts: dict[str, str] = {}
    for part in published.read_batches(job.corpus, job.live, "chunks", ["chunk_id", "embedding_text"]):
        rows = zip(part["chunk_id"].to_pylist(), part["embedding_text"].to_pylist(), strict=True)
        texts.update((name, text) for name, text in rows if name in chosen)
    return dict(sorted(texts.items())), len(ids)
