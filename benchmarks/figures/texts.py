"""What is read on pictures of pages and receipts with known text, beside Tesseract alone."""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.parsing.scorers import report_of
from benchmarks.report import say, say_bar, say_table

GROUPS = {"page": ("clean pages, page_*", 0.90), "sroie": ("receipts, sroie_*", 0.70)}
"""Pictures by the beginning of their names: what they are, and the word recall that they must reach."""
WORD = re.compile(r"\w+")


def word_recall(truth: str, found: str) -> float:
    """Return the share of the transcript's words, each as often as it stands there, that were found; case and order aside."""
    wanted, read = (Counter(WORD.findall(text.casefold())) for text in (truth, found))
    return (wanted & read).total() / wanted.total() if wanted else 1.0


def say_texts(folder: Path, python: str) -> None:
    """Print which share of the words is found on pages and receipts, and the scorer's F1 of words, beside Tesseract's."""
    paths = sorted(folder.glob("images/*"))
    say(f"\ntexts: {len(paths)} pictures by `pagemill describe --json`, and by `tesseract --psm 1`; F1 by the kit's score_ocr.py")
    truths = {path.stem: (folder / "truth" / f"{path.stem}.txt").read_text(encoding="utf-8", errors="replace") for path in paths}
    read = {"pagemill": describe_pictures(paths), "tesseract": by_tesseract(paths)}
    f1 = {name: _word_f1(folder, texts, python) for name, texts in read.items()}
    for group, (what, bar) in GROUPS.items():
        stems = [stem for stem in truths if stem.split("_")[0] == group]
        recall = {
            name: statistics.fmean(word_recall(truths[stem], texts[stem]) for stem in stems) for name, texts in read.items()
        }
        say(f"  {what}: {len(stems)} pictures")
        say_table(("recall", "F1"), {name: [recall[name], f1[name][group]] for name in read})
        say_bar(f"word recall, {what}", recall["pagemill"], bar)


def describe_pictures(paths: Sequence[Path]) -> dict[str, str]:
    """Return what `pagemill describe` reads on each picture, by its stem."""
    command = [sys.executable, "-m", "flows.cli", "describe", *map(str, paths), "--json"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        raise SystemExit(f"pagemill describe failed:\n{run.stderr}")
    rows = map(json.loads, run.stdout.splitlines())
    return {Path(row["path"]).stem: row["ocr_text"] for row in rows}


def by_tesseract(paths: Sequence[Path]) -> dict[str, str]:
    """Return what Tesseract alone reads on each picture, by its stem."""

    def text(path: Path) -> str:
        command = ["tesseract", str(path), "stdout", "--psm", "1"]
        environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
        return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout

    with ThreadPoolExecutor(2) as threads:
        return {path.stem: found for path, found in zip(paths, threads.map(text, paths), strict=True)}


def _word_f1(folder: Path, texts: Mapping[str, str], python: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as work:
        for stem, text in texts.items():
            (Path(work) / f"{stem}.txt").write_text(text, encoding="utf-8")
        means = report_of(python, folder / "score_ocr.py", Path(work))["means"]
        return {group: scores["words"] for group, scores in means.items()}
