import json
import subprocess
import sys
from pathlib import Path

import pytest

from schemas.errors import DocumentError, InputError, ServiceError
from schemas.options.sections import ChunkOptions, RefreshOptions
from tasks.file_tools.io.chunk_file import chunk_file


def test_a_document_of_nothing_but_front_matter_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\ntitle: A\n---\n")
    with pytest.raises(DocumentError, match=r"a.md: .*text"):
        chunk_file(tmp_path / "a.md", RefreshOptions())


def test_what_cannot_be_read_is_named_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"no PDF")
    with pytest.raises(DocumentError, match=r"a.pdf: .*: .+"):
        chunk_file(tmp_path / "a.pdf", RefreshOptions())


def test_chunks_longer_than_the_embedder_reads_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The weir leaks.")
    with pytest.raises(InputError, match="chunks of 300 tokens are longer than the embedder's 256"):
        chunk_file(tmp_path / "a.txt", RefreshOptions(chunk=ChunkOptions(size_tokens=300)))


def test_a_model_that_does_not_answer_is_an_error_as_no_other_boundaries_were_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The weir leaks.")
    chunk = ChunkOptions(strategy="llm", endpoint="http://127.0.0.1:9/v1")
    with pytest.raises(ServiceError, match="gives no answer"):
        chunk_file(tmp_path / "a.txt", RefreshOptions(chunk=chunk))


def test_the_first_line_is_read_while_the_rest_is_still_cut(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The weir leaks and nobody mends it. " * 50_000)
    command = [sys.executable, "-m", "flows.cli", "chunk", str(tmp_path / "a.txt")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        assert process.poll() is None
        process.stdout.close()
    assert first["text"].startswith("The weir leaks")
