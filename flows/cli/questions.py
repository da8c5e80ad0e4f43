"""`pagemill questions`: import, check and generate questions whose answers are known."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from flows.cli.output import CorpusOption, Json, say, say_json, warn
from flows.cli.server import reporting_to, server_url
from schemas.corpus import Corpus
from schemas.errors import InputError

MOST_TOLD = 20
"""Refused questions that are named on stderr; the file beside the questions has all."""

Out = Annotated[Path, typer.Option("--out", help="File to write, as JSON lines. Refused questions go to a file beside it.")]


def register(application: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(no_args_is_help=True, help="Import, check or generate questions whose answers are known.")
    group.command("import")(import_command)
    group.command("check")(check_command)
    group.command("generate")(generate_command)
    application.add_typer(group, name="questions")


def import_command(
    file: Annotated[Path, typer.Argument(help="JSON lines, CSV or TSV, SQuAD JSON, or a folder of BEIR.")],
    corpus: CorpusOption,
    out: Out,
    as_json: Json = False,
) -> None:
    """Turn questions of other kinds into Pagemill's, with their gold located in the corpus."""
    from tasks.evaluate.io.question_files import check_output_path, write_questions
    from tasks.evaluate.io.questions.collect import import_questions

    check_output_path(out, file)
    found = import_questions(corpus, file)
    questions = [one.question for one in found.placed]
    beside = write_questions(out, questions, found.refused)
    say_imported(out, questions, found.refused, beside, as_json)
    if not questions:
        raise InputError(f"no question of {file} can be used with {corpus}: see {beside}")


def check_command(
    file: Annotated[Path, typer.Argument(help="Questions as JSON lines.")], corpus: CorpusOption, as_json: Json = False
) -> None:
    """Tell which questions would be scored with the corpus, and which not and why. Exit with 1 if any would not."""
    from tasks.evaluate.io.questions.collect import check_questions

    found = check_questions(corpus, file)
    n_refused = len({one.place for one in found.refused})
    kinds = Counter(kind_of(one.question) for one in found.placed)
    if as_json:
        refused = [one.model_dump() for one in found.refused]
        say_json({"scored": len(found.placed), "refused": n_refused, "gold": kinds, "problems": refused})
    else:
        say(f"{len(found.placed)} of {len(found.placed) + n_refused} questions would be scored{format_counts(kinds)}")
        say_refused(found.refused)
    if found.refused:
        raise typer.Exit(1)


def generate_command(
    corpus: CorpusOption,
    out: Out,
    per_document: Annotated[int | None, typer.Option(help="Most questions about one document. [default: 10]")] = None,
    documents: Annotated[int | None, typer.Option(help="How many documents are drawn. By default all.")] = None,
    base_url: Annotated[
        str | None, typer.Option(help="Address of an OpenAI-compatible endpoint. Its key: PAGEMILL_API_KEY.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="Model of the endpoint.")] = None,
    input_price: Annotated[float | None, typer.Option(help="Dollars for a million tokens of questions.")] = None,
    output_price: Annotated[float | None, typer.Option(help="Dollars for a million tokens of answers.")] = None,
    max_cost: Annotated[float | None, typer.Option(help="Most dollars that this run may spend.")] = None,
    seed: Annotated[int | None, typer.Option(help="Another seed draws other documents and passages. [default: 0]")] = None,
    as_json: Json = False,
) -> None:
    """Write questions about the documents of the corpus, by a language model, or without one from headings, tables and sentences.

    A run that was stopped goes on where it was when it is started again: no question is asked twice.
    """
    from flows.settings import chat_options, generate_options
    from tasks.evaluate.io.question_files import check_output_path, name_refused_file

    check_output_path(out)
    asked = {"base_url": base_url, "model": model, "max_cost": max_cost, "input_price": input_price, "output_price": output_price}
    chat = chat_options(drop_missing(asked))
    options = generate_options(drop_missing({"per_document": per_document, "documents": documents, "seed": seed}))
    generated = run_generation(corpus, out, options, chat)
    say_imported(out, generated.questions, generated.refused, name_refused_file(out), as_json)
    if chat.base_url and not as_json:
        say(str(generated.spent))


def run_generation(corpus: Corpus, out: Path, options: Any, chat: Any) -> Any:
    """Generate questions, as a run of the Prefect server if one answers; return a `GenerationResult`."""
    from tasks.evaluate.io.questions import generate

    if url := server_url():
        from flows.generate_questions import generate_questions

        with reporting_to(url):
            return generate.GenerationResult.model_validate(generate_questions(corpus.uri, str(out), options, chat))
    job = generate.GenerationJob(corpus=corpus, out=str(out), options=options, chat=chat)
    generated = generate.generate_questions_from_model(job) if chat.base_url else generate.generate_questions_from_documents(job)
    generate.write_generated_questions(job, generated)
    generate.raise_early_end(job, generated)
    return generated


def drop_missing(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that were given."""
    return {name: value for name, value in values.items() if value is not None}


def kind_of(question: Any) -> str:
    """Return what the gold of a question is: spans, pages or documents."""
    if not question.gold:
        return "documents"
    return "pages" if all(gold.page is not None for gold in question.gold) else "spans"


def say_imported(out: Path, questions: Sequence[Any], refused: Sequence[Any], beside: Path, as_json: bool) -> None:
    """Print what was written where."""
    origins = Counter(question.origin or "no origin" for question in questions)
    if as_json:
        facts = {"questions": len(questions), "out": str(out), "origins": origins, "refused": len(refused)}
        say_json({**facts, "refused_out": str(beside) if refused else None})
        return
    say(f"{out}: {len(questions)} questions{format_counts(origins)}")
    say_refused(refused)
    if refused:
        say(f"{beside}: {len(refused)} reasons why others were refused")


def say_refused(refused: Sequence[Any]) -> None:
    """Name refused questions on stderr, one a line."""
    from schemas.shown import plain

    for one in refused[:MOST_TOLD]:
        warn(plain(str(one)))
    if len(refused) > MOST_TOLD:
        warn(f"and {len(refused) - MOST_TOLD} more")


def format_counts(counts: Counter[str]) -> str:
    """Return counts for the end of a line, the largest first; blank if there are none."""
    return f" ({', '.join(f'{name}: {n}' for name, n in counts.most_common())})" if counts else ""
