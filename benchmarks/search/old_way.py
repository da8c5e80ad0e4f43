"""The old way to trim passages: their sentences were embedded with every question."""

from benchmarks.search.drawn import Drawn
from benchmarks.search.measured import K, milliseconds, open_light_searcher
from schemas.options.sections import EmbedOptions
from tasks.embed.io.providers import open_provider
from tasks.search.io.texts import DocumentTexts
from tasks.search.ranker import CHUNKS_PER_RESULT
from tasks.search.trimming import PassageChunk, split_units


def time_sentences(drawn: Drawn) -> list[float]:
    """Return median, 95th percentile and CPU in ms of embedding the sentences of as many chunks as passages are made of."""
    searcher = open_light_searcher(drawn.corpus)
    documents = DocumentTexts(searcher.tables)
    provider = open_provider(EmbedOptions(too_long="truncate"), light=True)
    found = {}
    for question in drawn.questions:
        hits = searcher.search(question, K * CHUNKS_PER_RESULT, returned="chunks")
        documents.load([hit.document_id for hit in hits])
        spans = [
            (hit.document_id, *span)
            for hit in hits
            for span in split_units(
                documents.text(hit.document_id),
                [PassageChunk(hit.chunk_id, hit.document_id, 0, hit.start_char, hit.end_char, hit.kind)],
            )
        ]
        found[question] = [documents.text(name)[low:high] for name, low, high in spans]
    return milliseconds(list(found), lambda question: provider.encode(found[question]))
