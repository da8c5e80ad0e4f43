"""`pagemill questions`: import, check and generate questions whose answers are known."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.output import As, CorpusOption, Json, print_json, print_line, print_warning
from flows.cli.server import get_prefect_server_url, report_to_prefect_server
from schemas.access import Principal
from schemas.corpus import Corpus
from schemas.errors import InputError

if TYPE_CHECKING:
    from schemas.options.chat import ChatOptions
    from schemas.options.questions import GenerateOptions
    from tasks.evaluate.gold import Question
    from tasks.evaluate.io.questions.generate import GenerationResult
    from tasks.evaluate.questions.formats import RefusedQuestion

MOST_TOLD = 20
"""Refused questions that are named on stderr; the file beside the questions has all."""

Out = Annotated[Path, typer.Option("--out", help="File to write, as JSON lines. Refused questions go to a file beside it.")]


def add_question_commands(application: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(no_args_is_help=True, help="Import, check or generate questions whose answers are known.")
    group.command("import")(import_questions_command)
    group.command("check")(check_questions_command)
    group.command("generate")(generate_questions_command)
    application.add_typer(group, name="questions")


def import_questions_command(
    file: Annotated[Path, typer.Argument(help="JSON lines, CSV or TSV, SQuAD JSON, or a folder of BEIR.")],
    corpus: CorpusOption,
    out: Out,
    asker: As = None,
    as_json: Json = False,
) -> None:
    """Turn questions of other kinds into Pagemill's, with their gold located in the corpus."""
    from tasks.evaluate.io.question_files import check_output_path, write_questions
    from tasks.evaluate.io.questions.collect import import_questions

    check_output_path(out, file)
    found = import_questions(corpus, file, asker)
    questions = [one.question for one in found.placed]
    beside = write_questions(out, questions, found.refused)
    print_imported(out, questions, found.refused, beside, as_json)
    if not questions:
        raise InputError(f"no question of {file} can be used with {corpus}: see {beside}")


def check_questions_command(
    file: Annotated[Path, typer.Argument(help="Questions as JSON lines.")],
    corpus: CorpusOption,
    asker: As = None,
    as_json: Json = False,
) -> None:
    """Tell which questions would be scored with the corpus, and which not and why. Exit with 1 if any would not."""
    from tasks.evaluate.io.questions.collect import check_questions

    found = check_questions(corpus, file, asker)
    n_refused = len({one.place for one in found.refused})
    kinds = Counter(get_gold_kind(one.question) for one in found.placed)
    if as_json:
        refused = [one.model_dump() for one in found.refused]
        print_json({"scored": len(found.placed), "refused": n_refused, "gold": kinds, "problems": refused})
    else:
        print_line(f"{len(found.placed)} of {len(found.placed) + n_refused} questions would be scored{format_counts(kinds)}")
        print_refused_questions(found.refused)
    if found.refused:
        raise typer.Exit(1)


def generate_questions_command(
    corpus: CorpusOption,
    out: Out,
    per_document: Annotated[int | None, typer.Option(help="Most questions about one document, 10 by default.")] = None,
    documents: Annotated[int | None, typer.Option(help="How many documents are drawn. By default all.")] = None,
    base_url: Annotated[
        str | None, typer.Option(help="Address of an OpenAI-compatible endpoint. Its key: PAGEMILL_API_KEY.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="Model of the endpoint.")] = None,
    input_price: Annotated[float | None, typer.Option(help="Dollars for a million tokens of questions.")] = None,
    output_price: Annotated[float | None, typer.Option(help="Dollars for a million tokens of answers.")] = None,
    max_cost: Annotated[float | None, typer.Option(help="Most dollars that this run may spend.")] = None,
    seed: Annotated[int | None, typer.Option(help="Another seed draws other documents and passages; 0 by default.")] = None,
    asker: As = None,
    as_json: Json = False,
) -> None:
    """Write questions about the documents of the corpus, by a language model, or without one from headings, tables and sentences.

    A run that was stopped goes on where it was when it is started again: no question is asked twice.
    """
    from flows.settings import read_chat_options, read_generate_options
    from tasks.evaluate.io.question_files import check_output_path, name_refused_file

    check_output_path(out)
    asked = {"base_url": base_url, "model": model, "max_cost": max_cost, "input_price": input_price, "output_price": output_price}
    chat = read_chat_options(drop_missing_options(asked))
    options = read_generate_options(drop_missing_options({"per_document": per_document, "documents": documents, "seed": seed}))
    generated = run_question_generation(corpus, out, options, chat, asker)
    print_imported(out, generated.questions, generated.refused, name_refused_file(out), as_json)
    if chat.base_url and not as_json:
        print_line(str(generated.spent))


def run_question_generation(
    corpus: Corpus, out: Path, options: "GenerateOptions", chat: "ChatOptions", asker: Principal | None = None
) -> "GenerationResult":
    """Generate questions, as a run of the Prefect server if one answers."""
    from tasks.evaluate.io.questions import generate
    from tasks.store.access import check_owner

    check_owner(corpus, asker)

    if url := get_prefect_server_url():
        from flows.generate_questions import generate_questions

        with report_to_prefect_server(url):
            return generate.GenerationResult.model_validate(generate_questions(corpus.uri, str(out), options, chat))
    job = generate.GenerationJob(corpus=corpus, principal=asker, out=str(out), options=options, chat=chat)
    generated = generate.generate_questions_from_model(job) if chat.base_url else generate.generate_questions_from_documents(job)
    generate.write_generated_questions(job, generated)
    generate.raise_early_end(job, generated)
    return generated


def drop_missing_options(values: Mapping[str, object]) -> dict[str, object]:
    """Return the options that were given."""
    return {name: value for name, value in values.items() if value is not None}


def get_gold_kind(question: "Question") -> str:
    """Return what the gold of a question is: spans, pages or documents."""
    if not question.gold:
        return "documents"
    return "pages" if all(gold.page is not None for gold in question.gold) else "spans"


def print_imported(
    out: Path, questions: "Sequence[Question]", refused: "Sequence[RefusedQuestion]", beside: Path, as_json: bool
) -> None:
    """Print how many questions were imported, which were refused, and the files that hold both."""
    origins = Counter(question.origin or "no origin" for question in questions)
    if as_json:
        facts = {"questions": len(questions), "out": str(out), "origins": origins, "refused": len(refused)}
        print_json({**facts, "refused_out": str(beside) if refused else None})
        return
    print_line(f"{out}: {len(questions)} questions{format_counts(origins)}")
    print_refused_questions(refused)
    if refused:
        print_line(f"{beside}: {len(refused)} reasons why others were refused")


def print_refused_questions(refused: "Sequence[RefusedQuestion]") -> None:
    """Name refused questions on stderr, one a line."""
    for one in refused[:MOST_TOLD]:
        print_warning(str(one))
    if len(refused) > MOST_TOLD:
        print_warning(f"and {len(refused) - MOST_TOLD} more")


def format_counts(counts: Counter[str]) -> str:
    """Return counts for the end of a line, the largest first; blank if there are none."""
    return f" ({', '.join(f'{name}: {n}' for name, n in counts.most_common())})" if counts else ""
