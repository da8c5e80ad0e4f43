"""Events: what runs tell the Prefect server beside their states, for alarms."""

REJECTS = "pagemill.rejects"
"""A refresh published, and a larger share of the documents is rejected than `gate.alarm_reject_share`."""

RECALL_FELL = "pagemill.recall-fell"
"""The nightly check of an evaluation found a fall that is no chance."""

REFUSED = "Refused"
"""Name of the state of a refresh whose draft the gate refused: nothing was published."""

DAMAGED = "Damaged"
"""Name of the state of a verification that found files of a corpus lost, or not as they were written."""
