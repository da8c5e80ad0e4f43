"""Every recipe of docs/others.md reads the published version, whatever the heads of the tables hold."""

import importlib.util
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pagemill
from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.tables.generations import VERSIONED
from tasks.store import lance
from tests.flows.conftest import Refresh

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]

DOCUMENT = (Path(__file__).parents[3] / "docs/others.md").read_text()
RECIPES = dict(re.findall(r"^## (.+)\n(?:(?!## ).*\n)*?```python\n([\s\S]*?)```", DOCUMENT, re.MULTILINE))
NEEDS = {
    "DuckDB": "duckdb",
    "Polars": "polars",
    "LangChain: a retriever": "langchain_core",
    "LangChain: its LanceDB store": "langchain_community",
    "LlamaIndex: its LanceDB store": "llama_index",
}
TEXTS = {
    "notes.txt": "The heron stands in the river. It waits for fish by the weir.",
    "mill.txt": "The mill turns. It grinds corn.",
}


@pytest.fixture
def folder(plain: Refresh, tmp_path: Path) -> Path:
    """A corpus of two documents; the heads of its tables hold none of them, as those of a refresh under way may."""
    source, corpus = tmp_path / "source", tmp_path / "corpus"
    source.mkdir()
    for name, text in TEXTS.items():
        (source / name).write_text(text)
    plain(source, corpus)
    for name in VERSIONED:
        lance.open_table(Corpus(str(corpus)), name).delete("true")
    return corpus


@pytest.fixture
def run(folder: Path) -> Callable[[str], Any]:
    """Return what a recipe finds; skip it where its package is not installed."""

    def found(title: str) -> Any:
        if title in NEEDS and importlib.util.find_spec(NEEDS[title]) is None:
            pytest.skip(f"{NEEDS[title]} is not installed: make test-others installs it")
        names: dict[str, Any] = {"folder": str(folder), "__name__": "recipe"}
        exec(compile(RECIPES[title], f"docs/others.md, {title}", "exec"), names)
        return names["found"]

    return found


def test_every_recipe_has_a_test() -> None:
    assert set(RECIPES) == {"Without Pagemill", "LanceDB", *NEEDS}


def test_lance_alone_finds_the_published_documents(run: Callable[[str], Any]) -> None:
    assert sorted(run("Without Pagemill")) == sorted(TEXTS)


@pytest.mark.parametrize("title", ["DuckDB", "Polars"])
def test_tables_are_counted_as_published(run: Callable[[str], Any], folder: Path, title: str) -> None:
    chunks = pagemill.open(folder).chunks(["path", "n_tokens"]).to_pylist()
    tokens = {path: [row["n_tokens"] for row in chunks if row["path"] == path] for path in sorted(TEXTS)}
    assert run(title) == [(path, len(found), sum(found)) for path, found in tokens.items()]


def test_langchain_retrieves_passages_with_citations(run: Callable[[str], Any], folder: Path) -> None:
    first, *_ = run("LangChain: a retriever")
    [hit, *_] = pagemill.open(folder).search("Where does the heron wait?")
    assert (first.page_content, first.metadata["path"]) == (hit.text, hit.path)
    assert first.metadata["boxes"] == hit.model_dump()["boxes"]


def test_the_lancedb_store_of_langchain_reads_published_chunks(run: Callable[[str], Any]) -> None:
    [document] = run("LangChain: its LanceDB store")
    assert document.page_content == TEXTS["notes.txt"] and document.metadata["path"] == "notes.txt"


def test_the_lancedb_store_of_llamaindex_reads_published_chunks(run: Callable[[str], Any]) -> None:
    [node] = run("LlamaIndex: its LanceDB store")
    assert node.text == TEXTS["notes.txt"] and node.metadata["path"] == "notes.txt"
    assert node.ref_doc_id == node.metadata["document_id"]


def test_lancedb_searches_the_published_version(run: Callable[[str], Any]) -> None:
    assert {row["path"]: row["text"] for row in run("LanceDB")} == TEXTS


def test_a_published_table_cannot_be_written_to(folder: Path) -> None:
    corpus = pagemill.open(folder)
    with pytest.raises(ValueError, match="cannot be modified when a specific version is checked out"):
        corpus.table("chunks").delete("true")
    assert corpus.dataset("chunks").count_rows() == 2
    for read in (corpus.table, corpus.dataset):
        with pytest.raises(InputError, match="generations is no table of a generation; there are documents, "):
            read("generations")
    with pytest.raises(InputError, match="the question is empty"):
        corpus.embed([" "])
