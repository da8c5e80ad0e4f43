"""`pagemill experiment`: recipes side by side on a folder of documents and a file of questions."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.output import Json, print_json, print_line, print_table, print_warning
from flows.cli.server import get_prefect_server_url, report_to_prefect_server
from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.ids import is_unicode

if TYPE_CHECKING:
    from schemas.options.experiment import ExperimentOptions
    from tasks.experiment.io.run import Outcome


def add_experiment_command(application: typer.Typer) -> None:
    """Add the command."""
    application.command("experiment")(run_experiment_command)


def run_experiment_command(
    config: Annotated[Path | None, typer.Argument(help="YAML file, see docs/experiments.md.", metavar="CONFIG.yaml")] = None,
    out: Annotated[str | None, typer.Option("--out", help="Folder for the results.", metavar="FOLDER")] = None,
    design: Annotated[str | None, typer.Option(help="A configuration that comes with Pagemill, instead of a file.")] = None,
    source: Annotated[str | None, typer.Option(help="Folder of documents, instead of the file's.")] = None,
    questions: Annotated[str | None, typer.Option(help="JSON-lines file of questions, instead of the file's.")] = None,
    recommend: Annotated[bool, typer.Option("--recommend", help="Name the recipe to use; write its pagemill.toml.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="List the designs that come with Pagemill.")] = False,
    as_json: Json = False,
) -> None:
    """Compare recipes of chunking, embedding and search. What was measured before is not measured again.

    The results are tables like those of `pagemill evaluate`: `pagemill compare` takes the folder as a corpus.
    """
    from tasks.experiment.io.config import find_design_file, list_designs, read_experiment_config
    from tasks.experiment.table import make_recipe_lines

    if listed:
        print_json(list_designs()) if as_json else print_table(
            [{"design": name, "title": title} for name, title in list_designs().items()], ["design", "title"], "no designs"
        )
        return
    if (config is None) == (design is None):
        raise InputError("name a configuration, or a design with --design: --list shows the designs")
    if out is None or not out.strip() or not is_unicode(out):
        raise InputError("--out is missing, blank or not UTF-8: name the folder of the results")
    options = read_experiment_config(
        find_design_file(design) if design else Path(str(config)), {"source": source, "questions": questions}
    )
    outcome = run_experiment(options, Corpus(out), recommend)
    if as_json:
        print_json(outcome._asdict())
        return
    shown = make_recipe_lines(outcome.recipes)
    print_table(shown, None, "no results")
    for line in outcome.told:
        print_line(line)


def run_experiment(options: "ExperimentOptions", out: Corpus, recommend: bool = False) -> "Outcome":
    """Measure what is missing, as a run of the Prefect server if one answers; return what is known of each configuration."""
    from tasks.experiment.io import run

    if url := get_prefect_server_url():
        from flows.experiment import experiment

        with report_to_prefect_server(url):
            return run.Outcome(*experiment(options, out.uri, recommend))
    with run.plan_and_lock_experiment(options, out) as plan:
        if cells := run.find_unfinished_cells(plan):
            prepared = run.parse_documents_and_locate_gold(plan)
            for problem in prepared.located.problems:
                print_warning(f"question {problem.question_id}: {problem.document}: {problem.reason}")
            for number, cell in enumerate(cells, start=1):
                print_warning(f"{number} of {len(cells)}: {cell.name}")
                run.measure_cell(plan, prepared, cell)
        return run.finish_experiment(plan, recommend)
