"""How much personal data the documents of a draft may have."""

from expectations.expected import ROWS_BETWEEN, ExpectationSpec, TalliedSuite
from expectations.tallies import tally_suite
from schemas.options.sections import GateOptions


def tally_personal_data(n_findings: int, limits: GateOptions) -> TalliedSuite:
    """Look at the number of places of personal data for the suite `personal_data`."""
    return tally_suite("personal_data", [], n_findings, make_personal_data_suite(limits))


def make_personal_data_suite(limits: GateOptions) -> list[ExpectationSpec]:
    """Return the expectation that there are few places, or any number without a limit."""
    most = limits.max_pii_findings
    allowed = {} if most is None else {"max_value": most}
    return [
        ExpectationSpec(
            ROWS_BETWEEN, arguments={"min_value": 0, **allowed}, meta={"places": "any number" if most is None else f"{most:,}"}
        )
    ]
