"""Staging: a step's output for one content is one row, written once and addressed by what it was made from.

The staged row is the truth; Prefect's cache only skips looking at it.
"""

import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from schemas.corpus import Corpus
from schemas.tables.rejects import Reject
from tasks.store.files import delete_files
from tasks.store.packs import StagedRow, join_packs, link_pack, list_packs, mask_rows, write_pack

Rows = dict[str, StagedRow]

TRIES = 3
"""How often packs are looked for that another process joined before they could be taken over."""


class Staging:
    """Where the rows of one run's contents are. Threads may share it; only one process at a time may write."""

    def __init__(self, corpus: Corpus, contents: Collection[str]) -> None:
        """`contents` are the names of those that the run looks for: what else is staged costs no memory."""
        self._corpus = corpus
        self._wanted = pa.array(contents, pa.string())
        self._rows: dict[tuple[str, str], Rows] = {}
        self._lock = threading.Lock()

    def find(self, step: str, recipe: str, name: str) -> StagedRow | None:
        """Return where a step's row for a content is, or None if it must be computed."""
        return self._find_rows(step, recipe).get(name)

    def put(self, step: str, recipe: str, names: Sequence[str], rows: pa.Table, group: str = "") -> None:
        """Stage the rows of the contents `names` together, at once; `group` is that of their pack.

        Raises:
            WriteError: they cannot be written.
        """
        path = str(write_pack(self._corpus.step_folder(step, recipe), names, rows, group))
        self.add(step, recipe, {name: StagedRow(path, index) for index, name in enumerate(names)})

    def add(self, step: str, recipe: str, rows: Mapping[str, StagedRow]) -> None:
        """Add the places of rows that were staged here or by another machine."""
        self._find_rows(step, recipe).update(rows)

    def link_rows_of(self, other: Corpus, steps: Iterable[tuple[str, str]]) -> None:
        """Take over the rows that are looked for of `steps` (step, recipe) and that only another corpus has staged.

        Its packs are linked, not copied. Packs that another process joins meanwhile are looked for again.

        Raises:
            WriteError: they cannot be written.
        """
        for step, recipe in steps:
            for _ in range(TRIES):
                known = pa.array(list(self._find_rows(step, recipe)), pa.string())
                missing = self._wanted.filter(pc.invert(pc.is_in(self._wanted, value_set=known)))
                if self._link_all(other.step_folder(step, recipe), self._corpus.step_folder(step, recipe), missing):
                    break

    def _link_all(self, source: Path, folder: Path, names: pa.Array) -> bool:
        packs = list(list_packs(source))
        chosen = [pack for pack, has in zip(packs, mask_rows(packs, names), strict=True) if pc.any(has).as_py()]
        whole = all([link_pack(pack.path, folder) for pack in chosen])
        if chosen:
            self._rows.pop((folder.parent.name, folder.name), None)
        return whole

    def discard_steps(self, steps: Iterable[tuple[str, str]]) -> None:
        """Delete the rows that are looked for of `steps` (step, recipe), so that they are computed again."""
        for step, recipe in steps:
            folder = self._corpus.step_folder(step, recipe)
            packs = list(list_packs(folder))
            for pack, goes in zip(packs, mask_rows(packs, self._wanted), strict=True):
                if pc.any(goes).as_py():
                    join_packs(folder, [(pack, pc.invert(goes))])
                    delete_files([pack.path])
            self._rows.pop((step, recipe), None)

    def _find_rows(self, step: str, recipe: str) -> Rows:
        with self._lock:
            if (step, recipe) not in self._rows:
                self._rows[step, recipe] = self._scan(step, recipe)
            return self._rows[step, recipe]

    def _scan(self, step: str, recipe: str) -> Rows:
        found: Rows = {}
        packs = list(list_packs(self._corpus.step_folder(step, recipe)))
        for pack, wanted in zip(packs, mask_rows(packs, self._wanted), strict=True):
            positions = pc.indices_nonzero(wanted)
            names = pack.names.take(positions).to_pylist()
            found.update((name, StagedRow(str(pack.path), at)) for at, name in zip(positions.to_pylist(), names, strict=True))
        return found


class RemoteStaging(Staging):
    """The staging of a machine that works for a flow elsewhere: it is told where rows are, and does not read all packs."""

    def __init__(self, corpus: Corpus) -> None:
        super().__init__(corpus, ())

    def find_group(self, step: str, recipe: str, group: str) -> None:
        """Add the places of the rows in the packs of a group, which another machine staged before it was lost."""
        for pack in list_packs(self._corpus.step_folder(step, recipe), group):
            names = pack.names.to_pylist()
            self.add(step, recipe, {name: StagedRow(str(pack.path), at) for at, name in enumerate(names)})

    def forget_contents(self, names: Iterable[str]) -> None:
        """Forget where the rows of contents are. They stay staged."""
        gone = tuple(names)
        with self._lock:
            for rows in self._rows.values():
                for name in gone:
                    rows.pop(name, None)

    def _scan(self, step: str, recipe: str) -> Rows:
        return {}


def find_reject(row: pa.Table) -> Reject | None:
    """Return why a staged row rejects its whole document (page 0), or None if it does not."""
    for reason in row["rejects"][0].as_py():
        if reason["page_number"] == 0:
            return Reject(**reason)
    return None


def are_rejected(rows: pa.Table) -> list[bool]:
    """Return for each of several staged rows whether it rejects its whole document."""
    some = pc.greater(pc.list_value_length(rows["rejects"]), 0).to_pylist()
    return [has and find_reject(rows.slice(at, 1)) is not None for at, has in enumerate(some)]
