"""The plan of a run, kept beside its draft: it can be too large to be handed from task to task."""

from pathlib import Path

from pydantic import TypeAdapter

from tasks.refresh.planning import Plan
from tasks.refresh.run import Run
from tasks.store import files

PLAN = TypeAdapter(Plan)


def _path(run: Run) -> Path:
    return run.folder / "plan.json"


def keep_plan(run: Run, plan: Plan) -> None:
    """Keep the plan of a run until it is published."""
    files.put(_path(run), PLAN.dump_json(plan))


def plan_of(run: Run) -> Plan:
    """Return the plan of a run that is under way."""
    return PLAN.validate_json(_path(run).read_bytes())
