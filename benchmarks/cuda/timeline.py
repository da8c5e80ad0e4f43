"""The timeline of a device: how long it copied, multiplied, attended and did the rest, and how long it waited."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

KERNELS, COPIES = "kernel", ("gpu_memcpy", "gpu_memset")
"""Categories of a trace of torch's profiler."""
KINDS = {
    "matrix products": ("gemm", "cutlass", "cublas", "nvjet", "xmma"),
    "attention": ("fmha", "flash", "attention", "softmax"),
}
"""Kinds of kernels, by what their names contain; the first that fits counts, attention before products."""


class Span(NamedTuple):
    """Something that the device did, in microseconds."""

    kind: str
    start: float
    end: float


def spans(trace: Path) -> list[Span]:
    """Return what the device did by a Chrome trace that torch's profiler wrote."""
    events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    wanted = (KERNELS, *COPIES)
    timed = [event for event in events if event.get("ph") == "X" and event.get("cat") in wanted]
    return [Span(_kind(event["cat"], event["name"]), event["ts"], event["ts"] + event["dur"]) for event in timed]


def seconds_by_kind(done: Iterable[Span]) -> dict[str, float]:
    """Return the seconds of each kind, and of `gaps`: the time between the first and the last span in which nothing ran.

    >>> seconds_by_kind([Span("copies", 0, 2e6), Span("other kernels", 1e6, 3e6), Span("copies", 5e6, 6e6)])
    {'copies': 3.0, 'other kernels': 2.0, 'gaps': 2.0}
    """
    ordered = sorted(done, key=lambda span: span.start)
    seconds: dict[str, float] = {}
    gaps, latest = 0.0, ordered[0].start if ordered else 0.0
    for span in ordered:
        seconds[span.kind] = seconds.get(span.kind, 0.0) + (span.end - span.start) / 1e6
        gaps += max(0.0, span.start - latest) / 1e6
        latest = max(latest, span.end)
    return {**seconds, "gaps": gaps}


def _kind(category: str, name: str) -> str:
    if category in COPIES:
        return "copies"
    lowered = name.lower()
    attends = any(word in lowered for word in KINDS["attention"])
    multiplies = any(word in lowered for word in KINDS["matrix products"])
    return "attention" if attends else "matrix products" if multiplies else "other kernels"
