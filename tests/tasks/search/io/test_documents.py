import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.conform import make_table_from_rows
from schemas.corpus import Corpus
from schemas.errors import InputError, UnknownDocument
from schemas.ids import document_id, element_id
from schemas.tables.elements import ELEMENTS
from tasks.search.io.documents import read_document_text
from tasks.store import lance, published
from tasks.store.access import OpenTables
from tasks.store.published import Generation
from tests.tasks.small_corpus import publish_corpus

TEXT = "The heron waits.\nIt eats \u00e9els \U0001f41f.\nIt sleeps."


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = str(tmp_path_factory.mktemp("corpus"))
    publish_corpus(folder, {"a/mill.txt": TEXT, "both.txt": "One.", "o'clock.txt": "Noon."}, ("main", "other"))
    return Corpus(folder)


@pytest.fixture(scope="module")
def live(corpus: Corpus) -> Generation:
    """The generation, with an element for each line, on a page of its own; a fourth page without text is not counted."""
    name, rows, start = document_id("main", "a/mill.txt"), [], 0
    for position, line in enumerate(TEXT.split("\n")):
        place = {"page_number": position + 1, "kind": "paragraph", "text": line, "section": []}
        span = {"start_char": start, "end_char": start + len(line)}
        rows.append(
            {"element_id": element_id(name, position + 1, position), "document_id": name, "position": position, **place, **span}
        )
        start += len(line) + 1
    rows.append({**rows[1], "element_id": "footer", "position": 9, "kind": "furniture", "start_char": None, "end_char": None})
    table = lance.ensure_table(corpus, "elements", ELEMENTS)
    table.add(make_table_from_rows([dict.fromkeys(ELEMENTS.names) | row for row in rows], ELEMENTS))
    found = published.read_live_generation(corpus)
    return found.model_copy(update={"versions": {**found.versions, "elements": table.version}})


@given(length=st.integers(1, 50), page=st.sampled_from([None, 1, 2, 3]))
def test_parts_follow_each_other_and_make_the_text(corpus: Corpus, live: Generation, length: int, page: int | None) -> None:
    name, start, text = document_id("main", "a/mill.txt"), 0, ""
    while True:
        part = read_document_text(OpenTables(corpus, live, None), live, name, page, start, length)
        assert len(part.text) <= length and part.text == TEXT[part.start_char : part.end_char]
        text += part.text
        if part.next_start_char is None:
            break
        start = part.next_start_char
    assert text == (TEXT if page is None else TEXT.split("\n")[page - 1])


def test_a_document_is_named_by_its_path_if_one_source_has_it(corpus: Corpus, live: Generation) -> None:
    with pytest.raises(InputError, match=r"2 sources have a document both\.txt"):
        read_document_text(OpenTables(corpus, live, None), live, "both.txt")
    found = read_document_text(OpenTables(corpus, live, None), live, document_id("other", "o'clock.txt"))
    assert (found.text, found.path, found.n_pages, found.page) == ("Noon.", "o'clock.txt", 1, None)


@pytest.mark.parametrize("name", ["gone.txt", "", "0" * 32, "x' OR 'a' = 'a", "caf\udce9", "x" * 100_000])
def test_a_document_that_is_not_there_is_unknown(corpus: Corpus, live: Generation, name: str) -> None:
    with pytest.raises(UnknownDocument, match="has no document") as unknown:
        read_document_text(OpenTables(corpus, live, None), live, name)
    assert len(str(unknown.value)) < 400


def test_a_part_out_of_range_is_refused_or_empty(corpus: Corpus, live: Generation) -> None:
    name = document_id("main", "a/mill.txt")
    for page in (0, 4):
        with pytest.raises(InputError, match=rf"pages 1 to 3: there is no page {page}"):
            read_document_text(OpenTables(corpus, live, None), live, name, page)
    for start, length in ((-1, 5), (0, 0)):
        with pytest.raises(InputError, match="start counts from 0, and length from 1"):
            read_document_text(OpenTables(corpus, live, None), live, name, None, start, length)
    past = read_document_text(OpenTables(corpus, live, None), live, name, None, 10_000)
    assert (past.text, past.next_start_char) == ("", None)
