"""Options: frozen models, the same for flow parameters, environment variables and `pagemill.toml`.

`recipe=False` marks an option that never changes a result (limits, devices, batch sizes): the recipe leaves it out.
"""

import re
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from schemas.access import GROUPS, LISTED, has_access
from schemas.media_types import is_format
from schemas.options.chunking import ChunkOptions as ChunkOptions
from schemas.options.embedding import EmbedEngine as EmbedEngine
from schemas.options.embedding import EmbedOptions as EmbedOptions
from schemas.options.embedding import TooLong as TooLong
from schemas.options.frozen import APART, Share
from schemas.options.frozen import Options as Options
from schemas.options.pii import PiiOptions
from schemas.options.search import Mode, Returned
from schemas.options.sources import SourceOptions


class GateOptions(Options):
    """What must be true before a draft is published; never part of a recipe."""

    min_chunk_chars: int = Field(1, ge=1, description="shortest chunk", json_schema_extra=APART)
    tiny_tokens: int = Field(8, ge=1, description="a chunk of fewer tokens is tiny", json_schema_extra=APART)
    max_tiny_share: Share = Field(0.5, description="largest share of tiny chunks", json_schema_extra=APART)
    min_mean_tokens: float = Field(10, ge=0, description="smallest mean length, from 200 chunks on", json_schema_extra=APART)
    max_kl_divergence: float = Field(
        0.25,
        ge=0,
        description="largest drift of lengths from the recipe's last profile, in nats",
        json_schema_extra=APART,
    )
    min_profile_chunks: int = Field(200, ge=1, description="with fewer chunks, drift is not checked", json_schema_extra=APART)
    min_coverage: Share = Field(
        0.98,
        description="smallest share of a document's characters, white space aside, that its chunks cover",
        json_schema_extra=APART,
    )
    max_reject_share: Share = Field(
        0.3, description="largest share of the source's documents that may be rejected", json_schema_extra=APART
    )
    max_copy_share: Share = Field(
        0.5,
        description="of ten new documents or more, the largest share whose files are those of documents that were there before",
        json_schema_extra=APART,
    )
    alarm_reject_share: Share = Field(
        0.1,
        description="a refresh that publishes while a larger share of the source's documents is rejected raises an alarm",
        json_schema_extra=APART,
    )
    min_recall: Share = Field(
        0.95,
        description="smallest share of the ten nearest chunks that the index of vectors finds for 100 of the corpus's own; "
        "an index that finds less is built anew first",
        json_schema_extra=APART,
    )
    questions: str = Field(
        "",
        description="JSON-lines file of questions that a draft is searched with before it is published; blank: none",
        json_schema_extra=APART,
    )
    metric: str = Field(
        "recall@5",
        pattern=r"^[a-z_]+@[1-9][0-9]*$",
        description="what must not fall: a metric of an evaluation with its cutoff, such as document_recall@5",
        json_schema_extra=APART,
    )
    max_drop: Share = Field(
        0.02,
        description="largest fall of the metric; a draft is refused if the fall is larger with the confidence of an evaluation",
        json_schema_extra=APART,
    )
    max_pii_findings: int | None = Field(
        None,
        ge=0,
        description="most places of personal data in all documents (see pii.action); by default any number",
        json_schema_extra=APART,
    )
    accept_drift: bool = Field(
        False, description="publish this once although chunk lengths drifted, and record it", json_schema_extra=APART
    )


ADDRESS = re.compile(r"(?:tls|tcp|wss|ws)://[^\s/@?#]+:\d{1,5}")


class RunOptions(Options):
    """Where the steps of a refresh are carried out; never part of a recipe."""

    task_runner: Literal["threads", "dask"] = Field(
        "threads",
        description="what carries out parse, describe, chunk and embed: threads, with the worker processes of this machine, or "
        "dask, the workers of a Dask cluster",
        json_schema_extra=APART,
    )
    dask_address: str = Field(
        "",
        description="address of the Dask scheduler, such as tls://scheduler:8786; its workers must reach source and corpus at "
        "the same places as this machine",
        json_schema_extra=APART,
    )

    @model_validator(mode="after")
    def _dask_has_an_address(self) -> Self:
        if self.dask_address and not ADDRESS.fullmatch(self.dask_address):
            raise ValueError("dask_address is not the address of a scheduler, such as tls://scheduler:8786")
        if self.task_runner == "dask" and not self.dask_address:
            raise ValueError("task_runner is dask, but dask_address is blank: name the scheduler, such as tls://scheduler:8786")
        return self


