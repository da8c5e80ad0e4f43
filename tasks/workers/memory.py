"""Memory that a process has freed but its C library keeps."""

import ctypes
from collections.abc import Callable
from functools import cache


@cache
def _trim() -> Callable[[int], int] | None:
    return getattr(ctypes.CDLL(None), "malloc_trim", None)


def release() -> None:
    """Give freed memory back to the system, in about 20 ms. Without it a worker grows by megabytes per page.

    Only glibc can do this; elsewhere nothing happens.
    """
    trim = _trim()
    if trim is not None:
        trim(0)
