"""Findings: what expectations found in a draft."""

from pydantic import BaseModel, ConfigDict

from expectations.expected import Severity


class Finding(BaseModel):
    """What one expectation found: a row of VALIDATIONS without run_id and validated_at. observed and allowed are JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    suite: str
    position: int
    expectation: str
    column: str
    severity: Severity
    success: bool
    observed: str
    allowed: str

    @property
    def refuses(self) -> bool:
        """Return whether the gate must stay shut. A warning is only reported."""
        return self.severity == "critical" and not self.success
