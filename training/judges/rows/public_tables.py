"""Public tables: statistics and accounts that others have published as data, with the structure of their heads.

All functions that read them take the path of a file as `card.md` names it.
"""

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from training.judges.rows.grids import Grid, Label, Row, row_of

MOST_LEVELS = 5
"""Most rows of a head; more are notes in the sheet, or a label broken over rows."""
LONGEST = 160
"""Most characters of a cell: longer ones are notes."""
PARTS = 3
"""Parts of a sheet, each with other columns and rows."""
FIGURE = re.compile(r"^[^A-Za-z]*\d[^A-Za-z]*$")
_YEARS = re.compile(r"(19|20)\d\d( to \d+)?|\d{4}/\d{4}")
_WHOLE, _DECIMAL = re.compile(r"-?\d+\.0"), re.compile(r"-?\d+\.\d+(e[-+]?\d+)?")
_FOOTNOTE, _SPACES = re.compile(r"\s*\\(\d)"), re.compile(r"\s+")


def read_saus(path: Path, rng: Random) -> Iterator[Grid]:
    """Give parts of the sheets of the Statistical Abstract of the United States, whose cells are annotated by what they are."""
    with gzip.open(path) as lines:
        for line in lines:
            sheet = json.loads(line)
            kinds = [{kind for kind in row if kind} for row in sheet["annotations"]]
            data = [n for n, row in enumerate(kinds) if row & {"data", "derived"}]
            head = [n for n, row in enumerate(kinds) if data and "header" in row and n < data[0]]
            if len(data) > 2 and head:
                for _ in range(PARTS):
                    yield from _part_of_sheet(sheet, (head[0], head[-1], data[-1]), kinds, rng)


def _part_of_sheet(sheet: dict[str, Any], places: tuple[int, int, int], kinds: Sequence[set[str]], rng: Random) -> Iterator[Grid]:
    """Give a grid of the first column and some others, unless the sheet has too little."""
    first, last, end = places
    texts = [[_clean(text) for text in row] for row in sheet["table_array"]]
    block = [n for n in range(last + 1, end + 1) if any(texts[n])]
    block = block[: next((k for k, n in enumerate(block) if "header" in kinds[n]), len(block))]
    filled = [column for column in range(len(texts[0])) if any(texts[n][column] for n in block)]
    if len(block) < 3 or len(filled) < 2:
        return
    n_others = min(len(filled) - 1, rng.choice([2, 3, 3, 4, 4, 5, 6, 6, 7, 8, 9, 10]))
    at = rng.randint(1, len(filled) - n_others)
    used = [filled[0], *filled[at : at + n_others]]
    commas, decimals = rng.random() < 0.8, rng.choice([1, 1, 2, 0])
    names = sheet["feature_names"]
    features = sheet["feature_array"]
    cells, indents, spaces = (names.index(name) for name in ("num_of_cells", "indentation", "leading_spaces"))
    head = []
    for n in range(first, last + 1):
        merged = [int(facts[cells]) if facts else 1 for facts in features[n]]
        head.append(_head_row(texts, merged, n, last, used))
    body: list[Row] = []
    for n in block:
        row = [_number(texts[n][column], commas, decimals)[:LONGEST] for column in used]
        facts = features[n][used[0]]
        level = int(facts[indents]) or int(facts[spaces]) // 2 if facts else 0
        if row[0] or sum(map(bool, row)) > 1:
            body.append(row_of(row, min(level, 4)))
    grid = Grid(len(used), with_labels_joined([row for row in head if row], len(used)), body)
    grid.title = [text for row in texts[:first] for text in row if text and "see notes" not in text.lower()][:3]
    grid.notes = [text for n in range(end + 1, len(texts)) if "notes" in kinds[n] for text in texts[n] if text][:6]
    if len(body) > 2 and 0 < len(grid.head) <= MOST_LEVELS:
        yield grid


def _head_row(texts: Sequence[Sequence[str]], merged: Sequence[int], n: int, last: int, used: Sequence[int]) -> dict[int, Label]:
    """Return the labels of row `n` of a sheet over its `used` columns; a cell is `merged` with those beside it, or below it."""
    row: dict[int, Label] = {}
    for column, text in enumerate(texts[n]):
        if not text:
            continue
        end = column + 1
        while end < min(len(texts[n]), column + merged[column]) and not texts[n][end]:
            end += 1
        tall = 1
        while end == column + 1 and tall < merged[column] and n + tall <= last and not texts[n + tall][column]:
            tall += 1
        over = [at for at, other in enumerate(used) if column <= other < end]
        if over:
            label = _number(text, False, 1)[:LONGEST]
            row[over[0]] = Label(label, tall, over[-1] - over[0] + 1)
    return row


def with_labels_joined(head: list[dict[int, Label]], n_columns: int) -> list[dict[int, Label]]:
    """Return a head whose labels of one column that sheets break over rows, below all that span columns, are one label each.

    >>> with_labels_joined([{0: Label("other entertain-")}, {0: Label("ment")}], 1)
    [{0: Label(text='other entertainment', rows=1, columns=1)}]
    """
    spanning = [n for n, row in enumerate(head) if any(label.columns > 1 for label in row.values())]
    low = spanning[-1] + 1 if spanning else 0
    broken = [[row[column].text for row in head[low:] if column in row] for column in range(n_columns)]
    if all(len(texts) < 2 for texts in broken):
        return head
    lowest: dict[int, Label] = {}
    for column, texts in enumerate(broken):
        joined = ""
        for text in texts:
            joined = joined[:-1] + text if joined.endswith("-") and text[:1].islower() else f"{joined} {text}".strip()
        if joined:
            lowest[column] = Label(joined)
    return [*({column: Label(label.text, 1, label.columns) for column, label in row.items()} for row in head[:low]), lowest]


