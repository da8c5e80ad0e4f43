from collections.abc import Iterable
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import CorpusError, InputError
from schemas.ids import document_id
from schemas.options.sections import PlanOptions
from tasks.refresh.planning import (
    Plan,
    PublishedDocument,
    SourceFile,
    are_unchanged,
    check_plan,
    hash_metadata,
    keep_unlisted,
    make_plan,
)

RECIPE, LIMITS = "r1", "{}"
OPTIONS = PlanOptions()
COMPARED = ("path", "sha256", "recipe", "metadata_hash")


def a_file(path: str, sha256: str = "s", **metadata: Any) -> SourceFile:
    return SourceFile(path, 1, sha256, "text/plain", metadata)


def published(files: Iterable[SourceFile], **changes: Any) -> dict[str, PublishedDocument]:
    found = {}
    for file in files:
        name = document_id("main", file.path)
        facts = {"sha256": file.sha256, "recipe": RECIPE, "metadata_hash": hash_metadata(file.metadata), **changes}
        found[name] = PublishedDocument(name, file.path, **facts)
    return found


def plan_of(files: Iterable[SourceFile], known: dict[str, PublishedDocument]) -> Plan:
    return make_plan(files, known, RECIPE, OPTIONS, LIMITS)


def kinds(plan: Plan) -> dict[str, str]:
    return {change.file.path: change.kind for change in plan.changes}


paths = st.dictionaries(st.text("abc", min_size=1, max_size=3), st.sampled_from(["s1", "s2", "s3"]), max_size=8)


@given(paths)
def test_what_is_published_as_it_lies_there_gives_nothing_to_do(contents: dict[str, str]) -> None:
    files = [a_file(path, sha256) for path, sha256 in contents.items()]
    plan = plan_of(files, published(files))
    assert plan.has_nothing_to_do
    assert plan.unchanged == len(files)


@given(paths, paths)
def test_every_document_of_the_source_and_of_the_corpus_is_accounted_for(here: dict[str, str], there: dict[str, str]) -> None:
    plan = plan_of([a_file(*item) for item in here.items()], published(a_file(*item) for item in there.items()))
    changed = {change.file.path for change in plan.changes}
    removed = {path for _, path in plan.removed}
    assert len(changed) + plan.unchanged == len(here)
    assert removed == set(there) - set(here)
    assert changed >= set(here) - set(there)
    counts = plan.counts()
    assert counts["removed"] + counts["moved"] == len(removed)


@given(paths, paths, st.sets(st.sampled_from(["a", "b", "c"])))
def test_documents_that_are_unchanged_as_columns_are_so_one_by_one(
    here: dict[str, str], there: dict[str, str], rejected: set[str]
) -> None:
    files = [a_file(*item) for item in here.items()]
    known = published(a_file(*item) for item in there.items())
    columns = {"path": list(here), "sha256": list(here.values()), "metadata_hash": [hash_metadata({})] * len(here)}
    of_known = {name: pa.array([getattr(document, name) for document in known.values()], pa.string()) for name in COMPARED}
    table = pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()})
    same = are_unchanged(table, pa.table(of_known), pa.array(sorted(rejected), pa.string()), RECIPE).to_pylist()
    of_all = kinds(plan_of(files, known))
    assert same == [path not in of_all and path not in rejected for path in here]


def test_changed_content_another_recipe_and_other_metadata_are_told_apart() -> None:
    known = published([a_file("a", "old"), a_file("c")]) | published([a_file("b")], recipe="r0")
    plan = plan_of([a_file("a", "new"), a_file("b"), a_file("c", year=2023)], known)
    assert kinds(plan) == {"a": "changed", "b": "changed", "c": "metadata"}


def test_a_file_under_a_new_name_has_moved_and_a_copy_is_added() -> None:
    known = published([a_file("old", "s1"), a_file("kept", "s2")])
    plan = plan_of([a_file("new", "s1"), a_file("kept", "s2"), a_file("copy", "s2")], known)
    assert kinds(plan) == {"new": "moved", "copy": "added"}
    assert [change.moved_from for change in plan.changes if change.kind == "moved"] == ["old"]
    assert plan.counts()["removed"] == 0


@pytest.mark.parametrize(
    ("final", "attempts", "limits", "kind"),
    [
        (True, 1, LIMITS, None),
        (False, 1, LIMITS, "retried"),
        (False, 3, LIMITS, None),
        (False, 3, '{"memory_mb": 1}', "retried"),
    ],
)
def test_a_rejected_document_is_tried_again_while_it_may_help(final: bool, attempts: int, limits: str, kind: str | None) -> None:
    name = document_id("main", "a")
    known = {name: PublishedDocument(name, "a", "", "", "", "s", RECIPE, final, attempts, limits)}
    plan = plan_of([a_file("a")], known)
    assert kinds(plan).get("a") == kind
    assert plan.rejected == (kind is None)


def test_a_stale_document_whose_file_comes_back_is_brought_up_to_date() -> None:
    name = document_id("main", "a")
    stale = PublishedDocument(name, "a", "good", RECIPE, hash_metadata({}), "bad", RECIPE, True, 1, LIMITS)
    assert kinds(plan_of([a_file("a", "good")], {name: stale})) == {"a": "changed"}


def test_an_empty_source_is_refused_unless_it_is_allowed() -> None:
    plan = plan_of([], {})
    with pytest.raises(InputError, match="--allow-empty"):
        check_plan(plan, OPTIONS)
    check_plan(plan, PlanOptions(allow_empty=True))


def test_removing_more_than_a_fifth_is_refused_unless_it_is_allowed() -> None:
    files = [a_file(str(n), f"s{n}") for n in range(10)]
    check_plan(plan_of(files[2:], published(files)), OPTIONS)
    plan = plan_of(files[3:], published(files))
    with pytest.raises(CorpusError, match=r"3 of 10.*--allow-removals"):
        check_plan(plan, OPTIONS)
    check_plan(plan, PlanOptions(allow_removals=True))


def test_equal_contents_that_move_together_are_all_moved() -> None:
    before = published([a_file("old/a.txt"), a_file("old/b.txt"), a_file("c.txt", "s2")])
    plan = plan_of([a_file("new/a.txt"), a_file("new/b.txt"), a_file("c.txt", "s2")], before)
    assert kinds(plan) == {"new/a.txt": "moved", "new/b.txt": "moved"}
    assert {change.moved_from for change in plan.changes} == {"old/a.txt", "old/b.txt"}
    check_plan(plan, OPTIONS)


def test_rejects_that_leave_the_source_are_no_loss() -> None:
    known = published([a_file("a.txt")])
    rejected = document_id("main", "box.zip")
    known[rejected] = PublishedDocument(rejected, "box.zip", attempts=1)
    plan = plan_of([a_file("a.txt")], known)
    assert (plan.counts()["removed"], plan.n_unindexed) == (1, 1)
    check_plan(plan, OPTIONS)
    with pytest.raises(CorpusError, match="left the source"):
        check_plan(plan_of([a_file("new.txt", "other")], known), OPTIONS)


@given(paths, paths)
def test_a_listing_that_was_not_complete_removes_and_moves_nothing(here: dict[str, str], there: dict[str, str]) -> None:
    whole = plan_of([a_file(*item) for item in here.items()], published(a_file(*item) for item in there.items()))
    plan = keep_unlisted(whole)
    counts = plan.counts()
    assert counts["removed"] == counts["moved"] == 0
    assert counts["added"] == len(set(here) - set(there))
    assert len(plan.changes) + plan.unchanged == plan.n_source == len({*here, *there})
