import json
import shutil
from pathlib import Path

import pytest

from schemas.corpus import Corpus
from schemas.errors import CorpusError, InputError
from tasks.search.io.ask import answer_question
from tasks.serve.io.live import LiveCorpus, OpenGeneration
from tasks.store import lance, published
from tests.tasks.small_corpus import publish_corpus


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    publish_corpus(str(tmp_path / "corpus"), {"mill.txt": "The heron waits by the weir.\nIt eats eels.", "b.txt": "A ledger."})
    return Corpus(str(tmp_path / "corpus"))


def publish_without(corpus: Corpus, path: str) -> None:
    """Publish a generation in which a document is missing."""
    last = published.read_live_generation(corpus)
    versions = dict(last.versions)
    for name in ("documents", "chunks"):
        table = lance.open_table(corpus, name)
        table.delete(f"path = '{path}'")
        versions[name] = table.version
    row = published.read_generation_rows(corpus)[-1]
    published.insert_generation(corpus, {**row, "generation": last.generation + 1, "versions": json.dumps(versions)})


def found(opened: OpenGeneration) -> tuple[int, list[str]]:
    hits = answer_question(opened.open_searcher(None), "heron ledger", 5, "fts", returned="chunks").hits
    return opened.live.generation, sorted(hit.path for hit in hits)


def test_what_is_published_is_seen_by_the_next_question(corpus: Corpus) -> None:
    live = LiveCorpus(corpus)
    assert live.call_on_live(found) == (1, ["b.txt", "mill.txt"])
    publish_without(corpus, "b.txt")
    assert live.call_on_live(found) == (2, ["mill.txt"])


def test_the_generation_stays_open_as_long_as_nothing_is_published(corpus: Corpus) -> None:
    live = LiveCorpus(corpus)
    assert live.open_newest() is live.open_newest()
    assert live.open_newest(anew=True) is live.open_newest()


def test_a_question_whose_generation_goes_is_asked_of_the_next(corpus: Corpus) -> None:
    live, asked = LiveCorpus(corpus), list[int]()

    def interrupted(opened: OpenGeneration) -> tuple[int, list[str]]:
        asked.append(opened.live.generation)
        if len(asked) < 3:
            publish_without(corpus, f"other{len(asked)}.txt")
            raise CorpusError("a file of the table is gone")
        return found(opened)

    assert live.call_on_live(interrupted) == (3, ["b.txt", "mill.txt"])
    assert asked == [1, 2, 3]


def test_what_fails_twice_alike_is_told(corpus: Corpus) -> None:
    live, asked = LiveCorpus(corpus), list[OpenGeneration]()

    def failing(opened: OpenGeneration) -> None:
        asked.append(opened)
        raise CorpusError("the disk is gone")

    with pytest.raises(CorpusError, match="the disk is gone"):
        live.call_on_live(failing)
    assert len(asked) == 1


def test_a_wrong_question_is_not_asked_again(corpus: Corpus) -> None:
    live = LiveCorpus(corpus)

    def asked(opened: OpenGeneration) -> None:
        publish_without(corpus, "b.txt")
        answer_question(opened.open_searcher(None), " ")

    with pytest.raises(InputError, match="the question is empty"):
        live.call_on_live(asked)
    assert live.call_on_live(found)[0] == 2


def test_a_corpus_without_a_generation_says_so_until_there_is_one(tmp_path: Path) -> None:
    live = LiveCorpus(Corpus(str(tmp_path)))
    with pytest.raises(CorpusError, match="holds no published corpus"):
        live.call_on_live(found)
    publish_corpus(str(tmp_path), {"mill.txt": "The heron waits."})
    assert live.call_on_live(found) == (1, ["mill.txt"])


def test_a_corpus_that_is_built_anew_is_opened_anew(corpus: Corpus) -> None:
    live = LiveCorpus(corpus)
    live.call_on_live(found)
    shutil.rmtree(corpus.folder)
    publish_corpus(corpus.uri, {"new.txt": "Another heron."})
    assert live.call_on_live(found) == (1, ["new.txt"])
