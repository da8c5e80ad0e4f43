"""Places: where an element stands in a document that has no pages, in the words of those who use such documents.

A place is a short text of one of three forms; any other text is a place too, which is only repeated:

* cells, as spreadsheets write references: `Sheet2!B4:F40`; `'Year 1'!A1:C9,A12:C40`, where rows between were left out; without
  a sheet in a file that has only one table, `A2:F40`
* times, from the start: `00:01:02.000-00:01:05.500`
* lines, counted from 1: `line 7` or `lines 7-9`
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_CELLS = re.compile(r"(?:(?P<sheet>.+)!)?(?P<ranges>[A-Z]+[1-9]\d*(?::[A-Z]+[1-9]\d*)?(?:,[A-Z]+[1-9]\d*(?::[A-Z]+[1-9]\d*)?)*)")
_CELL = re.compile(r"([A-Z]+)(\d+)")
_TIMES = re.compile(r"(?P<start>\d+:\d\d:\d\d\.\d{3})-(?P<end>\d+:\d\d:\d\d\.\d{3})")
_LINES = re.compile(r"lines? (?P<start>\d+)(?:-(?P<end>\d+))?")
_PLAIN_SHEET = re.compile(r"[^\W\d]\w*")
_DELIMITER = re.compile(r"\|(?: --- \|)+")


class CellRows(NamedTuple):
    """Rows of a sheet, counted from 1, from one column to another, as letters. Runs of rows are half-open."""

    sheet: str
    first: str
    last: str
    runs: tuple[range, ...]

    def write(self) -> str:
        """Return the place as text."""
        return (f"{self.sheet}!" if self.sheet else "") + ",".join(
            _write_range(f"{self.first}{run[0]}", f"{self.last}{run[-1]}") for run in self.runs
        )


def _write_range(first: str, last: str) -> str:
    return first if first == last else f"{first}:{last}"


def column_letters(column: int) -> str:
    """Return the letters of a column, counted from 0.

    >>> column_letters(0), column_letters(25), column_letters(26), column_letters(16383)
    ('A', 'Z', 'AA', 'XFD')
    """
    letters = ""
    while column >= 0:
        column, rest = divmod(column, 26)
        letters, column = chr(65 + rest) + letters, column - 1
    return letters


def write_cells_place(sheet: str, rows: Sequence[int], columns: tuple[int, int]) -> str:
    """Return the place of some rows of a sheet, from the first column to the last; all count from 0, and rows ascend.

    >>> write_cells_place("Year 1", [0, 1, 4], (0, 2)), write_cells_place("", [3], (1, 1))
    ("'Year 1'!A1:C2,A5:C5", 'B4')
    """
    quoted = sheet if not sheet or _PLAIN_SHEET.fullmatch(sheet) else "'" + sheet.replace("'", "''") + "'"
    first, last = map(column_letters, columns)
    return CellRows(quoted, first, last, _find_runs(row + 1 for row in rows)).write()


def _find_runs(numbers: Iterable[int]) -> tuple[range, ...]:
    runs: list[range] = []
    for number in numbers:
        if runs and runs[-1].stop == number:
            runs[-1] = range(runs[-1].start, number + 1)
        else:
            runs.append(range(number, number + 1))
    return tuple(runs)


def write_times_place(start: float, end: float) -> str:
    """Return the place of what is said from one time to another, in seconds.

    >>> write_times_place(62, 3605.5)
    '00:01:02.000-01:00:05.500'
    """
    return f"{write_time(start)}-{write_time(end)}"


def write_time(seconds: float) -> str:
    """Return a time as subtitles have it, in milliseconds."""
    whole, thousandths = divmod(round(seconds * 1000), 1000)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}.{thousandths:03}"


def write_lines_place(first: int, last: int) -> str:
    """Return the place of some lines, counted from 1."""
    return f"line {first}" if first == last else f"lines {first}-{last}"


def read_cells_place(place: str) -> CellRows | None:
    """Return the rows that a place of cells names; None if it is another place.

    >>> read_cells_place("Sheet2!B4:F40"), read_cells_place("line 7")
    (CellRows(sheet='Sheet2', first='B', last='F', runs=(range(4, 41),)), None)
    """
    found = _CELLS.fullmatch(place)
    if not found:
        return None
    ends = [[_CELL.fullmatch(end) for end in one.split(":")] for one in found["ranges"].split(",")]
    runs = tuple(range(int(one[0][2]), int(one[-1][2]) + 1) for one in ends if one[0] and one[-1])
    first, last = ends[0][0], ends[0][-1]
    return CellRows(found["sheet"] or "", first[1], last[1], runs) if first and last else None


def narrow_place(place: str, text: str, start: int, end: int) -> str:
    r"""Return the place of the rows that text[start:end] touches, `text` being the table at `place`, a row a line.

    It is `place` itself unless it names cells, and as many rows as `text` has lines; Markdown's delimiter row is no row.

    >>> narrow_place("S!A1:B3", "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |", 24, 33)
    'S!A2:B2'
    """
    cells = read_cells_place(place) if (start, end) != (0, len(text)) else None
    rows = [row for run in cells.runs for row in run] if cells else []
    second = text.find("\n") + 1
    stop = text.find("\n", second)
    delimiter = second if second and _DELIMITER.fullmatch(text, second, len(text) if stop < 0 else stop) else len(text)
    if not cells or len(rows) != text.count("\n") + 1 - (delimiter < len(text)):
        return place
    first = text.count("\n", 0, start) - (delimiter <= start)
    last = text.count("\n", 0, max(start, end - 1)) - (delimiter < end)
    return cells._replace(runs=_find_runs(rows[max(0, first) : max(0, first, last) + 1])).write()


def join_places(places: Iterable[str]) -> list[str]:
    """Return the places, those that go on after another joined with it: rows of the same columns, times, lines.

    >>> join_places(["S!A1:B4", "S!A5:B9", "S!D1:D2", "line 3", "lines 4-5", "line 9"])
    ['S!A1:B9', 'S!D1:D2', 'lines 3-9']
    """
    found: list[str] = []
    for place in places:
        joined = _join_two(found[-1], place) if found else None
        if joined is not None:
            found[-1] = joined
        elif place not in found:
            found.append(place)
    return found


def _join_two(one: str, other: str) -> str | None:
    """Return two places as one, None if they have nothing in common."""
    cells, more = read_cells_place(one), read_cells_place(other)
    if cells and more:
        rows = sorted({row for run in (*cells.runs, *more.runs) for row in run})
        return cells._replace(runs=_find_runs(rows)).write() if cells[:3] == more[:3] else None
    if (times := _TIMES.fullmatch(one)) and (later := _TIMES.fullmatch(other)):
        return f"{min(times['start'], later['start'])}-{max(times['end'], later['end'])}"
    if (lines := _LINES.fullmatch(one)) and (further := _LINES.fullmatch(other)):
        numbers = [int(one[name] or one["start"]) for one in (lines, further) for name in ("start", "end")]
        return write_lines_place(min(numbers), max(numbers))
    return None
