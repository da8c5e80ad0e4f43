"""`pagemill compare`: what changed between two evaluations, and whether it is more than chance."""

from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.output import As, CorpusOption, Json, parse_metric_at_cutoff, print_json, print_line, print_table
from flows.settings import read_evaluate_options

if TYPE_CHECKING:
    from tasks.evaluate.comparison import Comparison
    from tasks.evaluate.io.compare import EvaluationComparison

LOGGED = ("run_id", "generation", "recipe", "evaluated_at")
"""Fields of an evaluation in JSON."""

SHOWN = 5
"""Questions of each kind that are shown to people; `--json` gives all."""


def add_compare_command(application: typer.Typer) -> None:
    """Add the command."""
    application.command("compare")(compare_evaluations_command)


def compare_evaluations_command(
    a: Annotated[str, typer.Argument(help="An evaluation: a generation, the start of a run id or recipe, latest or previous.")],
    b: Annotated[str, typer.Argument(help="The one to compare with it.")],
    corpus: CorpusOption,
    metric: Annotated[str, typer.Option(help="Metric and cutoff whose questions are shown, such as recall@5.")] = "recall@5",
    asker: As = None,
    as_json: Json = False,
) -> None:
    """Compare two evaluations by pairs: the questions that both scored, B minus A."""
    from tasks.evaluate.io.compare import compare_evaluations
    from tasks.store.access import check_owner

    check_owner(corpus, asker)
    name, cutoff = parse_metric_at_cutoff(metric)
    compared = compare_evaluations(corpus, a, b, name, cutoff, read_evaluate_options({}))
    if as_json:
        print_json(convert_comparison_to_json(compared))
        return
    print_comparison(compared)


def print_comparison(compared: "EvaluationComparison", names: tuple[str, str] = ("", "")) -> None:
    """Print how two evaluations differ; `names` come before what they are."""
    print_line(f"A: {names[0]}{compared.a.label}")
    print_line(f"B: {names[1]}{compared.b.label}")
    lines = [make_comparison_line(one, p) for one, p in compared.metrics]
    print_table(lines, None, "no metrics")
    lost = [change for change in compared.changed if change.b < change.a]
    won = [change for change in reversed(compared.changed) if change.b > change.a]
    for word, changes in (("lost", lost), ("won", won)):
        print_line(
            f"{compared.metric}@{compared.cutoff}: {len(changes)} questions {word}"
            + (", the most:" if len(changes) > SHOWN else ":" if changes else "")
        )
        for change in changes[:SHOWN]:
            print_line(f"  {change.a:.2f} → {change.b:.2f}  {change.question_id}: {change.question}")


def make_comparison_line(one: "Comparison", p: float | None) -> dict[str, str]:
    """Return a comparison as a line for people."""
    interval = "" if one.low is None else f" [{one.low:+.3f} {one.high:+.3f}]"
    return {
        "metric": f"{one.metric}@{one.cutoff}",
        "n": str(one.n),
        "A": f"{one.a:.3f}",
        "B": f"{one.b:.3f}",
        "B - A": f"{one.difference:+.3f}{interval}",
        "p (Holm)": "" if p is None else f"{p:.3f}",
        "detectable": "" if one.detectable is None else f"{one.detectable:.3f}",
        "won / lost / tied": f"{one.won} / {one.lost} / {one.tied}",
    }


def convert_comparison_to_json(compared: "EvaluationComparison") -> dict[str, object]:
    """Return a comparison as JSON values."""
    return {
        **{side: {name: getattr(one, name) for name in LOGGED} for side, one in (("a", compared.a), ("b", compared.b))},
        "metrics": [{**one._asdict(), "p_holm": p} for one, p in compared.metrics],
        "metric": compared.metric,
        "cutoff": compared.cutoff,
        "changed": [change._asdict() for change in compared.changed],
    }