TableReader = Literal["pagemill", "camelot-lattice", "camelot-stream", "camelot-network", "camelot-hybrid"]


class ParseOptions(Options):
    """How files become elements."""

    ocr: bool = Field(True, description="read pages without usable text with Tesseract")
    ocr_languages: str = Field(
        "auto",
        pattern=r"^[A-Za-z_]+(\+[A-Za-z_]+)*$",
        description="Tesseract's language codes, joined by +; auto: of those installed, the one of each page, English first",
    )
    ocr_dpi: int = Field(300, ge=72, le=600, description="resolution of a page rendered for OCR")
    max_page_pixels: int = Field(25_000_000, ge=1_000_000, description="largest number of pixels of a rendered page")
    figure_dpi: int = Field(150, ge=36, le=600, description="resolution of a figure's picture")
    table_reader: TableReader = Field(
        "pagemill",
        description="who reads the tables of PDFs. pagemill: Pagemill's own models and rules; camelot-lattice: Camelot, by ruling"
        " lines; camelot-stream, camelot-network: Camelot, by how words align; camelot-hybrid: lattice and network. Camelot reads"
        " text only, so Pagemill always reads the tables of scanned pages",
    )


FIGURE_LABELS = (
    "bar chart",
    "line graph",
    "pie chart",
    "scatter plot",
    "table",
    "flow chart or diagram",
    "map",
    "photograph",
    "equation",
    "screenshot",
    "logo",
    "handwriting or signature",
    "text",
)


class PlanOptions(Options):
    """Which files belong to the corpus, and which plans are refused."""

    source_name: str = Field(
        "main", pattern=r"^[A-Za-z0-9_.-]{1,64}$", description="a refresh touches only documents of its own source name"
    )
    include: tuple[str, ...] = Field(("**",), description="globs relative to the source; a file must match one")
    exclude: tuple[str, ...] = Field((), description="globs relative to the source; a file must match none")
    formats: tuple[str, ...] = Field(
        (),
        description="formats by a suffix of theirs: pdf takes PDFs alone, -png leaves PNG out; archives count unless left out",
    )
    verify: bool = Field(False, description="read every file again, even if size and modification time are unchanged")
    allow_empty: bool = Field(False, description="accept a source without documents")
    allow_removals: bool = Field(False, description="allow a refresh to remove more than max_removed_share of the documents")
    max_removed_share: Share = Field(
        0.2, description="largest share of the documents that a refresh removes without --allow-removals"
    )
    on_reject: Literal["keep", "drop"] = Field(
        "keep", description="keep a changed document's last good rows when it is rejected, or drop them"
    )
    retry_attempts: int = Field(
        3, ge=1, description="how many refreshes try a document again after a time-out, a crash or lack of memory"
    )

    @field_validator("formats")
    @classmethod
    def _formats_are_known(cls, formats: tuple[str, ...]) -> tuple[str, ...]:
        if unknown := [name for name in formats if not is_format(name)]:
            raise ValueError(f"{unknown[0]!r} is no format: name it by a suffix, such as pdf or -png")
        return formats


class LimitOptions(Options):
    """Limits of time and memory for one document; never part of a recipe."""

    workers: int = Field(0, ge=0, description="number of worker processes; 0: one per core", json_schema_extra=APART)
    page_seconds: float = Field(
        120,
        gt=0,
        description="CPU seconds without a finished page, programs such as Tesseract included, before a document is stopped; "
        "the limit in elapsed time is ten times as long",
        json_schema_extra=APART,
    )
    document_seconds: float = Field(
        3600,
        gt=0,
        description="CPU seconds for one document; the limit in elapsed time is ten times as long",
        json_schema_extra=APART,
    )
    memory_mb: int = Field(
        2048,
        ge=256,
        description="memory of one worker process and its child processes, in MiB; the flow's own process needs some 0.7 GB, and "
        "more with large documents",
        json_schema_extra=APART,
    )
    container_members: int = Field(
        100_000,
        ge=1,
        description="documents and other files in one archive or mailbox, inner ones included",
        json_schema_extra=APART,
    )
    container_mb: int = Field(
        4096, ge=1, description="MiB that one archive or mailbox unpacks to, inner ones included", json_schema_extra=APART
    )
    container_ratio: int = Field(
        200,
        ge=1,
        description="how many times its own size an archive may unpack to; the first 64 MiB are not held against it",
        json_schema_extra=APART,
    )
    container_depth: int = Field(
        5, ge=1, description="archives, mailboxes and mails in each other, the outermost included", json_schema_extra=APART
    )
    retry_seconds: tuple[Annotated[float, Field(ge=0)], ...] = Field(
        (2, 15, 60),
        description="waits before a step tries again after an external service fails, such as the endpoint of a language model",
        json_schema_extra=APART,
    )


