from datetime import UTC, datetime, timedelta

from tasks.evaluate.report.data import LoggedRun, choose_recall_cutoff, find_cutoff_unit, select_latest_runs, select_trend_runs

BEGAN = datetime(2026, 11, 1, tzinfo=UTC)


def logged(run: str, recipe: str = "r", generation: int = 1, day: int = 0, options: str = "") -> LoggedRun:
    return LoggedRun(run, recipe, generation, BEGAN + timedelta(days=day), "", options)


def test_of_each_recipe_the_last_evaluation_is_shown() -> None:
    found = [logged("a", "r", 1, 1), logged("b", "r", 2, 2), logged("c", "s", 1, 0), logged("d", "s", 1, 1, "dense")]
    assert [one.run_id for one in select_latest_runs(found, 9)[0]] == ["c", "d", "b"]
    assert ([one.run_id for one in select_latest_runs(found, 2)[0]], select_latest_runs(found, 2)[1]) == (["d", "b"], 1)


def test_a_trend_has_one_night_for_each_generation_and_prefers_one_that_was_asked_alike() -> None:
    found = [
        logged("a", generation=1, day=1, options="hybrid"),
        logged("b", generation=1, day=2, options="dense"),
        logged("c", generation=2, day=3, options="dense"),
        logged("d", generation=3, day=4, options="hybrid"),
        logged("e", generation=4, day=9, options="hybrid"),
        logged("x", generation=0, day=0, options="hybrid"),
    ]
    assert [one.run_id for one in select_trend_runs(found, found[3], 30)] == ["a", "c", "d"]
    assert [one.run_id for one in select_trend_runs(found, found[3], 2)] == ["c", "d"]


def test_the_cutoff_is_one_that_most_evaluations_have() -> None:
    assert choose_recall_cutoff([[("recall", "chunks", k) for k in cutoffs] for cutoffs in ([10], [1, 3, 10], [3, 10])]) == 10
    assert choose_recall_cutoff([]) == 5


def test_the_unit_is_that_of_the_cutoff() -> None:
    keys = [("budget_recall", "tokens", 500), ("recall", "passages", 5), ("chunk_mrr", "chunks", 5), ("page_recall", "pages", 5)]
    assert (find_cutoff_unit(keys, 5), find_cutoff_unit(keys, 500), find_cutoff_unit([], 5)) == ("passages", "tokens", "")
