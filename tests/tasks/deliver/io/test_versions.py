"""Two versions of a table differ by the rows that a comparison of all rows finds, whatever was done to it in between."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import lance
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.deliver.io.versions import compare_versions, read_rows

KEYS = st.sampled_from("abcdefgh")
WRITE = st.tuples(st.just("write"), st.dictionaries(KEYS, st.integers(0, 3), min_size=1, max_size=4))
OTHERS = (
    st.tuples(st.just("delete"), st.sets(KEYS, min_size=1, max_size=3)),
    st.tuples(st.just("compact"), st.none()),
    st.tuples(st.just("overwrite"), st.none()),
    st.tuples(st.just("restore"), st.integers(0, 5)),
    st.tuples(st.just("column"), st.integers(0, 1)),
    st.tuples(st.just("update"), st.dictionaries(KEYS, st.integers(0, 3), min_size=1, max_size=2)),
)


def make_rows(values: dict[str, int]) -> pa.Table:
    return pa.table(
        {
            "name": [*values],
            "value": pa.array(values.values(), pa.int64()),
            "more": pa.array([[n] * n for n in values.values()], pa.list_(pa.int64())),
        }
    )


def change(table: lance.LanceDataset, what: str, given: Any) -> lance.LanceDataset:
    """Do to a table what refreshes, rollbacks, purges, switches and changed rights do."""
    if what in ("write", "delete"):
        table.merge_insert("name").when_matched_delete().execute(pa.table({"name": sorted(given)}))
        return lance.write_dataset(make_rows(given), table, mode="append") if what == "write" else table
    if what == "compact":
        table.optimize.compact_files(materialize_deletions_threshold=0.0)
    if what == "overwrite":
        return lance.write_dataset(table.to_table(), table.uri, mode="overwrite")
    if what == "restore":
        lance.dataset(table.uri, version=1 + given % table.latest_version).restore()
    if what == "column" and f"new{given}" not in table.schema.names:
        table.add_columns(pa.schema([pa.field(f"new{given}", pa.string())]))
    if what == "update":
        rows, fragments, fields = make_rows(given).select(["name", "value"]), [], set[int]()
        for fragment in table.get_fragments():
            if any(name in given for name in fragment.to_table(columns=["name"])["name"].to_pylist()):
                written, leaves = fragment.update_columns(rows, left_on="name", right_on="name")
                fragments.append(written)
                fields |= {*leaves}
        if fragments:
            update = lance.LanceOperation.Update(updated_fragments=fragments, fields_modified=sorted(fields))
            lance.LanceDataset.commit(table, update, read_version=table.version)
    return lance.dataset(table.uri)


def list_rows(table: lance.LanceDataset) -> dict[str, dict[str, Any]]:
    """Return the rows by name; a column without a value is as one that is not there."""
    return {
        row["name"]: {name: value for name, value in row.items() if value is not None} for row in table.to_table().to_pylist()
    }


@settings(max_examples=25)
@given(st.lists(WRITE | st.one_of(*OTHERS), min_size=1, max_size=6), st.integers(0, 5))
def test_two_versions_differ_by_the_rows_that_differ(steps: list[tuple[str, Any]], first: int) -> None:
    with TemporaryDirectory() as folder:
        table = lance.write_dataset(make_rows({"a": 1, "b": 2, "c": 3}), str(Path(folder) / "t.lance"))
        versions = [table.version]
        for what, given in steps:
            table = change(table, what, given)
            versions.append(lance.dataset(table.uri).version)
        before, after = (lance.dataset(table.uri, version=n) for n in (versions[min(first, len(steps) - 1)], versions[-1]))
        found = compare_versions(before, after, ["name"])
        old, new = list_rows(before), list_rows(after)
        told = [
            set(read_rows(version, positions, ["name"])["name"].to_pylist())
            for version, positions in ((before, found.removed), (after, found.changed), (after, found.added))
        ]
        changed = {name for name in old.keys() & new.keys() if old[name] != new[name]}
        assert told == [old.keys() - new.keys(), changed, new.keys() - old.keys()]
        assert len(found.removed) + len(found.changed) + len(found.added) == sum(map(len, told))


def test_a_fragment_that_both_versions_have_is_not_read(tmp_path: Path) -> None:
    rows = pa.table({"name": [f"{n:06}" for n in range(20_000)], "text": [f"a text of its own {n} " * 20 for n in range(20_000)]})
    table = lance.write_dataset(rows, str(tmp_path / "t.lance"))
    change(table, "delete", {"000007"})
    lance.write_dataset(rows.slice(7, 1), table.uri, mode="append")
    before, after = (lance.dataset(table.uri, version=n) for n in (1, 3))
    for version in (before, after):
        version.io_stats_incremental()
    found = compare_versions(before, after, ["name"])
    assert (len(found.removed), len(found.changed), len(found.added)) == (0, 0, 0)
    assert sum(version.io_stats_incremental().read_bytes for version in (before, after)) < 100_000