class DescribeOptions(Options):
    """How figures become types and text."""

    hidden_text: bool = Field(False, description="include text that nobody can see on the page in the document's text and chunks")
    figure_ocr: bool = Field(True, description="read the text inside figures with Tesseract")
    min_confidence: Share = Field(0.5, description="OCR words with less confidence are left out of figures")
    min_page_confidence: Share = Field(0.3, description="the same for figures that are text, tables, handwriting or screenshots")
    clip_model: str = Field(
        "pagemill-figure-clip", description="pagemill-figure-clip (comes with Pagemill), a directory, or a hub id with a /"
    )
    labels: tuple[str, ...] = Field(FIGURE_LABELS, min_length=2, description="types that a figure may have")
    prompts: tuple[str, ...] = Field(
        ("{}", "a {}", "an image of a {}", "a figure showing a {}", "this figure is a {}"),
        min_length=1,
        description="phrasings of a type, whose vectors are averaged; {} stands for the label",
    )
    min_type_confidence: Share = Field(0.4, description="a figure whose type has less confidence gets the type figure")
    min_side_points: float = Field(18, ge=0, description="a figure with a shorter side is decoration, which is not described")
    max_aspect: float = Field(20, ge=1, description="a figure at least this many times longer than wide is decoration")
    max_page_share: Share = Field(
        0.5, description="a picture that repeats on a larger share of the pages (and on at least three) is decoration"
    )
    device: Literal["auto", "cpu", "cuda"] = Field(
        "auto", description="auto: CUDA when there is one, and the CPU for what it cannot take", json_schema_extra=APART
    )

    @field_validator("prompts")
    @classmethod
    def _prompts_hold_the_label(cls, prompts: tuple[str, ...]) -> tuple[str, ...]:
        for prompt in prompts:
            if prompt.count("{}") != 1 or prompt.replace("{}", "").count("{") or prompt.replace("{}", "").count("}"):
                raise ValueError(f"{prompt!r} must hold {{}} once, where the label stands, and no other brace")
        return prompts


class PublishOptions(Options):
    """How generations are kept, and which documents are duplicates."""

    least_similarity: float = Field(
        0.8,
        ge=0.8,
        le=1,
        description="least Jaccard similarity, by runs of five words, of a duplicate to the document that is shown for it; "
        "1: the same words; another value compares all documents at the next refresh that has something to do",
        json_schema_extra=APART,
    )
    keep_generations: int = Field(7, ge=1, description="number of generations kept for rollback", json_schema_extra=APART)
    lock_wait_seconds: float = Field(
        0, ge=0, description="seconds to wait for another run of the corpus", json_schema_extra=APART
    )
    rebuild: bool = Field(
        False,
        description="accept a recipe that differs from the corpus's, and compute every document again from the first step that "
        "differs; from the start if none does",
        json_schema_extra=APART,
    )
    private: bool = Field(
        True, description="create the folder of a new corpus so that only this user can read it", json_schema_extra=APART
    )
    release: bool = Field(False, description="accept a corpus that a rollback holds, and end the hold", json_schema_extra=APART)


class AccessOptions(Options):
    """Who may read documents of a corpus that declares the column `groups`; never part of a recipe."""

    default: Literal["everyone", "nobody"] = Field(
        "nobody", description="who may read a document that names no groups", json_schema_extra=APART
    )
    open: bool = Field(
        False, description="answer with all documents to those who do not say who they are", json_schema_extra=APART
    )
    audit: bool = Field(
        False,
        description="write down who asks what kind of thing when, and which documents are told (table audit)",
        json_schema_extra=APART,
    )
    audit_questions: bool = Field(
        False, description="write down questions and conditions in the audit log too", json_schema_extra=APART
    )
    audit_days: int = Field(90, ge=1, description="days for which the audit log keeps a row", json_schema_extra=APART)


