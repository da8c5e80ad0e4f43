"""`pagemill verify` says what is wrong, where, and which command helps; a corpus without manifests is unknown until recorded."""

import json
import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import pagemill
from schemas.corpus import Corpus
from schemas.errors import DamageError
from tasks.publish.io.integrity.verify import (
    read_last_verification,
    record_missing_manifests,
    verify_corpus,
    verify_corpus_and_candidates,
)
from tasks.serve.io.live import LiveCorpus
from tasks.store import lance, published
from tasks.store.integrity.manifests import list_manifests
from tasks.store.integrity.rest import place_record
from tests.flows.conftest import Refresh


def data_of(corpus: Path, table: str) -> Path:
    """Return the largest file of rows of a table."""
    return max((corpus / f"{table}.lance/data").glob("*.lance"), key=lambda path: path.stat().st_size)


def flip(path: Path) -> None:
    """Turn a bit in the middle of a file, and leave its time."""
    stat, content = path.stat(), bytearray(path.read_bytes())
    content[len(content) // 2] ^= 16
    path.write_bytes(content)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def test_a_flipped_bit_is_found_by_a_deep_verification_alone(plain: Refresh, texts: Path, corpus: Path) -> None:
    plain(texts, corpus)
    flip(data_of(corpus, "chunks"))
    place = Corpus(str(corpus))
    assert verify_corpus(place).whole
    [finding] = verify_corpus(place, deep=True).findings
    assert (finding.kind, finding.what, finding.generations) == ("file", "is not as it was written", (1,))
    assert finding.place.startswith("chunks.lance/data/")
    assert read_last_verification(place) is None
    verify_corpus_and_candidates(place, deep=True)
    told = read_last_verification(place)
    assert told and (told["deep"], told["whole"]) == (True, False)


def test_what_is_opened_for_the_first_time_is_looked_at(plain: Refresh, texts: Path, corpus: Path) -> None:
    plain(texts, corpus)
    opened = LiveCorpus(Corpus(str(corpus)))
    assert opened.open_newest()
    data_of(corpus, "elements").unlink()
    said = r"elements.lance/data/.* is gone: run pagemill repair --corpus"
    with pytest.raises(DamageError, match=said):
        pagemill.open(str(corpus))
    with pytest.raises(DamageError, match=said):
        LiveCorpus(Corpus(str(corpus))).open_newest()


def test_a_corpus_of_an_older_version_is_unknown_until_it_is_recorded(plain: Refresh, texts: Path, corpus: Path) -> None:
    plain(texts, corpus)
    place = Corpus(str(corpus))
    for path in (*list_manifests(place), place_record(place)):
        path.unlink()
    found = verify_corpus(place, deep=True)
    assert found.whole
    assert [(finding.kind, finding.what) for finding in found.findings] == [
        ("unknown", "is not there: unknown, made before there were any")
    ]
    assert pagemill.open(str(corpus)).generation == 1
    record_missing_manifests(place)
    assert verify_corpus(place, deep=True).findings == ()
    flip(data_of(corpus, "documents"))
    assert not verify_corpus(place, deep=True).whole


def test_wrong_rows_are_found_where_all_bytes_are_as_they_were_written(plain: Refresh, texts: Path, corpus: Path) -> None:
    """What a fault of Lance's or of Pagemill's has written has the right digests."""
    plain(texts, corpus)
    place = Corpus(str(corpus))
    table = lance.open_table(place, "chunks")
    rows = table.to_arrow()
    wrong = [np.full(len(rows["vector"][0]), np.nan, np.float32).tolist(), *rows["vector"].to_pylist()[1:]]
    column = pa.array(wrong, rows.schema.field("vector").type)
    texts_of = pa.array(["something else", *rows["text"].to_pylist()[1:]])
    for name, values in (("vector", column), ("text", texts_of)):
        at = rows.schema.get_field_index(name)
        rows = rows.set_column(at, rows.schema.field(at), values)
    rows = pa.concat_tables([rows, rows.slice(1, 1)])
    version = lance.overwrite_table(place, "chunks", rows.to_reader()).version
    [row] = published.read_generation_rows(place)
    versions = {**published.read_live_generation(place).versions, "chunks": int(version)}
    row = {**row, "generation": 2, "versions": json.dumps(versions)}
    for name, at_version in versions.items():
        lance.set_tag(place, name, "g2", at_version)
    published.insert_generation(place, row)
    said = {finding.what for finding in verify_corpus(place, deep=True).findings if finding.is_damage}
    assert "has rows of the same chunk_id" in said
    assert "has 1 vectors that are not finite and of length 1" in said
    assert any("is not characters 0 to" in what for what in said)
    assert any("chunks of" in what and "which has" in what for what in said)


def test_an_index_that_does_not_find_what_is_there_is_told(plain: Refresh, texts: Path, corpus: Path) -> None:
    plain(texts, corpus)
    found = verify_corpus(Corpus(str(corpus)), deep=True)
    assert found.whole
    for path in (corpus / "chunks.lance/_indices").rglob("*.lance"):
        path.unlink()
    told = [finding for finding in verify_corpus(Corpus(str(corpus))).findings if finding.is_damage]
    assert told and all(finding.place.startswith("chunks.lance/_indices/") for finding in told)
