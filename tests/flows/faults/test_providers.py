"""Corpora whose vectors come from an endpoint, or are static: built, searched, moved, and built while the endpoint fails."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from schemas.corpus import Corpus
from schemas.errors import CorpusError, GateError, InputError, ServiceError
from schemas.options.embedding import KEY_VARIABLES
from tasks.embed.io.endpoint import calls
from tasks.search.io.retrieve import open_searcher
from tests.chat_endpoint import Reply, fails
from tests.flows.conftest import Refresh
from tests.flows.corpora import computed, paths, rows
from tests.tasks.embed.io.static_models import WORDS, model2vec
from tests.vector_endpoint import VectorEndpoint, serving

SECRET = "sk-secret-of-the-test"
SMALL = {"chunk": {"size_tokens": 100}}


@pytest.fixture(autouse=True)
def no_key_and_no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*KEY_VARIABLES, "PAGEMILL_EMBED_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(calls, "_unreachable", {})


@pytest.fixture
def endpoint() -> Iterator[VectorEndpoint]:
    with serving() as served:
        yield served


def by(endpoint: VectorEndpoint, **own: Any) -> dict[str, Any]:
    embed = {"provider": "endpoint", "model": "mill-embed", "base_url": endpoint.url, "retry_seconds": (), **own}
    return {"embed": embed, "limits": {"retry_seconds": ()}, **SMALL}


def found(corpus: Path, question: str) -> list[str]:
    return [hit.path for hit in open_searcher(Corpus(str(corpus))).search(question, 1, mode="dense")]


def test_a_corpus_by_an_endpoint_answers_and_keeps_no_key(
    plain: Refresh, texts: Path, corpus: Path, endpoint: VectorEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAGEMILL_EMBED_API_KEY", SECRET)
    prompted = by(endpoint, query_prompt="query: ", document_prompt="passage: ")
    assert computed(plain(texts, corpus, **prompted))["embed"] == 3
    sent = [text for call in endpoint.texts for text in call]
    assert {"passage: The heron stands. It waits.", "passage: The pump runs."} <= set(sent)
    endpoint.asked.clear()
    assert found(corpus, "the mill turns") == ["b.txt"]
    assert endpoint.texts[0] == ["query: the mill turns"]
    assert set(endpoint.keys) == {f"Bearer {SECRET}"}
    assert not [path for path in corpus.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]


def test_another_address_of_the_same_model_embeds_nothing_again_and_another_dimension_is_refused(
    plain: Refresh, texts: Path, corpus: Path, endpoint: VectorEndpoint
) -> None:
    plain(texts, corpus, **by(endpoint))
    with serving() as moved:
        assert plain(texts, corpus, **by(moved))["outcome"] == "nothing changed"
        (texts / "d.txt").write_text("The kiln burns.")
        assert computed(plain(texts, corpus, **by(moved)))["embed"] == 1
        assert "The kiln burns." in [text for call in moved.texts for text in call]
        assert found(corpus, "the kiln") == ["d.txt"]
    with serving(dimension=12) as longer, pytest.raises(CorpusError, match="was embedded with another model"):
        plain(texts, corpus, **by(longer))
    assert paths(corpus) == {"a.txt", "b.txt", "c.txt", "d.txt"}


def test_a_search_asks_where_the_corpus_was_built_or_where_the_environment_says(
    plain: Refresh, texts: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving() as gone:
        plain(texts, corpus, **by(gone))
    with pytest.raises(ServiceError, match=r"/v1/embeddings gives no vectors .* cannot be reached"):
        found(corpus, "the heron")
    assert [hit.path for hit in open_searcher(Corpus(str(corpus))).search("heron", 1, mode="fts")] == ["a.txt"]
    with serving() as other, serving(dimension=5) as wrong:
        monkeypatch.setenv("PAGEMILL_EMBED_BASE_URL", other.url)
        assert found(corpus, "the heron stands") == ["a.txt"]
        monkeypatch.setenv("PAGEMILL_EMBED_BASE_URL", wrong.url)
        with pytest.raises(InputError, match="makes vectors of 5 numbers by mill-embed, and 8 are expected"):
            found(corpus, "the heron")
    monkeypatch.setenv("PAGEMILL_EMBED_BASE_URL", "localhost:1")
    with pytest.raises(InputError, match="PAGEMILL_EMBED_BASE_URL is 'localhost:1', which is no address"):
        found(corpus, "the heron")


@pytest.mark.parametrize("failure", [fails(500, "no"), Reply(b"", status=0)], ids=["500", "cut"])
def test_an_endpoint_that_fails_in_the_middle_loses_nothing_that_is_published(
    plain: Refresh, texts: Path, corpus: Path, failure: Reply
) -> None:
    broken: list[str] = []
    with serving(odd=lambda given: failure if any(word in text for word in broken for text in given) else None) as served:
        plain(texts, corpus, **by(served))
        (texts / "b.txt").write_text("The mill rests.")
        (texts / "d.txt").write_text("The kiln burns.")
        broken.append("rests")
        with pytest.raises(GateError):
            plain(texts, corpus, **by(served), gate={"max_reject_share": 0.0})
        assert found(corpus, "the mill turns") == ["b.txt"]
        plain(texts, corpus, **by(served), gate={"max_reject_share": 0.5})
        assert [(row["path"], row["error"], row["final"]) for row in rows(corpus, "rejects")] == [
            ("b.txt", "ServiceError", False)
        ]
        assert "The mill turns. It grinds." in [row["text"] for row in rows(corpus, "chunks")], "the last good rows stay"
        broken.clear()
        served.asked.clear()
        plain(texts, corpus, **by(served))
        assert rows(corpus, "rejects") == []
        sent = [text for call in served.texts for text in call]
        assert "The mill rests." in sent
        assert "The kiln burns." not in sent, "what was embedded is staged"


def test_a_text_without_a_vector_rejects_its_document_only(
    plain: Refresh, texts: Path, corpus: Path, endpoint: VectorEndpoint
) -> None:
    endpoint.odd = lambda given: (
        Reply(b'{"data": [{"embedding": null}]}')
        if given == ["The pump runs."]
        else (fails(400, "bad text") if "The pump runs." in given else None)
    )
    plain(texts, corpus, **by(endpoint), gate={"max_reject_share": 0.4})
    [reject] = rows(corpus, "rejects")
    assert (reject["path"], reject["error"], reject["final"]) == ("c.txt", "DocumentError", True)
    assert "has no vector" in reject["message"]


def test_a_corpus_of_static_vectors_is_built_and_searched_without_torch(
    plain: Refresh, texts: Path, corpus: Path, tmp_path: Path
) -> None:
    model = model2vec(tmp_path / "static-mill")
    plain(texts, corpus, embed={"model": str(model)}, **SMALL)
    assert found(corpus, "heron waits") == ["a.txt"]
    assert len(rows(corpus, "chunks")[0]["vector"]) == 6
    assert "heron" in WORDS
    shutil.rmtree(model)
    with pytest.raises(InputError, match="there is no embedder"):
        found(corpus, "heron waits")
