"""Check the schedule of a deployment before Prefect does, because Prefect would print a traceback."""

import difflib
import zoneinfo

from schemas.errors import InputError


def check_schedule(cron: str, timezone: str) -> None:
    """Check that Prefect accepts a schedule: a cron expression with five fields, and an IANA time zone.

    Raises:
        InputError: the schedule is not valid.
    """
    from prefect.client.schemas.schedules import CronSchedule
    from pydantic import ValidationError

    try:
        CronSchedule(cron=cron, timezone=timezone)
    except ValidationError as error:
        if {item["loc"] for item in error.errors()} == {("timezone",)}:
            close = difflib.get_close_matches(timezone, zoneinfo.available_timezones(), n=1)
            hint = f"did you mean {close[0]}?" if close else "write a name such as Europe/Berlin"
            raise InputError(f"PAGEMILL_TIMEZONE={timezone} is not a time zone: {hint}") from error
        raise InputError(
            f'PAGEMILL_SCHEDULE="{cron}" is not a cron expression: write minute, hour, day of the month, month, day of the week, '
            'such as "0 2 * * *" for every night at two'
        ) from error


def complaint(cron: str, timezone: str) -> str | None:
    """Return what is wrong with a schedule, or None. deployments/server.sh prints the problem and stops."""
    try:
        check_schedule(cron, timezone)
    except InputError as error:
        return str(error)
    return None
