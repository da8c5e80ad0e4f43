"""Results: one row per figure, with the bar that it must reach, and series for plots. They are written after every part."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.report import say


@dataclass(frozen=True)
class Row:
    """A figure with its unit. `met` is None where there is no bar, or where it does not count: speed without a GPU."""

    part: str
    what: str
    value: float | None
    unit: str = ""
    bar: float | None = None
    at_most: bool = False
    met: bool | None = None
    note: str = ""


@dataclass
class Results:
    """What was measured. `about` says on what and how; `counts_speed`: whether bars of speed count."""

    about: Mapping[str, Any]
    counts_speed: bool
    to: Path | None = None
    rows: list[Row] = field(default_factory=list)
    series: dict[str, list[Any]] = field(default_factory=dict)

    def add(
        self,
        part: str,
        what: str,
        value: float | None,
        unit: str = "",
        bar: float | None = None,
        at_most: bool = False,
        speed: bool = True,
        note: str = "",
    ) -> None:
        """Add a figure and say it. `speed`: its bar counts on a GPU only."""
        met = None
        if bar is not None and value is not None and (self.counts_speed or not speed):
            met = value <= bar if at_most else value >= bar
        row = Row(part, what, value, unit, bar, at_most, met, note)
        self.rows.append(row)
        say("  " + line(row))

    def write(self) -> None:
        """Write all rows and series as JSON, and the table as Markdown, to `to`."""
        if self.to is None:
            return
        self.to.mkdir(parents=True, exist_ok=True)
        told = {"about": dict(self.about), "rows": [asdict(row) for row in self.rows], "series": self.series}
        (self.to / "cuda.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        (self.to / "cuda.md").write_text(
            "\n".join([*map(_said, self.about.items()), "", *table(self.rows)]) + "\n", encoding="utf-8"
        )


def line(row: Row) -> str:
    """Return a row as a line of text.

    >>> line(Row("equality", "least cosine", 0.99987, "", 0.9995, met=True))
    'equality: least cosine 0.99987, bar at least 0.9995: met'
    """
    bar = f", bar {_bar(row)}" + ("" if row.met is None else ": met" if row.met else ": MISSED") if row.bar is not None else ""
    return f"{row.part}: {row.what} {_value(row)}{bar}" + (f" ({row.note})" if row.note else "")


def table(rows: Sequence[Row]) -> list[str]:
    """Return a Markdown table of all rows."""
    head = ["| part | what | measured | bar | met |", "|---|---|---:|---:|---|"]
    met = {None: "", True: "yes", False: "**no**"}
    return head + [
        f"| {row.part} | {row.what}{f' ({row.note})' if row.note else ''} | {_value(row)} | {_bar(row)} | {met[row.met]} |"
        for row in rows
    ]


def _bar(row: Row) -> str:
    return "" if row.bar is None else f"at {'most' if row.at_most else 'least'} {row.bar:,g}"


def _value(row: Row) -> str:
    if row.value is None:
        return "-"
    shown = f"{row.value:,.0f}" if abs(row.value) >= 1000 else f"{row.value:.5g}"
    return f"{shown} {row.unit}".rstrip()


def _said(item: tuple[str, Any]) -> str:
    return f"- {item[0]}: {item[1]}"
