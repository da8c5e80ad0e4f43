"""WebVTT and SubRip: what is said, in paragraphs that are cited by their times."""

import html
import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from schemas.errors import DocumentError
from schemas.records import NO_PROPERTIES, Reason
from tasks.parse.elements.flow_document import FlowBlock, FlowDocument, note, one_line
from tasks.parse.elements.places import write_times_place
from tasks.parse.rejections import refusal
from tasks.parse.text.plain import decode

_TIME = r"(?:(\d+):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})"
_TIMES = re.compile(rf"^[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}[^\n]*$", re.MULTILINE)
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]+)>")
_NEXT_NUMBER = re.compile(r"\n[ \t]*\d+[ \t]*\n\Z")
"""The number of the next cue of SubRip, before its times."""
_TAG = re.compile(r"</?[a-zA-Z0-9:.][^>]*>|\{\\[^}]*\}")
_ENDED = re.compile(r"[.!?…。！？][\"'”’)\]]*$")  # noqa: RUF001
LONGEST_PAUSE = 4.0
"""Seconds of silence after which a new paragraph begins."""
LONGEST = 600
"""Characters from which on a paragraph ends with its sentence."""


class Cue(NamedTuple):
    """What is said from one time to another, in seconds, in lines, and by whom, if that is known."""

    start: float
    end: float
    text: str
    voice: str


def parse_subtitles(data: bytes) -> FlowDocument:
    """Return what is said as paragraphs, each with its times as its place.

    Raises:
        DocumentError: there is not one time in it.
    """
    decoded = decode(data)
    text = decoded.text.replace("\r\n", "\n").replace("\r", "\n")
    found = list(_cues(text))
    if not found:
        message = "the file has no times, as subtitles have"
        raise refusal(DocumentError, message, "give the file the suffix of its format, or exclude it")
    return FlowDocument(list(_paragraphs(found)), NO_PROPERTIES, rejects=[*decoded.notes, *_unordered(found)])


def _cues(text: str) -> Iterator[Cue]:
    times = list(_TIMES.finditer(text))
    is_web = text.lstrip("\ufeff").startswith("WEBVTT")
    for found, after in zip_longest(times, times[1:]):
        body = text[found.end() : after.start() if after else len(text)]
        if is_web:
            # what follows a blank line is the name of the next cue, a comment or a style
            body = body.strip("\n").partition("\n\n")[0]
        elif after:
            body = _NEXT_NUMBER.sub("", body)
        voice = _VOICE.search(body)
        lines = map(one_line, html.unescape(_TAG.sub("", body)).split("\n"))
        spoken = "\n".join(filter(None, lines))
        if spoken:
            yield Cue(_seconds(found.groups()[:4]), _seconds(found.groups()[4:]), spoken, one_line(voice[1]) if voice else "")


def _seconds(parts: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, thousandths = parts
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(seconds or 0) + float(f"0.{thousandths}")


def _paragraphs(cues: list[Cue]) -> Iterator[FlowBlock]:
    """Yield cues joined to paragraphs; text that rolls on, and so is shown again by the next cue, is taken once."""
    parts: list[Cue] = []
    before = ""
    for cue in cues:
        if parts and _ends(parts, cue):
            yield _paragraph(parts)
            parts = []
        if parts and cue.text.startswith(before):
            parts[-1] = parts[-1]._replace(text=parts[-1].text + cue.text[len(before) :], end=cue.end)
        elif parts and not (new := _new_lines(before, cue.text)):
            parts[-1] = parts[-1]._replace(end=cue.end)
        else:
            parts.append(cue._replace(text=new) if parts else cue)
        before = cue.text
    if parts:
        yield _paragraph(parts)


def _new_lines(before: str, text: str) -> str:
    r"""Return the lines of a text without those at its start that the one before it ends with.

    >>> _new_lines("to the port\nof Oslo", "of Oslo\nin May"), _new_lines("the port\nof Oslo", "of Oslo"), _new_lines("no", "yes")
    ('in May', '', 'yes')
    """
    shown, lines = before.split("\n"), text.split("\n")
    n = next((n for n in range(min(len(shown), len(lines)), 0, -1) if shown[-n:] == lines[:n]), 0)
    return "\n".join(lines[n:])


def _ends(parts: list[Cue], cue: Cue) -> bool:
    length = sum(len(part.text) + 1 for part in parts)
    ended = _ENDED.search(parts[-1].text) is not None
    is_long = length > (LONGEST if ended else 3 * LONGEST)
    return is_long or cue.voice != parts[-1].voice or cue.start - parts[-1].end > LONGEST_PAUSE


def _paragraph(parts: list[Cue]) -> FlowBlock:
    said = one_line(" ".join(part.text for part in parts))
    voice = f"{parts[0].voice}: " if parts[0].voice else ""
    return FlowBlock("paragraph", voice + said, place=write_times_place(parts[0].start, max(part.end for part in parts)))


def _unordered(cues: list[Cue]) -> list[Reason]:
    n = sum(cue.end < cue.start for cue in cues)
    message = f"{n} times end before they begin: they were read as they stand"
    return [note("TimeError", message, "correct these times")] if n else []
