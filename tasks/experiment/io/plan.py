"""Plan: what an experiment consists of, known before anything is computed."""

import json
import logging
import os
from pathlib import Path
from typing import Any

from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.ids import document_id, json_digest
from schemas.options.experiment import ExperimentOptions
from schemas.options.sections import ChunkOptions, EmbedOptions, PlanOptions, RefreshOptions
from schemas.references import Content, Frozen
from schemas.shown import plain
from schemas.versions import EXPERIMENT_VERSION
from tasks.evaluate.gold import Question
from tasks.evaluate.io.question_files import read_questions
from tasks.experiment.grid import Cell, list_chunkers, make_configurations, name_chunker, name_embedders
from tasks.refresh.io.facts import make_recipes
from tasks.refresh.io.plan import make_file
from tasks.refresh.io.source.documents import read_documents
from tasks.refresh.io.source.listing import Listing
from tasks.refresh.run import Recipes
from tasks.store import files
from tasks.store.sources.folder import FolderSource

SOURCE_NAME = "main"

logger = logging.getLogger(__name__)


class Document(Frozen):
    """A document of the source: its id, its path relative to the source, and its content."""

    document_id: str
    path: str
    content: Content


class Plan(Frozen):
    """An experiment: its folder, its documents, and its cells. `described` is the recipe of their texts.

    `data` is the identity of documents and questions: what was measured with others is not taken for this one's.
    """

    out: Corpus
    options: ExperimentOptions
    documents: tuple[Document, ...]
    questions: tuple[Question, ...]
    described: str
    data: str
    cells: tuple[Cell, ...]


def plan_experiment(options: ExperimentOptions, out: Corpus) -> Plan:
    """Read the questions, list and hash the documents, and name what is to be measured.

    Raises:
        InputError: there are no documents or no questions, none of the documents is named by a question, a model or Tesseract is
            missing, or the folder cannot be written to.
    """
    questions = tuple(read_questions(Path(options.questions)))
    refresh = RefreshOptions(
        plan=PlanOptions(include=options.include, exclude=options.exclude), parse=options.parse, describe=options.describe
    )
    if os.path.realpath(options.source) == os.path.realpath(out.folder):
        raise InputError(f"{out} is the folder of the documents: choose another folder for the results")
    documents = _list_experiment_documents(refresh, options.source, out)
    named = {path for question in questions for path in question.document_paths}
    if not named & {document.path for document in documents}:
        raise InputError(
            f"no question of {options.questions} names a document of {options.source}: they name {_join_names(named)}, and "
            f"the folder holds {_join_names({document.path for document in documents})}: paths must be relative to the folder"
        )
    files.check_folder_writable(out.folder)
    source = sorted([document.path, document.content.sha256] for document in documents)
    data = json_digest([source, [question.model_dump(mode="json") for question in questions]])
    cells, described = _make_cells(options, refresh, json_digest(source), data)
    return Plan(out=out, options=options, documents=documents, questions=questions, described=described, data=data, cells=cells)


def _list_experiment_documents(options: RefreshOptions, source: str, out: Corpus) -> tuple[Document, ...]:
    listing = Listing(FolderSource(Path(source)), options)
    read = read_documents(listing, out, options, remember=False)
    for document in read:
        if document.refused:
            logger.warning("%s is left out: %s", plain(document.path), document.refused)
    found = tuple(
        Document(
            document_id=document_id(SOURCE_NAME, document.path),
            path=document.path,
            content=listing.make_content(make_file(document, {})),
        )
        for document in read
        if document.sha256
    )
    if not found:
        why = f": {listing.why_empty}" if listing.why_empty else ""
        raise InputError(f"source {source} holds no documents{why}: name the folder of the documents")
    return found


def _join_names(names: set[str]) -> str:
    first = sorted(names)[:3]
    return ", ".join(first) + (f" and {len(names) - len(first)} more" if len(names) > len(first) else "")


def _make_cells(options: ExperimentOptions, refresh: RefreshOptions, source: str, data: str) -> tuple[tuple[Cell, ...], str]:
    """Return the cells, and the recipe of the documents' texts, which all of them share."""
    names = name_embedders(options.embedders)
    cells, described = [], ""
    for embed, embedder in zip(options.embedders, names, strict=True):
        for chunker in list_chunkers(options):
            recipes = make_recipes(refresh.model_copy(update={"chunk": chunker, "embed": embed}))
            described = recipes.describe
            name = name_chunker(chunker) + (f", {embedder}" if len(names) > 1 else "")
            cells.append(
                Cell(
                    name=name,
                    chunk=chunker.resolve(recipes.max_tokens),
                    embed=embed,
                    engine=recipes.engine,
                    recipe=recipes.whole,
                    chunks=_identify_chunks(recipes, chunker, embed, source),
                    configurations=make_configurations(options, name, recipes.whole, data),
                )
            )
    return tuple(cells), described


def _identify_chunks(recipes: Recipes, chunker: ChunkOptions, embed: EmbedOptions, source: str) -> str:
    """Return the identity of chunks: embedders with the same tokenizer share them, if no vectors of sentences are needed."""
    from tasks.embed.io import providers

    facts: dict[str, Any] = json.loads(recipes.details)["chunk"]
    del facts["tokenizer"]
    counted = files.compute_sha256(providers.find_tokenizer_path(embed))
    compared = [recipes.sentences, recipes.engine] if chunker.sentence_vectors else None
    return json_digest([EXPERIMENT_VERSION, recipes.describe, source, facts, counted, compared])
