"""Tracing: spans of what goes on, while a tracer is in use; without one they cost nothing.

A span's parent is the one that the caller's context is in, also in threads that copy it. Prefect's own spans are none of these.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import Tracer

Attributes = dict[str, str | int | float]

_current: ContextVar["tuple[Tracer, Context] | None"] = ContextVar("pagemill_span", default=None)


@contextmanager
def use_tracer(tracer: "Tracer") -> Iterator[None]:
    """Have `trace_span` and `add_span` make spans during the block. The first has the parent that the process was given."""
    from opentelemetry.context import get_current

    token = _current.set((tracer, get_current()))
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def trace_span(name: str, attributes: Attributes) -> Iterator[Attributes]:
    """Make a span of the block, which may add attributes to what it is given. An error of the block is the span's."""
    current = _current.get()
    if current is None:
        yield {}
        return
    from opentelemetry.trace import set_span_in_context, use_span

    tracer, parent = current
    more: Attributes = {}
    with use_span(tracer.start_span(name, parent, attributes=attributes), end_on_exit=True) as span:
        token = _current.set((tracer, set_span_in_context(span, parent)))
        try:
            yield more
        finally:
            _current.reset(token)
            span.set_attributes(more)


def add_span(name: str, seconds: float, attributes: Attributes) -> None:
    """Make a span that ends now and began `seconds` ago."""
    if current := _current.get():
        tracer, parent = current
        now = time.time_ns()
        tracer.start_span(name, parent, attributes=attributes, start_time=now - int(seconds * 1e9)).end(now)
