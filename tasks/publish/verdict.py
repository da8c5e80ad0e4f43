"""The verdict of the gate on a draft."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from expectations.expected import Finding
from expectations.lengths import Lengths, Profile
from expectations.sentences import list_refusals, list_warnings
from schemas.corpus import Corpus
from schemas.errors import GateError
from schemas.references import Frozen, GateOutcome
from schemas.shown import plain

NAMED = 5
"""How many rejected documents a refusal names, at most."""

REJECTS_FINDING = ("documents", "rejected")
"""Suite and column of the expectation that few documents are rejected."""


class Rejected(NamedTuple):
    """A document that a draft rejects as a whole: its path, the step that could not handle it, the reason, and what to do."""

    path: str
    step: str
    message: str
    remedy: str

    def __str__(self) -> str:
        return plain(f"{self.path}: {self.message}; {self.remedy}")


class Verdict(Frozen):
    """What the gate found in a draft.

    `lengths` counts the chunks of each length in tokens. `profile` is their profile, None without chunks; `reference` is the
    profile that it was compared with. `rejected` are the first of the `n_rejected` documents that this run rejected.
    `lost_questions` are lines for the questions that the draft answers worse than the live generation, the worst first.
    """

    findings: tuple[Finding, ...]
    lengths: Lengths
    reference: Profile | None
    profile: Profile | None
    n_rejected: int
    rejected: tuple[Rejected, ...]
    lost_questions: tuple[str, ...] = ()

    @property
    def refused(self) -> list[str]:
        """The reasons why the gate stays shut: one line for each failed critical expectation."""
        return [plain(line) for line in list_refusals(self.findings)]

    @property
    def warnings(self) -> list[str]:
        """One line for each expectation that failed but does not keep the gate shut."""
        return [plain(line) for line in list_warnings(self.findings)]

    @property
    def rejected_of(self) -> tuple[int, int]:
        """How many documents of the source are rejected, earlier ones included, and how many it has; zeros if unknown."""
        found = next((one.observed for one in self.findings if (one.suite, one.column) == REJECTS_FINDING), "{}")
        observed = json.loads(found)
        return observed.get("unexpected", 0), observed.get("of", 0)

    def check(self, corpus: Corpus) -> None:
        """Raise if the gate must stay shut.

        Raises:
            GateError: a critical expectation failed. The message says what was observed, what is allowed and what to do, and
                names the first rejected documents.
        """
        if not self.refused:
            return
        named = [f"rejected: {line}" for line in self.rejected[:NAMED]]
        more = [f"and {self.n_rejected - NAMED} more documents"] if self.n_rejected > NAMED else []
        lost = [f"lost: {line}" for line in self.lost_questions[:NAMED]]
        more += [f"and {len(self.lost_questions) - NAMED} more questions"] if len(self.lost_questions) > NAMED else []
        lines = [*self.refused, *named, *lost, *more, f"see `pagemill validations --corpus {corpus.quoted}`"]
        raise GateError("\n  ".join(["the draft was refused, and nothing was published:", *lines]))

    def lines(self) -> Sequence[str]:
        """Return one line for each document in `rejected`, and one for each expectation that failed."""
        rejected = [f"rejected by {found.step}: {found}" for found in self.rejected]
        more = [f"rejected: {self.n_rejected - len(rejected)} more documents"] if self.n_rejected > len(rejected) else []
        warned = [f"warning of the gate: {line}" for line in self.warnings]
        return [*rejected, *more, *warned, *(f"refused by the gate: {line}" for line in self.refused)]

    def gate(self) -> GateOutcome:
        """Return the outcome as it is stored in `generations`."""
        return {"expectations": len(self.findings), "warnings": [*self.warnings]}
