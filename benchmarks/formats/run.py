"""Files of many formats: the share of their words and cells that is read, and what a workbook of 100,000 rows takes."""

import argparse
import hashlib
import random
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.formats.files import MAKERS, Made
from schemas.media_types import media_type_of
from schemas.options.sections import ParseOptions
from schemas.references import Content
from tasks.chunk.text_blocks import split_table_row
from tasks.parse.elements.continued import wholes
from tasks.parse.io.parse import parse_staged


def read(path: Path) -> dict[str, Any]:
    """Return what is read of a file, a row of `schemas.staged.PARSED`."""
    data = path.read_bytes()
    content = Content(
        sha256=hashlib.sha256(data).hexdigest(), media_type=media_type_of(path) or "", path=str(path), size=len(data)
    )
    row: dict[str, Any] = parse_staged(content, ParseOptions(ocr_languages="eng"), lambda _: None).to_pylist()[0]
    return row


def share_of_words(made: Made, row: dict[str, Any]) -> float:
    """Return the share of the words of a file that are read, each as often as it is there."""
    found = Counter(" ".join(element["text"] for element in row["elements"]).replace("|", " ").replace('"', " ").split())
    wanted = Counter(made.words)
    return sum((wanted & found).values()) / max(1, wanted.total())


def share_of_cells(made: Made, row: dict[str, Any]) -> float:
    """Return the share of the cells that are read in their row and column; 1 without tables."""
    tables = [element["text"].split("\n") for element in wholes(row["elements"]) if element["kind"] == "table"]
    lines = [split_table_row(line) for table in tables for line in (table[0], *table[2:])]
    right = sum(
        seen == wanted
        for line, row_wanted in zip(lines, made.cells, strict=False)
        for seen, wanted in zip(line, row_wanted, strict=False)
    )
    return right / max(1, sum(map(len, made.cells))) if made.cells else 1.0


def measure_formats(n: int, seed: int) -> None:
    """Print the shares of each format over `n` files of it."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        every: list[tuple[float, float]] = []
        for name, make in MAKERS.items():
            shares, began = [], time.process_time()
            for number in range(n):
                made = make(rng)
                path = Path(folder, f"{len(every)}-{number}.{made.suffix}")
                path.write_bytes(made.data)
                row = read(path)
                shares.append((share_of_words(made, row), share_of_cells(made, row)))
            every += shares
            seconds = time.process_time() - began
            print(
                f"{name:<24} {n} files  words {_mean(shares, 0):.4f}  cells {_mean(shares, 1):.4f}  {seconds:6.2f} s of computing"
            )
        print(f"{'all':<24} {len(every)} files  words {_mean(every, 0):.4f}  cells {_mean(every, 1):.4f}")


def _mean(shares: Sequence[tuple[float, float]], which: int) -> float:
    return sum(one[which] for one in shares) / len(shares)


def measure_large_workbook(n_rows: int) -> None:
    """Print what reading a workbook of so many rows and ten columns takes."""
    import openpyxl
    from openpyxl.cell import WriteOnlyCell

    with tempfile.TemporaryDirectory() as folder:
        book = openpyxl.Workbook(write_only=True)
        sheet = book.create_sheet("Orders")
        sheet.append([f"column {n}" for n in range(10)])
        rng = random.Random(1)
        for n in range(n_rows):
            amount, share = WriteOnlyCell(sheet, rng.randint(0, 10**6) / 100), WriteOnlyCell(sheet, rng.random())
            amount.number_format, share.number_format = '#,##0.00 "€"', "0.0%"
            sheet.append([n, f"name {n % 5000}", amount, share, n % 17, f"note {n}", "north", n * 1.5, f"C-{n:06}", n % 2 == 0])
        path = Path(folder, "orders.xlsx")
        book.save(path)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        began, elapsed = time.process_time(), time.perf_counter()
        row = read(path)
        seconds, elapsed = time.process_time() - began, time.perf_counter() - elapsed
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(
            f"workbook of {n_rows:,} rows: {path.stat().st_size >> 20} MiB, {len(row['elements'])} elements, {seconds:.1f} s of"
            f" computing, {elapsed:.1f} s elapsed, peak {peak >> 10} MiB, {before >> 10} MiB of them before"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=5, help="files of each format")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=int, default=100_000, help="rows of the large workbook; 0: none")
    given = parser.parse_args()
    measure_formats(given.files, given.seed)
    if given.rows:
        measure_large_workbook(given.rows)
