"""Findings of a verification, and the lines that describe them."""

from collections.abc import Sequence
from shlex import quote
from typing import Literal, NamedTuple

Kind = Literal["private", "generations", "manifest", "file", "tag", "rest", "contents", "index", "unknown", "orphan"]

NOTES: tuple[Kind, ...] = ("unknown", "orphan")
"""Kinds of findings that are no damage: what was made before there were manifests, and what nothing needs."""


class Finding(NamedTuple):
    """Something that is not as it was written: its kind, its place, what is wrong, and the `generations` that it concerns."""

    kind: Kind
    place: str
    what: str
    generations: tuple[int, ...] = ()

    @property
    def is_damage(self) -> bool:
        """Whether something is lost or wrong."""
        return self.kind not in NOTES


class Verification(NamedTuple):
    """The findings about a corpus at its live `generation` (0: none can be read); how much was looked at, in how many seconds."""

    corpus: str
    generation: int
    deep: bool
    findings: tuple[Finding, ...]
    n_files: int
    n_bytes: int
    seconds: float

    @property
    def whole(self) -> bool:
        """Whether nothing is damaged."""
        return not any(finding.is_damage for finding in self.findings)

    def as_values(self) -> dict[str, object]:
        """Return it as JSON values."""
        findings = [
            {**finding._asdict(), "damage": finding.is_damage, "remedy": find_repair_command(self, finding)}
            for finding in self.findings
        ]
        return {**self._asdict(), "whole": self.whole, "findings": findings}


def find_repair_command(of: Verification, finding: Finding) -> str:
    """Return the command that helps.

    >>> find_repair_command(Verification("c", 3, True, (), 0, 0, 0.0), Finding("file", "chunks.lance/a.lance", "is gone", (3,)))
    'pagemill repair --corpus c'
    """
    if finding.kind == "unknown":
        return f"pagemill verify --deep --record --corpus {quote(of.corpus)}"
    return f"pagemill repair --corpus {quote(of.corpus)}" if finding.is_damage else "nothing needs to be done"


def describe_verification(of: Verification) -> list[str]:
    """Return a line for each finding, and one for the whole."""
    found = [
        f"{_name_generations(finding)}{finding.place} {finding.what}: {find_repair_command(of, finding)}"
        for finding in of.findings
    ]
    how = "sizes, digests and contents" if of.deep else "names and sizes"
    n = sum(finding.is_damage for finding in of.findings)
    said = f"{n} findings of damage" if n else "whole"
    size = f"{of.n_files} files, {of.n_bytes / 2**20:.1f} MiB"
    return [*found, f"{of.corpus}, generation {of.generation}: {said} ({how} of {size} in {of.seconds:.1f} s)"]


def _name_generations(finding: Finding) -> str:
    return f"generation {_format_number_ranges(finding.generations)}: " if finding.generations else ""


def _format_number_ranges(numbers: Sequence[int]) -> str:
    """Return numbers in order as ranges.

    >>> _format_number_ranges((1, 2, 3, 7))
    '1 to 3, 7'
    """
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(str(part[0]) if len(part) == 1 else f"{part[0]} to {part[-1]}" for part in parts)
