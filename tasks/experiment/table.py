"""The table of an experiment: a line for each configuration, for people."""

from collections.abc import Iterable, Sequence

from schemas.records import MetricRow, RecipeRow

SHOWN = ("recall", "iou", "budget_recall")
"""The metrics that lines show."""
TOKENS = "tokens"
"""The unit of budgets."""


class MeasuredRecipe(RecipeRow):
    """What is known of a configuration: its row of RECIPES, and its metrics over all questions."""

    metrics: list[MetricRow]


def make_recipe_lines(found: Sequence[MeasuredRecipe]) -> list[dict[str, str | int]]:
    """Return a line for each configuration: its name, run, chunks, seconds of embedding, and SHOWN at each cutoff and budget.

    Values are in percent, with their interval; one question has no interval.

    >>> metric = {"metric": "recall", "cutoff_unit": "chunks", "cutoff": 5, "value": 0.5, "low": 0.25, "high": 0.75, "n": 9}
    >>> row = {"name": "page 128", "run_id": "0123456789", "n_chunks": 7, "embedding_seconds": 1.25, "metrics": [metric]}
    >>> make_recipe_lines([row])
    [{'recipe': 'page 128', 'run': '01234567', 'chunks': 7, 'embedding s': '1.2', 'recall@5': '50.0 [25.0 75.0]'}]
    """
    return [
        {
            "recipe": row["name"],
            "run": row["run_id"][:8],
            "chunks": row["n_chunks"],
            "embedding s": "" if row["embedding_seconds"] is None else f"{row['embedding_seconds']:.1f}",
            **_format_metrics(row["metrics"]),
        }
        for row in found
    ]


def _format_metrics(metrics: Iterable[MetricRow]) -> dict[str, str]:
    shown = [row for row in metrics if row["metric"] in SHOWN and row["cutoff"]]
    ordered = sorted(shown, key=lambda row: (row["cutoff_unit"] == TOKENS, row["cutoff"], SHOWN.index(row["metric"])))
    return {name_metric_column(row): _format_mean_with_interval(row) for row in ordered}


def name_metric_column(row: MetricRow) -> str:
    """Return what people call a metric at its cutoff.

    >>> name_metric_column({"metric": "budget_recall", "cutoff_unit": "tokens", "cutoff": 500})
    'recall@500 tokens'
    """
    return f"{row['metric'].removeprefix('budget_')}@{row['cutoff']}" + (" tokens" if row["cutoff_unit"] == TOKENS else "")


def _format_mean_with_interval(row: MetricRow) -> str:
    interval = f" [{100 * row['low']:.1f} {100 * row['high']:.1f}]" if row["n"] > 1 else " (one question: no interval)"
    return f"{100 * row['value']:.1f}{interval}"
