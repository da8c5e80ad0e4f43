"""The alarm that is sent when no refresh came, such as when a schedule is paused, or a worker takes nothing."""

import asyncio
from datetime import timedelta
from itertools import pairwise
from uuid import UUID

from prefect.events import AutomationCore, EventTrigger, Posture
from prefect.events.actions import SendNotification
from prefect.events.schemas.events import ResourceSpecification

from flows.deploy.table import TAG

NO_RUN = "no run came"
PATIENCE = timedelta(hours=6)
"""How much longer than the schedule's longest gap it may take until a refresh has ended: it may wait for others, and be long."""

FIRINGS = 400
"""More than a year of nights: twice a year one is an hour longer."""


def find_longest_schedule_gap(cron: str, timezone: str) -> timedelta:
    """Return the longest time between two firings of a schedule, among the next FIRINGS.

    >>> find_longest_schedule_gap("0 2 * * 1-5", "UTC")
    datetime.timedelta(days=3)
    """
    from prefect.server.schemas.schedules import CronSchedule  # as slow to import as a server

    fires = asyncio.run(CronSchedule(cron=cron, timezone=timezone).get_dates(FIRINGS))
    gaps = [(after - before).total_seconds() for before, after in pairwise(fires)]
    return timedelta(seconds=max(gaps, default=366 * 24 * 3600.0))


def make_silence_alarm(name: str, deployment: UUID, gap: timedelta, ends: set[str], block: object) -> AutomationCore:
    """Return the automation that notifies, by a block, if no run of a deployment ends for too long after the last one.

    `ends` are the events of a run's end, and `gap` is the longest time between two runs. It is sent once for each silence.
    """
    within = gap + PATIENCE
    trigger = EventTrigger(
        after=ends,
        expect=ends,
        match_related=ResourceSpecification(
            {"prefect.resource.id": f"prefect.deployment.{deployment}", "prefect.resource.role": "deployment"}
        ),
        posture=Posture.Proactive,
        threshold=1,
        within=within,
    )
    hours = f"{within.total_seconds() / 3600:.0f} hours"
    body = (
        f"{name}: no run has ended for {hours}, longer than its schedule allows. "
        "Is the schedule active, is the work pool paused, and does a worker run (make status)?"
    )
    return AutomationCore(
        name=f"Pagemill alarm: {NO_RUN} ({name})",
        description=f"Tells if no run of {name} ends for {hours}.",
        trigger=trigger,
        actions=[SendNotification(block_document_id=block, subject=f"Pagemill: {NO_RUN}", body=body)],
        tags=[TAG],
    )
