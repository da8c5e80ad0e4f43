"""Calendar parts of mails: what an invitation says, in lines."""

import re
from collections.abc import Iterator

SHOWN = {
    "SUMMARY": "Event",
    "DTSTART": "Begins",
    "DTEND": "Ends",
    "LOCATION": "Place",
    "ORGANIZER": "Organizer",
    "DESCRIPTION": "About",
}
_FOLD = re.compile(r"\r?\n[ \t]")
_FIELD = re.compile(r"([A-Z-]+)((?:;[^:\"]*(?:\"[^\"]*\")?)*):(.*)")
_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?")
_ESCAPED = re.compile(r"\\([nN,;\\])")


def list_event_lines(text: str) -> Iterator[str]:
    r"""Yield a line for each field of the events of a calendar that tells people something.

    >>> list(list_event_lines("BEGIN:VEVENT\nSUMMARY:Tea\\, cake\nDTSTART;TZID=Europe/Paris:20240102T150000\nEND:VEVENT"))
    ['Event: Tea, cake', 'Begins: 2024-01-02 15:00:00 Europe/Paris']
    """
    inside = False
    for line in _FOLD.sub("", text).splitlines():
        if line.strip() in ("BEGIN:VEVENT", "END:VEVENT"):
            inside = line.startswith("BEGIN")
        elif inside and (field := _FIELD.match(line)) and (name := SHOWN.get(field[1])):
            yield f"{name}: {_format_value(field[2], field[3])}"


def _format_value(parameters: str, value: str) -> str:
    zone = re.search(r";TZID=\"?([^;:\"]+)", parameters)
    if time := _TIME.fullmatch(value):
        day = "-".join(time.group(1, 2, 3))
        return " ".join(
            [day, *([":".join(time.group(4, 5, 6))] if time[4] else []), *(["UTC"] if time[7] else [zone[1]] if zone else [])]
        )
    said = _ESCAPED.sub(lambda found: " " if found[1] in "nN" else found[1], value)
    named = re.search(r";CN=\"?([^;:\"]+)", parameters)
    return f"{named[1]} ({said.removeprefix('mailto:')})" if named else said
