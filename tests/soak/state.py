"""What a corpus holds, as plain values, and what lies in its folder that nothing needs."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from schemas.corpus import Corpus
from schemas.tables.generations import VERSIONED
from tasks.publish.io.staged import MAX_UNNEEDED_SHARE
from tasks.publish.io.tags import list_restorable_generations
from tasks.store import lance, published
from tasks.store.packs import Pack, list_packs
from tasks.store.published import Generation

COLUMNS = ["path", "text", "state", "metadata", "sha256", "n_chunks"]


class Document(NamedTuple):
    """A published document: what it says, whether it is current or stale, its metadata, and the size of its chunks."""

    text: str
    state: str
    metadata: str
    longest: int


class State(NamedTuple):
    """A published generation, by path."""

    documents: dict[str, Document]
    rejects: frozenset[str]


def read_state(corpus: Path, found: Generation) -> State:
    """Return a generation; its chunks are held against the texts on the way."""
    rows = published.read_columns(Corpus(str(corpus)), found, "documents", COLUMNS).to_pylist()
    chunks: dict[str, list[dict[str, Any]]] = {row["path"]: [] for row in rows}
    columns = ["path", "start_char", "end_char", "text", "n_tokens", "chunk_id"]
    for chunk in published.read_columns(Corpus(str(corpus)), found, "chunks", columns).to_pylist():
        chunks[chunk["path"]].append(chunk)
    rejects = published.read_columns(Corpus(str(corpus)), found, "rejects", ["path"]).to_pylist()
    for row in rows:
        check_chunks(row, chunks[row["path"]])
    elements = published.read_columns(Corpus(str(corpus)), found, "elements", ["document_id"]).num_rows
    assert elements >= len(rows), "elements are missing"
    documents = {
        row["path"]: Document(row["text"], row["state"], row["metadata"], max(chunk["n_tokens"] for chunk in chunks[row["path"]]))
        for row in rows
    }
    assert len(documents) == len(rows), "a path is there twice"
    return State(documents, frozenset(row["path"] for row in rejects))


def check_chunks(row: Mapping[str, Any], chunks: list[dict[str, Any]]) -> None:
    """The chunks of a document are cut from its text, cover all of it, and stand there once."""
    text, reached = row["text"], 0
    assert len(chunks) == row["n_chunks"] == len({chunk["chunk_id"] for chunk in chunks}), row["path"]
    for chunk in sorted(chunks, key=lambda chunk: int(chunk["start_char"])):
        assert text[chunk["start_char"] : chunk["end_char"]] == chunk["text"], row["path"]
        assert not text[reached : chunk["start_char"]].strip(), f"a part of {row['path']} is in no chunk"
        reached = max(reached, chunk["end_char"])
    assert not text[reached:].strip(), f"the end of {row['path']} is in no chunk"


def live_state(corpus: Path) -> tuple[Generation, State]:
    """Return the live generation and what it holds."""
    live = published.read_live_generation(Corpus(str(corpus)))
    return live, read_state(corpus, live)


def kept_states(corpus: Path) -> dict[int, State]:
    """Return what each generation that can be restored holds."""
    return {found.generation: read_state(corpus, found) for found in list_restorable_generations(Corpus(str(corpus)))}


def held(corpus: Path) -> bool:
    """Return whether a rollback holds the corpus."""
    return published.read_live_generation(Corpus(str(corpus))).held


def leftovers(corpus: Path, versions: bool = True) -> list[str]:
    """Return what no kept generation needs: staged files, temporary files, drafts, tags, and `versions`."""
    kept = list_restorable_generations(Corpus(str(corpus)))
    needed = {
        row["sha256"]
        for found in kept
        for table in ("documents", "rejects")
        for row in published.read_columns(Corpus(str(corpus)), found, table, ["sha256"]).to_pylist()
    }
    private = corpus / ".pagemill"
    packs = [pack for folder in (private / "staging").glob("*/*") for pack in list_packs(folder)]
    whole = {pack.path for pack in packs}
    found = [str(pack.path) for pack in packs if _share_needed(pack, needed) < 1 - MAX_UNNEEDED_SHARE]
    found += [str(path) for path in (private / "staging").rglob("*") if path.is_file() and path not in whole]
    found += [str(path) for path in private.rglob(".tmp-*")]
    found += [str(path) for path in (private / "runs").rglob("*")]
    found += [str(path) for path in (private / "purge.json",) if path.exists()]
    tags = {f"g{generation.generation}" for generation in kept}
    for name in VERSIONED:
        found += [f"tag {tag} of {name}" for tag in set(lance.list_tags(Corpus(str(corpus)), name)) ^ tags]
        needed_versions = {generation.versions[name] for generation in kept}
        manifests = len(list((corpus / f"{name}.lance/_versions").glob("*.manifest")))
        found += [f"{manifests} versions of {name}"] if versions and manifests > len(needed_versions) + 1 else []
    return found


def _share_needed(pack: Pack, needed: set[str]) -> float:
    names = pack.names.to_pylist()
    return sum(name.rpartition(":")[2] in needed for name in names) / len(names)


def traces(corpus: Path, *needles: bytes) -> list[str]:
    """Return the files of the corpus that hold one of the needles, in their bytes or in their names."""
    files = [path for path in corpus.rglob("*") if path.is_file()]
    pattern = re.compile(b"|".join(map(re.escape, needles)))
    return [str(path) for path in files if pattern.search(path.read_bytes())] if needles else []


def metadata_json(metadata: Mapping[str, Any]) -> str:
    """Return metadata as the table `documents` holds it."""
    return json.dumps(dict(metadata), ensure_ascii=False, sort_keys=True)