def read_tatqa(path: Path, rng: Random) -> Iterator[Grid]:
    """Give the tables of annual reports in TAT-QA. The head is what stands above the first name of a row."""
    for told in json.loads(path.read_text()):
        rows = [[_clean(text) for text in row] for row in told["table"]["table"]]
        n_columns = max(map(len, rows))
        rows = [row + [""] * (n_columns - len(row)) for row in rows if any(row)]
        n_head = next((n for n, row in enumerate(rows) if row[0]), len(rows))
        if not n_head and not any(FIGURE.match(text) and not _YEARS.fullmatch(text) for text in rows[0][1:]):
            n_head = 1
        if 0 < n_head < 5 and len(rows) - n_head > 1 and n_columns > 1:
            head = [_spread(row) for row in rows[:n_head]]
            yield Grid(n_columns, [row for row in head if row], [row_of(row) for row in rows[n_head:]])


def _spread(row: Sequence[str]) -> dict[int, Label]:
    """Return the labels of a row of a head; where few have one, each stands over those up to the next."""
    at = [n for n, text in enumerate(row) if text]
    if row[0] or 2 * len(at) > len(row) - 1:
        return {n: Label(row[n]) for n in at}
    if len(at) == 1:
        return {1: Label(row[at[0]], 1, len(row) - 1)}
    ends = [*at[1:], len(row)]
    return {n: Label(row[n], 1, end - n) for n, end in zip(at, ends, strict=True)}


def read_aitqa(path: Path, rng: Random) -> Iterator[Grid]:
    """Give the tables of airlines' reports in AIT-QA, whose heads have levels, and whose rows have sections."""
    for line in path.read_text().splitlines():
        told = json.loads(line)
        labels, names, data = told["column_header"], told["row_header"], told["data"]
        if not labels or not names or len(data) < 2 or len(labels) != len(data[0]):
            continue
        head = [_level(labels, level) for level in range(max(map(len, labels)))]
        body: list[Row] = []
        above: list[str] = []
        for path_of_row, row in zip(names, data, strict=False):
            for level in range(len(path_of_row) - 1):
                if path_of_row[: level + 1] != above[: level + 1]:
                    body.append(row_of([path_of_row[level], *[""] * len(row)], level))
            above = path_of_row
            body.append(row_of([path_of_row[-1] if path_of_row else "", *row], max(0, len(path_of_row) - 1)))
        yield Grid(len(labels) + 1, [row for row in head if row], body)


def _level(labels: Sequence[Sequence[str]], level: int) -> dict[int, Label]:
    """Return the labels of one level; columns with the same labels so far share theirs."""
    row: dict[int, Label] = {}
    start = 0
    for n in range(1, len(labels) + 1):
        last = n == len(labels) or level == len(labels[start]) - 1
        if last or labels[n][: level + 1] != labels[start][: level + 1]:
            if len(labels[start]) > level and labels[start][level]:
                row[start + 1] = Label(labels[start][level], 1, n - start)
            start = n
    return row


def read_statcan(folder: Path, rng: Random) -> Iterator[Grid]:
    """Give the tables of Statistics Canada's workbooks in HiTab, whose merged cells are known."""
    import openpyxl

    for path in sorted(folder.glob("*.xlsx")):
        book = openpyxl.load_workbook(path)
        sheet = book[book.sheetnames[-1]]
        merged = {
            (cells.min_row - 1, cells.min_col - 1): (cells.max_row - cells.min_row + 1, cells.max_col - cells.min_col + 1)
            for cells in sheet.merged_cells.ranges
        }
        texts = [[_clean(text) for text in row] for row in sheet.iter_rows(values_only=True)]
        yield from _of_workbook(texts, merged)


def _of_workbook(texts: Sequence[Sequence[str]], merged: dict[tuple[int, int], tuple[int, int]]) -> Iterator[Grid]:
    start = next((n for n in range(1, len(texts)) if any(texts[n])), len(texts))
    end = next(
        (n for n in range(start, len(texts)) if not any(texts[n]) or texts[n][0].lower().startswith("table desc")), len(texts)
    )
    n_columns = max((column + 1 for row in texts[start:end] for column, text in enumerate(row) if text), default=0)
    figures = next((n for n in range(start, end) if texts[n][0] and _is_of_figures(texts[n][1:n_columns])), start)
    while figures - 1 > start and texts[figures - 1][0] and not any(texts[figures - 1][1:n_columns]):
        figures -= 1  # sections before the first figures
    if not start < figures <= start + 4:
        return
    head = [
        {
            column: Label(texts[n][column][:LONGEST], *merged.get((n, column), (1, 1)))
            for column in range(n_columns)
            if texts[n][column]
        }
        for n in range(start, figures)
    ]
    body = [row_of([text[:LONGEST] for text in row[:n_columns]]) for row in texts[figures:end]]
    if all(head) and body:
        yield Grid(n_columns, head, body, [texts[0][0].split(" Table summary")[0]])


def _is_of_figures(texts: Sequence[str]) -> bool:
    given = [text for text in texts if text]
    figures = [text for text in given if FIGURE.match(text) and not _YEARS.fullmatch(text)]
    return bool(given) and 2 * len(figures) >= len(given)


def _clean(text: object) -> str:
    return _SPACES.sub(" ", _FOOTNOTE.sub(r" (\1)", str(text or ""))).strip()


def _number(text: str, commas: bool, decimals: int) -> str:
    """Return a number of a sheet as it is printed, other texts as they are."""
    if _WHOLE.fullmatch(text):
        return f"{int(float(text)):,}" if commas else str(int(float(text)))
    return f"{float(text):,.{decimals}f}" if _DECIMAL.fullmatch(text) else text
