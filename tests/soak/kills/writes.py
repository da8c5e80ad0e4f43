"""Every place where a command changes a corpus, counted; and a kill just before or after the n-th change."""

import os
import signal
import threading
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Literal

When = Literal["before", "after"]


class Writes:
    """Counts what this process changes below a corpus; from `install` on."""

    def __init__(self, corpus: str, kill: int = 0, when: When = "after") -> None:
        """The process dies just `when` the `kill`-th write happens; it never does if that is 0."""
        self.corpus = os.path.realpath(corpus)
        self.kill = kill
        self.when = when
        self.n = 0
        self._lock = threading.Lock()
        self._inside = threading.local()

    def install(self) -> None:
        """Watch the calls that write: renames, removals, and every commit of Lance."""
        import lance
        import lancedb.db
        import lancedb.merge
        import lancedb.table
        from lance.dataset import DatasetOptimizer, MergeInsertBuilder
        from lance.file import LanceFileWriter

        for name in ("replace", "unlink", "rmdir"):
            setattr(os, name, self._watched(getattr(os, name), self._is_ours))
        places: list[tuple[Any, tuple[str, ...]]] = [
            (lancedb.db.LanceDBConnection, ("create_table",)),
            (lancedb.merge.LanceMergeInsertBuilder, ("execute",)),
            (lancedb.table.LanceTable, ("restore", "delete", "create_index", "drop_index", "add")),
            (lancedb.table.Tags, ("create", "update", "delete")),
            (lance.LanceDataset, ("cleanup_old_versions", "create_index", "delete", "drop_index")),
            (LanceFileWriter, ("close",)),
            (lance, ("write_dataset",)),
            (MergeInsertBuilder, ("execute",)),
            (DatasetOptimizer, ("compact_files", "optimize_indices")),
        ]
        for owner, names in places:
            for name in names:
                setattr(owner, name, self._watched(getattr(owner, name), lambda *_, **__: True))
        commit = self._watched(lance.LanceDataset.commit, lambda *_, **__: True)
        setattr(lance.LanceDataset, "commit", staticmethod(commit))  # noqa: B010  mypy knows no replacing of functions

    def _watched(self, original: Callable[..., Any], is_ours: Callable[..., bool]) -> Callable[..., Any]:
        @wraps(original)
        def watched(*args: Any, **keywords: Any) -> Any:
            if getattr(self._inside, "call", False) or not is_ours(*args, **keywords):
                return original(*args, **keywords)
            self._inside.call = True
            try:
                with self._lock:
                    self.n += 1
                    mine = self.n
                self._die(mine, "before")
                try:
                    return original(*args, **keywords)
                finally:  # also when there was nothing to remove
                    self._die(mine, "after")
            finally:
                self._inside.call = False

        return watched

    def _die(self, n: int, when: When) -> None:
        if (n, when) == (self.kill, self.when):
            os.killpg(0, signal.SIGKILL)

    def _is_ours(self, path: Any, *_: Any, dir_fd: int | None = None, **__: Any) -> bool:
        folder = Path(os.readlink(f"/proc/self/fd/{dir_fd}")) if dir_fd is not None else Path.cwd()
        return os.path.realpath(folder / os.fsdecode(path)).startswith(self.corpus + os.sep)
