"""`make demo`: draw a corpus, refresh it, change it, refresh again, ask, evaluate; every step is the real command line."""

import json
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

from demo.draw import DOCUMENTS, QUESTIONS, UNREADABLE, draw_corpus, write_questions

HOME: Final = Path("demo-corpus")
SOURCE, CORPUS, ASKED = HOME / "source", HOME / "corpus", HOME / "questions.jsonl"
EDITED, DELETED = "minutes-2025-03.txt", "archive/tide-log.txt"
EDIT: Final = "\n4. Harbour seal. A seal sleeps on the slip of Number Three; the crew waits until it leaves.\n"
METRICS: Final = ("hit_rate", "recall", "mrr", "iou")
EXCERPT: Final = 60
"""Characters shown on either side of an answer."""


def main() -> None:
    """Run the walk in the current folder, below demo-corpus/."""
    shutil.rmtree(HOME, ignore_errors=True)
    draw_corpus(SOURCE)
    write_questions(ASKED)
    tell(f"Drawn into {SOURCE}: {len(DOCUMENTS)} documents that can be read, {len(UNREADABLE)} that cannot, and a metadata.csv.")
    refresh()
    show_rejects()
    with (SOURCE / EDITED).open("a", encoding="utf-8") as minutes:
        minutes.write(EDIT)
    (SOURCE / DELETED).unlink()
    tell(f"\nAdded a paragraph to {EDITED}, deleted {DELETED}.")
    refresh()
    refresh()
    for question in QUESTIONS[:4]:
        ask(question)
    evaluate()
    tell(
        f"\nThe corpus lies in {CORPUS}, its generations in `pagemill generations --corpus {CORPUS}`.\n"
        "To watch refreshes in the Prefect UI: make up && make deploy, open http://127.0.0.1:4200, and run one:\n"
        "  PREFECT_API_URL=http://127.0.0.1:4200/api .venv/bin/prefect deployment run refresh/refresh-on-demand --watch\n"
        "make down ends it."
    )


def tell(text: str) -> None:
    """Print an account of what happened."""
    print(text, flush=True)


def pagemill(*arguments: str) -> tuple[Any, float]:
    """Run one command with --json; return what it printed and how many seconds it took.

    Raises:
        SystemExit: the command failed; what it wrote to stderr has been shown.
    """
    tell(f"\n$ pagemill {shlex.join(arguments)}")
    started = time.monotonic()
    command = [str(Path(sys.executable).with_name("pagemill")), *arguments, "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"pagemill {arguments[0]} ended with exit code {done.returncode}")
    return json.loads(done.stdout), time.monotonic() - started


def refresh() -> None:
    """Refresh the corpus and tell what was computed and what came out."""
    outcome, seconds = pagemill("refresh", str(SOURCE), "--corpus", str(CORPUS))
    if outcome["outcome"] != "published":
        tell(f"  {outcome['outcome']} since generation {outcome['generation']}; {seconds:.1f} s")
        return
    counts = outcome["counts"]
    changes = [f"{n} {kind}" for kind, n in counts.items() if n and not kind.startswith("n_")]
    totals = [f"{counts[f'n_{table}']} {table}" for table in ("documents", "elements", "figures", "chunks", "rejects")]
    computed = [f"{step} {n}" for step, n in computed_by(outcome["steps"]).items()]
    tell(f"  generation {outcome['generation']} in {seconds:.1f} s: {', '.join(changes)}")
    tell(f"  documents computed: {', '.join(computed)}")
    tell(f"  in the corpus: {', '.join(totals)}")


def computed_by(steps: dict[str, Any]) -> dict[str, int]:
    """Return for each step how many documents it computed, those already staged left out."""
    return {step: totals["computed"] for step, totals in steps.items()}


def show_rejects() -> None:
    """Tell what could not be read, and why."""
    rejects, _ = pagemill("rejects", "--corpus", str(CORPUS))
    for reject in rejects:
        tell(f"  {reject['path']}: {reject['message']}; {reject['remedy']}")


def ask(question: dict[str, Any]) -> None:
    """Ask one question and tell what the best result says."""
    found, seconds = pagemill("search", question["question"], "--corpus", str(CORPUS), "-k", "3")
    best = found["results"][0]
    pages = ", ".join(map(str, best["pages"]))
    tell(f"  {best['path']}, page {pages}, {' > '.join(best['section']) or 'no section'}; {seconds:.1f} s")
    if best["kind"] == "table":
        tell("\n".join(f"  {line}" for line in rows_with_header(best["embedding_text"], question["answer"])))
    else:
        tell(f"  “{excerpt(best['text'], question['answer'])}”")


def excerpt(text: str, answer: str) -> str:
    """Return the part of `text` around `answer`, or its beginning where the answer does not stand in it."""
    flat = " ".join(text.split())
    place = max(flat.lower().find(answer.lower()), 0)
    start, end = max(place - EXCERPT, 0), place + len(answer) + EXCERPT
    return ("… " if start else "") + flat[start:end].strip() + (" …" if end < len(flat) else "")


def rows_with_header(text: str, answer: str) -> list[str]:
    """Return the caption and header above the rows of a table, and the rows that hold `answer`, from what the embedder saw."""
    lines = text.split("\n")
    rule = next((n for n, line in enumerate(lines) if line.startswith("| ---")), 0)
    head = [line for line in lines[: rule + 1] if line]
    return [*head, *(line for line in lines[rule + 1 :] if answer in line)]


def evaluate() -> None:
    """Score the questions and tell the metrics, one line a cutoff."""
    rows, seconds = pagemill("evaluate", "--corpus", str(CORPUS), "--questions", str(ASKED))
    tell(f"  {len(QUESTIONS)} questions in {seconds:.1f} s")
    whole = [row for row in rows if row["split"] == row["domain"] == "all"]
    for cutoff in sorted({row["cutoff"] for row in whole if row["metric"] in METRICS}):
        scores = [f"{row['metric']} {row['value']:.2f}" for row in whole if row["cutoff"] == cutoff and row["metric"] in METRICS]
        tell(f"  the first {cutoff:>2} results: {', '.join(scores)}")


if __name__ == "__main__":
    main()
