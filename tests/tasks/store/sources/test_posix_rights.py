"""Groups that may read a file are those that the kernel lets in, or fewer."""

import grp
import os
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.store.sources.folder import FolderSource
from tasks.store.sources.posix_rights import GROUP_OF_FILE, MASK, NAMED_GROUP, OTHERS, READ, find_readers

OWN = 10
RIGHTS = st.integers(0, 7)
MINE = grp.getgrgid(os.getgid()).gr_name


@given(
    mode=RIGHTS.flatmap(lambda group: RIGHTS.map(lambda others: group << 3 | others)),
    named=st.none() | st.dictionaries(st.sampled_from([11, 12]), RIGHTS),
    mask=st.none() | RIGHTS,
    groups=st.sets(st.sampled_from([OWN, 11, 12, 13])),
)
def test_who_is_let_in_is_whom_the_kernel_lets_in(
    mode: int, named: dict[int, int] | None, mask: int | None, groups: set[int]
) -> None:
    entries = {OWN: mode >> 3, **(named or {})}
    listed = b""
    if named is not None:
        rows = [(GROUP_OF_FILE, mode >> 3, 0), *((NAMED_GROUP, right, number) for number, right in named.items())]
        rows += [(OTHERS, mode & 7, 0), *([] if mask is None else [(MASK, mask, 0)])]
        listed = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *row) for row in rows)
    masked = 7 if named is None or mask is None else mask
    matching = groups & entries.keys()
    by_group = any(entries[number] & masked & READ for number in matching)
    readers = find_readers(mode, OWN, listed, READ)
    if readers is None:
        assert by_group if matching else mode & READ
    else:
        assert bool(readers & groups) == by_group


@pytest.mark.parametrize(
    ("folder", "file", "groups"),
    [
        (0o755, 0o644, ["everyone"]),
        (0o755, 0o640, [MINE]),
        (0o750, 0o644, [MINE]),
        (0o755, 0o604, ["nobody"]),
        (0o700, 0o644, ["nobody"]),
        (0o744, 0o644, ["nobody"]),
    ],
)
def test_a_file_is_for_whom_all_folders_on_the_way_let_in(folder: int, file: int, groups: list[str], tmp_path: Path) -> None:
    (tmp_path / "source/sub").mkdir(parents=True)
    (tmp_path / "source/sub/a.txt").write_text("x")
    (tmp_path / "source/link.txt").symlink_to("sub/a.txt")
    for path, mode in (("source", 0o755), ("source/sub/a.txt", file), ("source/sub", folder)):
        (tmp_path / path).chmod(mode)
    listed = FolderSource(tmp_path / "source", rights=True).list_files(b"").files
    assert {one.path: one.metadata["groups"] for one in listed} == {"sub/a.txt": groups, "link.txt": groups}
    assert all(not one.metadata for one in FolderSource(tmp_path / "source").list_files(b"").files)
