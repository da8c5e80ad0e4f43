"""What is wrong with a store, its address or its keys is told in one line, soon, and nothing is lost."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.store.seaweed import READER, Seaweed
from schemas.corpus import Corpus
from schemas.errors import PagemillError
from tasks.store.objects import client
from tests.flows.conftest import Refresh
from tests.flows.corpora import digest, paths
from tests.flows.stores.proxy import Proxy, Request

MOST_SECONDS = 30.0
SECRET = "a-secret-that-nobody-may-read"


def refused(plain: Refresh, source: Path | str, corpus: Path | str, **given: Any) -> str:
    """Return what is said of a refresh that fails."""
    began = time.monotonic()
    with pytest.raises(PagemillError) as error:
        plain(source, corpus, **given)
    assert time.monotonic() - began < MOST_SECONDS
    said = str(error.value)
    assert "\n" not in said and SECRET not in said
    return said


@pytest.fixture
def published_corpus(plain: Refresh, texts: Path, bucket: Path) -> Path:
    """A corpus in a store, whose source has changed since."""
    plain(texts, bucket / "corpus")
    (texts / "b.txt").write_text("The mill has stopped.")
    return bucket / "corpus"


WRONG = {
    "wrong endpoint": ({"AWS_ENDPOINT_URL": "http://127.0.0.1:9"}, "127.0.0.1:9 does not answer: check AWS_ENDPOINT_URL"),
    "wrong secret": ({"AWS_SECRET_ACCESS_KEY": SECRET}, "refuses this secret key: correct AWS_ACCESS_KEY_ID"),
    "wrong key": (
        {"AWS_ACCESS_KEY_ID": "nobody", "AWS_SECRET_ACCESS_KEY": SECRET},
        "correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    ),
    "read only": ({"AWS_ACCESS_KEY_ID": READER[0], "AWS_SECRET_ACCESS_KEY": READER[1]}, "may not do that in bucket"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_addresses_and_keys_are_told(
    plain: Refresh, texts: Path, published_corpus: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    before = digest(published_corpus)
    variables, says = WRONG[wrong]
    with monkeypatch.context() as changed:
        for name, value in variables.items():
            changed.setenv(name, value)
        assert says in refused(plain, texts, published_corpus)
    assert digest(published_corpus) == before
    assert plain(texts, published_corpus)["outcome"] == "published"


def test_missing_credentials_are_told(plain: Refresh, texts: Path, bucket: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_METADATA_ENDPOINT", "http://127.0.0.1:9")
    assert "no credentials were found: set AWS_ACCESS_KEY_ID" in refused(plain, texts, bucket / "corpus")


@pytest.mark.usefixtures("store")
def test_missing_buckets_and_short_names_are_told(plain: Refresh, texts: Path, tmp_path: Path) -> None:
    assert "bucket nowhere-here does not exist: create it" in refused(plain, texts, "s3://nowhere-here/corpus")
    assert "bucket nowhere-here does not exist" in refused(plain, "s3://nowhere-here/source", tmp_path / "corpus")
    assert "'ab' is no bucket's name, which has 3 to 63" in refused(plain, texts, "s3://ab/corpus")
    assert "use letters, digits" in refused(plain, texts, "s3://abc/my corpus")


def test_a_reader_without_the_right_to_write_can_search(
    plain: Refresh, texts: Path, published_corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in zip(("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"), READER, strict=True):
        monkeypatch.setenv(name, value)
    assert paths(published_corpus) == {"a.txt", "b.txt", "c.txt"}


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a server that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def test_a_server_that_never_answers_is_given_up(
    plain: Refresh, texts: Path, bucket: Path, silent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("REQUEST_SECONDS", "RETRY_SECONDS"):
        monkeypatch.setattr(client, name, 2)
    monkeypatch.setenv("AWS_ENDPOINT_URL", silent)
    assert "does not answer" in refused(plain, texts, bucket / "corpus")


def test_a_store_that_ignores_conditions_is_refused_before_anything_is_written(
    plain: Refresh, texts: Path, bucket: Path, store: Seaweed, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = Proxy(store.url, lambda request: "forget")
    monkeypatch.setenv("AWS_ENDPOINT_URL", proxy.url)
    monkeypatch.setenv("AWS_SKIP_SIGNATURE", "true")
    assert "does not keep the conditions If-None-Match and If-Match" in refused(plain, texts, bucket / "corpus")
    assert not (bucket / "corpus").exists()
    proxy.close()


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("RequestTimeTooSkewed", "clock of this machine differs too much"),
        ("SlowDown", "fewer requests"),
    ],
)
def test_what_a_store_refuses_is_told_in_words(
    plain: Refresh, texts: Path, published_corpus: Path, store: Seaweed, monkeypatch: pytest.MonkeyPatch, code: str, says: str
) -> None:
    def harm(request: Request) -> str:
        return code if request.method == "PUT" else ""

    proxy = Proxy(store.url, harm)
    with monkeypatch.context() as changed:
        changed.setenv("AWS_ENDPOINT_URL", proxy.url)
        assert says in refused(plain, texts, published_corpus)
    proxy.close()
    assert Corpus(str(published_corpus)).is_in_store
    assert plain(texts, published_corpus)["outcome"] == "published"