class RefreshOptions(Options):
    """All options of a refresh."""

    plan: PlanOptions = PlanOptions()
    parse: ParseOptions = ParseOptions()
    limits: LimitOptions = LimitOptions()
    describe: DescribeOptions = DescribeOptions()
    chunk: ChunkOptions = ChunkOptions()
    embed: EmbedOptions = EmbedOptions()
    gate: GateOptions = GateOptions()
    publish: PublishOptions = PublishOptions()
    run: RunOptions = RunOptions()
    source: SourceOptions = SourceOptions()
    access: AccessOptions = AccessOptions()
    pii: PiiOptions = PiiOptions()
    columns: dict[str, Literal["int", "float", "bool", "string", "date", "list<string>"]] = Field(
        default_factory=dict, description="metadata columns for filters, with their types", json_schema_extra=APART
    )

    @field_validator("columns")
    @classmethod
    def _columns_are_new(cls, columns: dict[str, str]) -> dict[str, str]:
        if not columns:
            return columns
        from schemas.tables.chunks import make_chunks_schema  # pyarrow takes .1 s to import
        from schemas.tables.documents import make_documents_schema

        taken = {*make_chunks_schema(1, {}).names, *make_documents_schema({}).names}
        for name in columns:
            if name in taken or not name.isidentifier():
                raise ValueError(f"{name!r} cannot be declared: it is a column of Pagemill itself, or not a valid name")
        if columns.get(GROUPS, LISTED) != LISTED:
            raise ValueError(f"{GROUPS} says who may read a document: declare it as {LISTED!r}, or give it another name")
        return columns

    @model_validator(mode="after")
    def _pictures_are_read(self) -> Self:
        if self.pii.replaces and not (self.parse.ocr and self.describe.figure_ocr):
            raise ValueError(
                "pii redacts or rejects, but parse.ocr or describe.figure_ocr is off: what is written in pictures would stay in "
                "their thumbnails, so set both to true"
            )
        return self

    @model_validator(mode="after")
    def _access_has_groups(self) -> Self:
        if self.access != AccessOptions() and not has_access(self.columns):
            raise ValueError(f'access is set, but no column says who may read: declare {GROUPS} = "{LISTED}" in [columns]')
        if self.source.rights and not has_access(self.columns):
            raise ValueError(f'source.rights has no column to go to: declare {GROUPS} = "{LISTED}" in [columns]')
        return self


class EvaluateOptions(Options):
    """How a corpus is evaluated."""

    mode: Mode = Field("hybrid", description="how chunks are ranked")
    returned: Returned = Field(
        "passages", description="what a result is: a passage trimmed to its matching sentences, a chunk, its parent"
    )
    cutoffs: tuple[Annotated[int, Field(gt=0)], ...] = Field(
        (1, 3, 5, 10), min_length=1, description="cutoffs: how many of the first results are scored"
    )
    budgets: tuple[Annotated[int, Field(gt=0)], ...] = Field(
        (), description="budgets: numbers of tokens to fill with results, which are scored too"
    )
    answers: Literal["none", "builtin", "chat"] = Field(
        "none",
        description="who answers the questions from each budget of results: nobody; builtin, which takes the sentence nearest to "
        "the question; chat, the language model of the section chat",
        json_schema_extra=APART,
    )
    nli_model: str = Field(
        "",
        description="folder of a model for natural language inference that tells whether results entail answers; blank: none",
        json_schema_extra=APART,
    )
    judge: bool = Field(
        False, description="have the language model of the section chat grade the answers", json_schema_extra=APART
    )
    bootstrap_samples: int = Field(1000, ge=100, description="samples of the bootstrap interval")
    confidence: Annotated[float, Field(gt=0, lt=1)] = Field(0.95, description="coverage of the bootstrap interval")
    seed: int = Field(0, description="seed of the bootstrap")

    @model_validator(mode="after")
    def _answers_can_be_given(self) -> Self:
        if self.answers != "none" and not self.budgets:
            raise ValueError("answers are given from budgets of results: set budgets, such as --budget 500,2000")
        if (self.judge or self.nli_model) and self.answers == "none":
            raise ValueError("there are no answers for judge or nli_model to look at: set answers to builtin or chat")
        return self

    @property
    def asks_model(self) -> bool:
        """Whether a language model is asked."""
        return self.judge or self.answers == "chat"
