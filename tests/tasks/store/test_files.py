import errno
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest

from schemas.errors import SchemaError, WriteError
from tasks.store import files


def test_a_failed_write_leaves_the_old_content_and_no_temporary_file(tmp_path: Path) -> None:
    path = tmp_path / "sub/a"
    files.write_atomically(path, b"old")
    with pytest.raises(RuntimeError), files.find_storage(path).open_atomically(path) as sink:
        sink.write(b"half")
        raise RuntimeError
    assert path.read_bytes() == b"old"
    assert [found.name for found in path.parent.iterdir()] == ["a"]


def test_a_table_comes_back_as_it_was_put(tmp_path: Path) -> None:
    table = pa.table({"a": [1, None], "b": [["x"], []]})
    files.write_table_atomically(tmp_path / "t.arrow", table)
    assert files.read_table(tmp_path / "t.arrow").equals(table)


def test_a_damaged_table_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.arrow").write_bytes(b"not arrow at all")
    with pytest.raises(SchemaError, match=r"t\.arrow is not an Arrow file"):
        files.read_table(tmp_path / "t.arrow")


@pytest.mark.parametrize(
    ("number", "words"), [(errno.ENOSPC, "no space left"), (errno.EROFS, "read-only"), (errno.EACCES, "no permission")]
)
def test_what_cannot_be_written_is_named_with_the_reason_in_words_and_no_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number), f"{tmp_path}/.tmp-x")

    monkeypatch.setattr(os, "replace", refuse)
    writes: list[Callable[[Path], None]] = [
        lambda path: files.write_atomically(path, b"x"),
        partial(files.write_table_atomically, table=pa.table({"a": [1]})),
    ]
    for write in writes:
        with pytest.raises(WriteError, match=words) as raised:
            write(tmp_path / "sub/a")
        assert isinstance(raised.value, OSError)
        assert str(raised.value).startswith(f"{tmp_path}/sub/a cannot be written: ")
        assert "Errno" not in str(raised.value) and ".tmp-" not in str(raised.value)
        assert list((tmp_path / "sub").iterdir()) == []
