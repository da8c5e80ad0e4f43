"""`pagemill report`: what evaluations found, as one HTML file."""

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.output import As, CorpusOption, Json, print_json, print_line


def add_report_command(application: typer.Typer) -> None:
    """Add the command."""
    application.command("report")(write_report_command)


def write_report_command(
    corpus: CorpusOption,
    out: Annotated[Path, typer.Option(help="HTML file to write; one that is there is replaced.")] = Path("report.html"),
    run: Annotated[
        list[str] | None,
        typer.Option(help="An evaluation as `compare` names them; repeat it for more. Without it, the last one of each recipe."),
    ] = None,
    asker: As = None,
    as_json: Json = False,
) -> None:
    """Write one HTML file that shows what evaluations found, question by question. CORPUS may be the folder of an experiment."""
    from tasks.evaluate.io.compare import choose_evaluation, list_evaluations
    from tasks.evaluate.io.report import write_evaluation_report
    from tasks.store.access import check_owner

    check_owner(corpus, asker)
    run_ids = [choose_evaluation(list_evaluations(corpus), name).run_id for name in run] if run else None
    path = write_evaluation_report(corpus, out, run_ids)
    if as_json:
        print_json({"report": str(path), "bytes": path.stat().st_size})
    else:
        print_line(f"report: {path}")
