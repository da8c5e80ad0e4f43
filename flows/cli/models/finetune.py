"""`pagemill finetune`: tune the embedder of a corpus with its own questions."""

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

import typer

from flows.cli.output import As, CorpusOption, Json, print_json, print_line, print_table
from flows.cli.server import get_prefect_server_url, report_to_prefect_server
from flows.settings import read_finetune_options
from schemas.access import Principal
from schemas.corpus import Corpus
from schemas.options.finetune import FinetuneOptions


def add_finetune_command(application: typer.Typer) -> None:
    """Add the command."""
    application.command("finetune")(finetune_embedder_command)


def finetune_embedder_command(
    corpus: CorpusOption,
    questions: Annotated[str, typer.Option(envvar="PAGEMILL_QUESTIONS", help="JSON-lines file of questions, of two splits.")],
    out: Annotated[Path, typer.Option(help="New folder for the model.")],
    train_split: Annotated[str | None, typer.Option(help="Split that is learnt from, train by default.")] = None,
    held_out_split: Annotated[str | None, typer.Option(help="Split that shows whether it helped, test by default.")] = None,
    epochs: Annotated[int | None, typer.Option(help="How often each question is learnt from, 3 times by default.")] = None,
    learning_rate: Annotated[float | None, typer.Option(help="Highest learning rate, 0.00002 by default.")] = None,
    seed: Annotated[int | None, typer.Option(help="Another seed draws other batches.")] = None,
    asker: As = None,
    as_json: Json = False,
) -> None:
    """Tune the embedder of CORPUS with questions whose answers it holds, and compare before and after with held-out questions.

    Writes a new model; the corpus stays as it is, and nothing uses the model by itself.
    """
    asked = {"train_split": train_split, "held_out_split": held_out_split, "epochs": epochs, "learning_rate": learning_rate}
    options = read_finetune_options({name: value for name, value in {**asked, "seed": seed}.items() if value is not None})
    card = run_finetuning(corpus, questions, str(out), options, asker)
    if as_json:
        print_json(card)
        return
    counts = card["counts"]
    print_line(f"{out}: tuned from {card['base']} with {counts['train']} questions in {counts['steps']} steps")
    print_line(f"loss {card['first_loss']:.3f} in the first epoch, {card['last_loss']:.3f} in the last")
    lines = [make_metric_line(figure) for figure in card["figures"]]
    print_table(lines, None, "no figures")
    model = shlex.quote(str(out))
    print_line(f"to try it: pagemill refresh SOURCE --corpus {corpus.quoted} --candidate {out.name} --embedder {model}")


def run_finetuning(
    corpus: Corpus, questions: str, out: str, options: FinetuneOptions, asker: Principal | None = None
) -> dict[str, Any]:
    """Fine-tune the embedder, as a run of the Prefect server if one answers; return the model card as JSON values."""
    from tasks.finetune.io import collect, finetune
    from tasks.store.access import check_owner

    check_owner(corpus, asker)

    if url := get_prefect_server_url():
        from flows.finetune import finetune as flow

        with report_to_prefect_server(url):
            card: dict[str, Any] = flow(corpus.uri, questions, out, options)
            return card
    job = collect.start_finetuning(uuid4().hex, corpus, questions, out, options, asker)
    collected = collect.collect_training_data(job)
    mined = finetune.embed_and_mine_negatives(job, collected)
    learnt = finetune.train_model(job, collected, mined, *([print_progress] if sys.stderr.isatty() else []))
    return finetune.compare_and_write_model(job, collected, mined, learnt).model_dump(mode="json")


def print_progress(step: int, total: int, loss: float) -> None:
    """Show on a terminal how far it is."""
    sys.stderr.write(f"\rstep {step} of {total}, loss {loss:.3f}" + ("\n" if step == total else ""))


def make_metric_line(figure: Mapping[str, object]) -> dict[str, str]:
    """Return a metric before and after as a line for people."""
    interval = "" if figure["low"] is None else f" [{figure['low']:+.3f} {figure['high']:+.3f}]"
    return {
        "held-out": f"{figure['metric']}@{figure['cutoff']}",
        "n": str(figure["n"]),
        "before": f"{figure['before']:.3f}",
        "after": f"{figure['after']:.3f}",
        "difference": f"{figure['difference']:+.3f}{interval}",
        "p (Holm)": "" if figure["p_holm"] is None else f"{figure['p_holm']:.3f}",
        "won / lost / tied": f"{figure['won']} / {figure['lost']} / {figure['tied']}",
    }
