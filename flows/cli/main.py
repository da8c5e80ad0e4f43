"""The command line as a program: what it does before and after a command, and its exit codes."""

import gc
import inspect
import logging
import os
import signal
import sys
import threading
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from schemas.errors import GateError, PagemillError, ServiceError
from schemas.shown import plain
from tasks.workers.environment import GARBAGE_THRESHOLD, NO_TELEMETRY

QUIET = {
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",
    "TOKENIZERS_PARALLELISM": "true",
    "TRANSFORMERS_VERBOSITY": "error",
}
"""Variables that keep the libraries from printing. Values in the environment take precedence."""

SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""Signals that end a command."""

END_SECONDS = 8
"""Longest time from a signal to the end of the process."""


def silence_libraries() -> None:
    """Keep libraries from printing and from reporting to their makers, before they are imported."""
    os.environ.update(NO_TELEMETRY)
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)


def restart_in_utf8_mode() -> None:
    """Restart this process in Python's UTF-8 mode if the locale is not UTF-8, so that file names are always UTF-8."""
    if sys.getfilesystemencoding() != "utf-8" and os.environ.get("PYTHONUTF8") != "1":
        os.environ["PYTHONUTF8"] = "1"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


class PlainFormatter(logging.Formatter):
    """Writes a message on one line, names and texts of documents in it as plain text."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return the line."""
        return f"pagemill: {plain(record.message)}"


def print_pagemill_warnings() -> None:
    """Write the warnings of Pagemill's own modules to stderr, one line each."""
    handler = logging.StreamHandler()
    handler.setFormatter(PlainFormatter())
    for name in ("flows", "tasks", "expectations"):
        logging.getLogger(name).addHandler(handler)


def exit_on_signal(number: int, frame: object) -> None:
    """Exit on SIGINT or SIGTERM within END_SECONDS. Contexts and exit handlers stop workers and servers."""
    sys.stderr.write("\npagemill: interrupted; all written data is complete: run the command again to go on\n")
    signal.signal(number, signal.SIG_IGN)
    timer = threading.Timer(END_SECONDS, os._exit, [128 + number])
    timer.daemon = True
    timer.start()
    sys.exit(128 + number)


def find_received_signal() -> int:
    """Return the signal that `exit_on_signal` has taken, and takes no second time; 0 if there was none."""
    return next((number for number in SIGNALS if signal.getsignal(number) is signal.SIG_IGN), 0)


class Commands(TyperGroup):
    """The commands. Typer would take every broken pipe for a closed stdout, but here it can be a dead process or server."""

    def invoke(self, ctx: Any) -> object:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ServiceError("a process or a server that this command used has stopped: run the command again") from error


def print_version(given: bool) -> None:
    """If the option is `given`, print the version and exit."""
    if given:
        from importlib.metadata import version

        sys.stdout.write(f"pagemill {version('pagemill')}\n")
        raise typer.Exit


def about(
    version: Annotated[bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """Turn a folder of documents into a searchable, versioned corpus, and keep it fresh."""


def make_cli_application() -> typer.Typer:
    """Return the command line application."""
    from flows.cli import (
        access,
        changes,
        compare,
        corpus,
        deliver,
        documents,
        evaluate,
        experiment,
        purge,
        questions,
        refresh,
        report,
        scores,
        serve,
    )
    from flows.cli.models import candidates, finetune
    from flows.cli.upkeep import backups, integrity

    application = typer.Typer(
        name="pagemill",
        cls=Commands,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    application.callback()(about)
    refresh.add_refresh_command(application)
    corpus.add_corpus_commands(application)
    changes.add_changes_command(application)
    deliver.add_deliver_command(application)
    candidates.add_candidate_commands(application)
    purge.add_purge_command(application)
    evaluate.add_evaluate_command(application)
    compare.add_compare_command(application)
    scores.add_score_commands(application)
    experiment.add_experiment_command(application)
    report.add_report_command(application)
    questions.add_question_commands(application)
    finetune.add_finetune_command(application)
    documents.add_document_commands(application)
    integrity.add_integrity_commands(application)
    backups.add_backup_commands(application)
    serve.add_serve_command(application)
    access.add_access_commands(application)
    join_lines_of_help(application)
    return application


def join_lines_of_help(application: typer.Typer) -> None:
    """Let the help of all commands break its lines where the terminal ends, and not where the lines of the code do."""
    for command in application.registered_commands:
        paragraphs = (inspect.getdoc(command.callback) or "").split("\n\n")
        command.help = "\n\n".join(paragraph.replace("\n", " ") for paragraph in paragraphs)
    for group in application.registered_groups:
        if group.typer_instance:
            join_lines_of_help(group.typer_instance)


def run_command() -> None:
    """Run one command, and write all its output."""
    from flows.cli.output import make_outlet

    sys.stdout = make_outlet(sys.stdout)
    try:
        make_cli_application()()
    finally:
        sys.stdout.flush()


def main() -> None:
    """Run the command line. An error of Pagemill is one line on stderr and exit code 1; a wrong call is exit code 2."""
    restart_in_utf8_mode()
    silence_libraries()
    gc.set_threshold(GARBAGE_THRESHOLD)
    print_pagemill_warnings()
    for number in SIGNALS:
        signal.signal(number, exit_on_signal)
    try:
        run_command()
    except Exception as error:
        if received := find_received_signal():
            sys.exit(128 + received)  # a library may have turned the end into an error of its own
        if not isinstance(error, (PagemillError, OSError)):
            raise
        remedy = "" if isinstance(error, PagemillError) else ": check the path, its permissions and the space left"
        lines = str(error).split("\n") if isinstance(error, GateError) else [str(error)]
        sys.stderr.write("pagemill: " + "\n".join(map(plain, lines)) + f"{remedy}\n")
        sys.exit(1)
    finally:
        gc.freeze()  # otherwise Python searches all objects for garbage at exit, several times
