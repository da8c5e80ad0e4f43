"""`pagemill metrics` and `pagemill scores`: what an evaluation logged, as means and question by question."""

from typing import Annotated

import typer

from flows.cli.output import As, CorpusOption, Json, parse_metric_at_cutoff, print_json, print_table

Run = Annotated[str, typer.Option("--run", help="An evaluation as `compare` names them.")]


def add_score_commands(application: typer.Typer) -> None:
    """Add the commands."""
    application.command("metrics")(list_metrics_command)
    application.command("scores")(list_scores_command)


def list_metrics_command(corpus: CorpusOption, run: Run = "latest", asker: As = None, as_json: Json = False) -> None:
    """List the means of an evaluation with their intervals: all metrics, cutoffs, splits and domains."""
    from tasks.evaluate.io.compare import choose_evaluation, list_evaluations
    from tasks.evaluate.io.read_logs import list_metrics
    from tasks.store.access import check_owner

    check_owner(corpus, asker)
    rows = list_metrics(corpus, choose_evaluation(list_evaluations(corpus), run).run_id)
    if as_json:
        print_json(rows)
        return
    lines = [
        {
            "split": row["split"],
            "domain": row["domain"],
            "metric": row["metric"],
            "of": f"{row['cutoff']} {row['cutoff_unit']}" if row["cutoff"] else "",
            "value": f"{row['value']:.3f} [{row['low']:.3f} {row['high']:.3f}]",
            "n": row["n"],
        }
        for row in rows
    ]
    print_table(lines, ["split", "domain", "metric", "of", "value", "n"], "no metrics")


def list_scores_command(
    corpus: CorpusOption,
    run: Run = "latest",
    metric: Annotated[str, typer.Option(help="Metric and cutoff, such as recall@5.")] = "recall@5",
    lost: Annotated[bool, typer.Option("--lost", help="Only questions whose results lack gold.")] = False,
    asker: As = None,
    as_json: Json = False,
) -> None:
    """List the score of each question in an evaluation, the worst first, and why gold was lost."""
    from tasks.evaluate.io.compare import choose_evaluation, list_evaluations
    from tasks.evaluate.io.read_logs import list_scores
    from tasks.store.access import check_owner

    check_owner(corpus, asker)
    name, cutoff = parse_metric_at_cutoff(metric)
    rows = list_scores(corpus, choose_evaluation(list_evaluations(corpus), run).run_id, name, cutoff)
    kept = [row for row in rows if row["lost"]] if lost else rows
    if as_json:
        print_json(kept)
        return
    lines = [{**row, "value": f"{row['value']:.2f}", "lost": row["lost"] or ""} for row in kept]
    print_table(lines, ["value", "lost", "question_id", "question"], "no question lacks gold")
