"""Documents: parsed and described once, by the steps of a refresh, and kept in the experiment's folder."""

import logging
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pyarrow as pa

from schemas.corpus import Corpus
from schemas.errors import InputError, PagemillError
from schemas.references import Frozen
from schemas.shown import plain
from tasks.describe.io.classify import classify_figures, ocr_cache_of
from tasks.describe.io.describe import describe_content
from tasks.describe.io.examine import OcrSettings
from tasks.evaluate.gold import DocumentText
from tasks.experiment.io.library import Library, Text
from tasks.experiment.io.plan import Document, Plan
from tasks.parse.io.ranges import RangedParser, map_ranged
from tasks.store import files
from tasks.workers.pool import WorkerPool

logger = logging.getLogger(__name__)


class Unread(Frozen):
    """A document that could not be read, and why."""

    path: str
    reason: str


def describe_documents(plan: Plan) -> list[Unread]:
    """Parse and describe what is not kept yet, in worker processes; return the documents that have no text.

    Raises:
        InputError: no document has any text.
    """
    contents = {document.content.name: document for document in plan.documents if not _kept(plan, document).exists()}
    failed = {name: error for name, error in _described(plan, list(contents.values())) if error}
    unread = [
        Unread(path=document.path, reason=failed.get(document.content.name) or "it contains no text")
        for document in plan.documents
        if document.content.name in failed or not files.read_table(_kept(plan, document))["text"][0].as_py().strip()
    ]
    if len(unread) == len(plan.documents):
        raise InputError(f"no document of {plan.options.source} can be read: {unread[0].path}: {unread[0].reason}")
    for one in unread:
        logger.warning("%s is left out: %s", plain(one.path), one.reason)
    return unread


def _kept(plan: Plan, document: Document) -> Path:
    return plan.out.staged("describe", plan.described) / f"{document.content.sha256}.arrow"


def _described(plan: Plan, documents: list[Document]) -> Iterator[tuple[str, str]]:
    """Yield the name of each content with the reason why it cannot be read; blank if it is kept now."""
    options = plan.options
    settings = OcrSettings(options.describe, options.parse, ocr_cache_of(plan.out, plan.described))
    with WorkerPool(options.limits) as pool:
        contents = [document.content for document in documents]
        files.storage_of(plan.out.private).sweep(plan.out.private)
        parser = RangedParser(options.parse, options.limits, plan.out.drafts)
        for number, parsed in map_ranged(pool, contents, options.parse, parser):
            reason = _reason(parsed)
            if not reason:
                call = (parsed, settings, classify_figures(parsed, options.describe))
                [(_, found)] = pool.map(describe_content, [call])
                reason = _reason(found)
            if not reason:
                files.put_table(_kept(plan, documents[number]), found)
            yield contents[number].name, reason


def _reason(outcome: pa.Table | PagemillError) -> str:
    """Return why a document cannot be read, from an outcome of a step: an error, or a row that rejects the document."""
    if isinstance(outcome, PagemillError):
        return str(outcome)
    rejects = [reject for reject in outcome["rejects"][0].as_py() if reject["page_number"] == 0]
    return f"{rejects[0]['message']}: {rejects[0]['remedy']}" if rejects else ""


def library_of(plan: Plan) -> Library:
    """Return the documents that have text; the last ones stay in memory."""
    return _library(plan.out, plan.described, plan.documents)


@lru_cache(maxsize=1)
def _library(out: Corpus, recipe: str, documents: tuple[Document, ...]) -> Library:
    folder = out.staged("describe", recipe)
    paths = [(document, folder / f"{document.content.sha256}.arrow") for document in documents]
    rows = [(document, files.read_table(path).to_pylist()[0]) for document, path in paths if path.exists()]
    return Library(Text(document.document_id, document.path, row) for document, row in rows if row["text"].strip())


def sources_of(library: Library) -> dict[str, DocumentText]:
    """Return the texts and numbers of pages by path, to locate gold in."""
    texts = library.texts.values()
    return {
        text.path: DocumentText(text.text, max((e["page_number"] for e in text.row["elements"]), default=1)) for text in texts
    }
