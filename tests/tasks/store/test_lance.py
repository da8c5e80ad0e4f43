import errno
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest

from schemas.conform import make_table_from_rows
from schemas.corpus import Corpus
from schemas.errors import CorpusError
from schemas.tables.evaluations import SCORES
from schemas.tables.generations import GENERATIONS
from tasks.store import files, lance


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "/c/.tmp-1"), "no space left on its disk"),
        (OSError("[Errno 28] Error writing bytes to file. Detail: [errno 28] No space left on device"), "no space left"),
        (RuntimeError("lance error: LanceError(IO): Read-only file system (os error 30), /b/io.rs:1:2"), "read-only"),
        (ValueError("lance error: LanceError(IO): Permission denied (os error 13)"), "no permission"),
        (OSError(errno.EIO, "Input/output error"), "Input/output error; check its permissions"),
        (RuntimeError("lance error: Not found: c/data, /b/io.rs:1:2"), "Not found: c/data; check its permissions"),
    ],
)
def test_what_keeps_a_corpus_from_being_written_is_told_in_words(error: Exception, words: str) -> None:
    with pytest.raises(CorpusError, match=words) as raised, lance.explain_failed_writes(Corpus("/c")):
        raise error
    told = str(raised.value)
    assert told.startswith("corpus /c cannot be written: ") and told.endswith("; the published data is complete")
    assert "Errno" not in told and "os error" not in told and ".tmp-" not in told


def test_a_staged_file_that_cannot_be_written_is_the_corpus_that_cannot(tmp_path: Path) -> None:
    (tmp_path / "staging").write_text("a file in the folder's place")
    with pytest.raises(CorpusError, match="cannot be written"), lance.explain_failed_writes(Corpus(str(tmp_path))):
        files.write_atomically(tmp_path / "staging/a", b"x")


def test_a_bug_is_not_taken_for_a_full_disk() -> None:
    with pytest.raises(ValueError, match=r"^wrong$"), lance.explain_failed_writes(Corpus("/c")):
        raise ValueError("wrong")


def test_a_table_whose_making_was_cut_short_is_made(tmp_path: Path) -> None:
    for name in ("_versions", "_transactions"):
        (tmp_path / "documents.lance" / name).mkdir(parents=True)
    assert not lance.does_table_exist(Corpus(str(tmp_path)), "documents")
    table = lance.ensure_table(Corpus(str(tmp_path)), "documents", GENERATIONS)
    assert lance.does_table_exist(Corpus(str(tmp_path)), "documents") and table.count_rows() == 0


def test_a_table_that_lost_its_versions_is_damaged_and_not_made_anew(tmp_path: Path) -> None:
    (tmp_path / "documents.lance/data").mkdir(parents=True)
    (tmp_path / "documents.lance/data/rows.lance").write_bytes(b"rows")
    with pytest.raises(CorpusError, match="cannot be opened"):
        lance.ensure_table(Corpus(str(tmp_path)), "documents", GENERATIONS)


def test_a_table_is_never_seen_half_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus, seen = Corpus(str(tmp_path)), []
    replace = os.replace

    def watched(source: Path, target: Path) -> None:
        seen.append((target, target.exists()))
        replace(source, target)

    monkeypatch.setattr(os, "replace", watched)
    assert lance.ensure_table(corpus, "generations", GENERATIONS).count_rows() == 0
    assert seen == [(corpus.table("generations"), False)]
    assert list(corpus.private.iterdir()) == []


def test_a_folder_of_a_process_that_was_killed_is_swept(tmp_path: Path) -> None:
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom tasks.store.local import make_temporary_folder\n"
        "with make_temporary_folder(Path(sys.argv[1])):\n    os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    assert len(list(tmp_path.iterdir())) == 1
    files.find_storage(tmp_path).sweep(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_log_of_an_older_corpus_gets_the_columns_that_came_later(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path))
    row = {"run_id": "r", "question_id": "q", "metric": "recall", "cutoff_unit": "chunks", "cutoff": 5, "split": "test"}
    row |= {"domain": "law", "value": 0.5, "evaluated_at": datetime(2026, 1, 1, tzinfo=UTC)}
    new = make_table_from_rows([{**row, "question_id": "new", "lost": "cut"}], SCORES)
    old = make_table_from_rows([row], SCORES).drop_columns(["lost"])
    lance.ensure_table(corpus, "scores", pa.schema([field for field in SCORES if field.name != "lost"])).add(old)
    lance.append_to_log(corpus, "scores", new)
    assert {r["question_id"]: r["lost"] for r in lance.open_table(corpus, "scores").to_arrow().to_pylist()} == {
        "q": None,
        "new": "cut",
    }
