"""Which language documents are told to be in, and how many questions find their section by words.

All languages lie in one corpus. A question is the heading of a section, which stands in no chunk; recall counts the questions
for which one of the first five chunks is of that section.
"""

import tempfile
from collections import Counter
from collections.abc import Sequence

import pyarrow as pa

from benchmarks.languages.sections import FOLDERS, Section, sections
from benchmarks.report import parts_to_run, say
from tasks.chunk.sentences import find_sentence_spans
from tasks.experiment.io.chunks import Terms, find_texts_by_words
from tasks.language.detection import detect_language
from tasks.language.terms import extract_terms, list_term_languages
from tasks.store.loading import import_lancedb

FIRST = 5
CHUNK_CHARS = {"zh": 150, "ja": 150}
"""Characters of a chunk, 450 in other languages."""


def main() -> None:
    """Print the figures."""
    parts_to_run(__doc__, ())
    found = sections()
    told = [detect_language(section.text) for section in found]
    cut = [(n, chunk) for n, section in enumerate(found) for chunk in chunks(section, told[n])]
    owners, texts = [n for n, _ in cut], [text for _, text in cut]
    asked = [n for n, section in enumerate(found) if section.asked]
    questions = [found[n].heading for n in asked]
    say(f"{len(found):,} sections, {len(texts):,} chunks, {len(questions):,} questions")
    found_now = find_texts_by_words(
        Terms([extract_terms(text, told[n]) for n, text in cut], list_term_languages(Counter(told))), questions, FIRST
    )
    now = [[chunk for chunk, _ in one] for one in found_now]
    ways = {"English for all": english(texts, questions), "each its own": now}
    right = {name: [asked[i] in {owners[chunk] for chunk in best} for i, best in enumerate(way)] for name, way in ways.items()}
    say("language  sections told  questions  " + "  ".join(f"recall@{FIRST} {name}" for name in right))
    for language in FOLDERS:
        of_language = [n for n, section in enumerate(found) if section.language == language]
        share = sum(told[n] == language for n in of_language) / len(of_language)
        mine = [i for i, n in enumerate(asked) if found[n].language == language]
        recalls = "  ".join(f"{100 * sum(hits[i] for i in mine) / len(mine):6.1f}" for hits in right.values())
        say(f"{language:<8}  {100 * share:6.1f} %  {len(mine):4}  {recalls}")


def chunks(section: Section, language: str) -> list[str]:
    """Return whole sentences of a section, packed up to the length of a chunk."""
    limit, packed = CHUNK_CHARS.get(section.language, 450), [""]
    for start, end in find_sentence_spans(section.text, language=language):
        if packed[-1] and len(packed[-1]) + end - start > limit:
            packed.append("")
        packed[-1] += section.text[start:end]
    return packed


def english(texts: Sequence[str], questions: Sequence[str]) -> list[list[int]]:
    """Return the numbers of the texts that Lance finds with its own rules for English."""
    from lancedb.index import FTS
    from lancedb.query import MatchQuery

    with tempfile.TemporaryDirectory() as folder:
        rows = pa.table({"chunk": range(len(texts)), "text": pa.array(texts, pa.string())})
        table = import_lancedb().connect(folder).create_table("chunks", rows)
        table.create_index("text", config=FTS(with_position=False))
        queries = [MatchQuery(question, "text") for question in questions]  # type: ignore[call-arg]
        found = [table.search(query, query_type="fts").limit(FIRST).to_arrow() for query in queries]
    return [one["chunk"].to_pylist() for one in found]


if __name__ == "__main__":
    main()
