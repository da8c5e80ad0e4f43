"""Facts: what a report shows, read from the logs, and which evaluations and cutoff it is about."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from tasks.evaluate.scoring import Span

Key = tuple[str, str, int]
"""A metric, the unit of its cutoff, and the cutoff."""

USUAL_CUTOFF = 5
RANKED_BY = ("recall", "iou")
"""The metrics whose values of single questions are shown."""

BUDGET = "budget_"
"""How the names of metrics begin whose cutoffs are budgets of tokens."""

LOCATED = "located"
"""The metric that says, at cutoff 0, whether a question's gold is in the corpus, and where it was lost if not."""


class Mean(NamedTuple):
    """A mean with its interval."""

    value: float
    low: float
    high: float
    n: int


class LoggedRun(NamedTuple):
    """An evaluation in the log; `name` is what RECIPES calls it, or empty, and `options` say how it searched and scored."""

    run_id: str
    recipe: str
    generation: int
    evaluated_at: datetime
    name: str = ""
    options: str = ""

    @property
    def title(self) -> str:
        """Return what people call its recipe."""
        return self.name or f"recipe {self.recipe[:12]}"

    @property
    def label(self) -> str:
        """Return what identifies it among evaluations of the same recipe."""
        recipe = f"recipe {self.recipe[:8]}, {self.evaluated_at:%Y-%m-%d %H:%M}"
        return f"run {self.run_id[:8]} of generation {self.generation} ({recipe})"


class Cost(NamedTuple):
    """What an evaluation cost: a row of RECIPES."""

    n_documents: int
    n_chunks: int
    index_bytes: int
    lengths: list[int]
    chunking_seconds: float | None
    embedding_seconds: float | None
    search_p50_ms: float | None
    search_p95_ms: float | None


class Run(NamedTuple):
    """An evaluation that is shown: its means over all questions, and what single questions have at the report's cutoff.

    `unit` is that of the cutoff in this run. `values` are by metric and question, `lost` are reasons by question.
    """

    logged: LoggedRun
    unit: str
    means: Mapping[Key, Mean]
    cost: Cost | None
    values: Mapping[str, Mapping[str, float]]
    lost: Mapping[str, str]

    def get_mean(self, metric: str, cutoff: int) -> Mean | None:
        """Return a mean at the report's cutoff, if there is one; a budget is a cutoff too."""
        return self.means.get((metric, self.unit, cutoff)) or self.means.get((BUDGET + metric, self.unit, cutoff))


class LoggedQuestion(NamedTuple):
    """A question, with the spans and pages of its gold by path."""

    question_id: str
    question: str
    answer: str
    domain: str
    documents: list[str]
    spans: dict[str, list[Span]]
    pages: dict[str, list[int]]


class Result(NamedTuple):
    """A result of a search."""

    rank: int
    path: str
    span: Span
    pages: list[int]
    score: float


class QuestionDetails(NamedTuple):
    """The run whose questions are shown one by one: those shown, the number of all, their results, and texts by path."""

    run: Run
    questions: list[LoggedQuestion]
    n_questions: int
    results: Mapping[str, list[Result]]
    texts: Mapping[str, str]
    no_texts: str


class TrendPoint(NamedTuple):
    """A generation's evaluation in the trend, with its means over all questions."""

    logged: LoggedRun
    unit: str
    means: Mapping[Key, Mean]


class ReportData(NamedTuple):
    """All that a report shows. `runs` are the best first; `n_left_out` are older recipes that are not shown."""

    title: str
    cutoff: int
    runs: list[Run]
    n_left_out: int
    domains: Mapping[str, str]
    details: QuestionDetails
    nights: list[TrendPoint]
    alarm: str


def select_latest_runs(found: Iterable[LoggedRun], most: int) -> tuple[list[LoggedRun], int]:
    """Return the last evaluation of each recipe and way to ask, the `most` newest, oldest first; and how many are left out.

    `found` has the oldest first.
    """
    ordered = sorted({(one.recipe, one.options): one for one in found}.values(), key=lambda one: (one.evaluated_at, one.run_id))
    return ordered[-most:], max(0, len(ordered) - most)


def select_trend_runs(found: Iterable[LoggedRun], until: LoggedRun, most: int) -> list[LoggedRun]:
    """Return an evaluation for each of the last `most` generations up to `until`, the oldest first.

    It is the last one of a generation that was asked like `until`, or the last one if none was.
    """
    chosen: dict[int, LoggedRun] = {}
    for one in sorted(found, key=lambda one: (one.options == until.options, one.evaluated_at, one.run_id)):
        if one.generation and one.evaluated_at <= until.evaluated_at:
            chosen[one.generation] = one
    return [chosen[generation] for generation in sorted(chosen)][-most:]


def choose_recall_cutoff(runs: Iterable[Iterable[Key]]) -> int:
    """Return the cutoff of recall that most runs have; of several, the usual one, or else the middle one.

    >>> choose_recall_cutoff([[("recall", "chunks", k) for k in (1, 5, 10)], [("recall", "chunks", k) for k in (5, 10)]])
    5
    >>> choose_recall_cutoff([[("budget_recall", "tokens", k) for k in (500, 1000, 10000)]])
    1000
    """
    listed = [list(keys) for keys in runs]
    found: Counter[int] = Counter()
    for metric in (RANKED_BY[0], BUDGET + RANKED_BY[0]):
        found = found or Counter(cutoff for keys in listed for cutoff in {key[2] for key in keys if key[0] == metric})
    common = sorted(cutoff for cutoff, n in found.items() if n == max(found.values()))
    return USUAL_CUTOFF if USUAL_CUTOFF in common else common[len(common) // 2] if common else USUAL_CUTOFF


def find_cutoff_unit(keys: Iterable[Key], cutoff: int) -> str:
    """Return the unit in which a run has the cutoff, that of results rather than of budgets or pages."""
    names = (*RANKED_BY, *(BUDGET + metric for metric in RANKED_BY))
    listed = sorted(keys, key=lambda key: (key[2] != cutoff, names.index(key[0]) if key[0] in names else len(names), key))
    return listed[0][1] if listed else ""


def rank_runs_by_means(runs: Iterable[Run], cutoff: int) -> list[Run]:
    """Return the runs by their mean recall and IoU, the best first."""

    def make_sort_key(run: Run) -> tuple[float | str, ...]:
        found = [run.get_mean(metric, cutoff) for metric in RANKED_BY]
        return (*(-mean.value if mean else 1.0 for mean in found), run.logged.title, run.logged.run_id)

    return sorted(runs, key=make_sort_key)


def choose_shown_run(runs: Sequence[Run]) -> Run:
    """Return the run to show questions of: the best of the newest generation; `runs` are ordered as by `rank_runs_by_means`."""
    newest = max(run.logged.generation for run in runs)
    return next(run for run in runs if run.logged.generation == newest)


def sort_questions_worst_first(run: Run, questions: Iterable[LoggedQuestion]) -> list[LoggedQuestion]:
    """Return the questions with the lowest recall first, then with the lowest IoU; at the very first those without scores."""

    def make_sort_key(one: LoggedQuestion) -> tuple[float, float, str]:
        recall, iou = (run.values.get(metric, {}).get(one.question_id, -1.0) for metric in RANKED_BY)
        return recall, iou, one.question_id

    return sorted(questions, key=make_sort_key)
