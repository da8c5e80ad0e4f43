"""`make demo`: draw a corpus, refresh it, change it, refresh again, search, evaluate. Every step calls the command line."""

import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from demo.draw import DOCUMENTS, QUESTIONS, UNREADABLE, draw_corpus, write_questions

HOME: Final = Path("demo-corpus")
SOURCE, CORPUS, ASKED = HOME / "source", HOME / "corpus", HOME / "questions.jsonl"
EDITED, DELETED = "minutes-2025-03.txt", "archive/tide-log.txt"
EDIT: Final = "\n4. Harbour seal. A seal sleeps on the slip of Number Three; the crew waits until it leaves.\n"


def main() -> None:
    """Run the demo in the current folder, below demo-corpus/."""
    shutil.rmtree(HOME, ignore_errors=True)
    draw_corpus(SOURCE)
    write_questions(ASKED)
    say(f"Drawn into {SOURCE}: {len(DOCUMENTS)} documents that can be read, {len(UNREADABLE)} that cannot, and a metadata.csv.")
    pagemill("refresh", SOURCE)
    pagemill("rejects")
    with (SOURCE / EDITED).open("a", encoding="utf-8") as minutes:
        minutes.write(EDIT)
    (SOURCE / DELETED).unlink()
    say(f"\nAdded a paragraph to {EDITED}, deleted {DELETED}.")
    pagemill("refresh", SOURCE)
    pagemill("refresh", SOURCE)
    for question in QUESTIONS[:4]:
        pagemill("search", question["question"], "-k", 2)
    pagemill("evaluate", "--questions", ASKED)
    say(
        f"\nThe corpus lies in {CORPUS}, its generations in `pagemill generations --corpus {CORPUS}`.\n"
        "To watch refreshes in the Prefect UI: make up && make deploy, open http://127.0.0.1:4200, and run one:\n"
        "  . .run/server.env && .venv/bin/prefect deployment run refresh/refresh-on-demand --watch\n"
        "make down ends it."
    )


def say(text: str) -> None:
    """Print an explanation."""
    print(text, flush=True)


def pagemill(command: str, *arguments: object) -> None:
    """Print a command on the corpus, and run it.

    Raises:
        SystemExit: the command failed; its stderr was shown.
    """
    call = [command, *map(str, arguments), "--corpus", str(CORPUS)]
    say(f"\n$ pagemill {shlex.join(call)}")
    code = subprocess.run([str(Path(sys.executable).with_name("pagemill")), *call], check=False).returncode
    if code:
        raise SystemExit(f"pagemill {command} ended with exit code {code}")


if __name__ == "__main__":
    main()
