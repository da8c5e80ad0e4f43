"""Budget: how much a container may hold. What goes beyond is refused as a whole, before more of it is unpacked."""

import io
from collections.abc import Callable
from typing import BinaryIO

from schemas.errors import DocumentError
from schemas.options.sections import LimitOptions
from tasks.parse.rejections import refusal

MIB = 2**20
FREE_BYTES = 64 * MIB
"""So many bytes may come from any container, however small it is."""
PART_BYTES = MIB
NESTED_BYTES = 256 * MIB
"""A larger archive or mail in a container is refused: it is read into memory, which a worker has 2 GiB of."""

MEMBERS_A_TICK = 256
MOST_EMPTY = 100
"""So often the end of a stream is told: the standard library seeks beyond it block by block, as far as a damaged tar says."""


class Budget:
    """What may still come from one container of `packed` bytes; `tick` is called as work goes on."""

    def __init__(self, limits: LimitOptions, packed: int, tick: Callable[[int], None]) -> None:
        self._limits, self._tick = limits, tick
        self._most = min(limits.container_mb * MIB, max(FREE_BYTES, limits.container_ratio * packed))
        self._n_members, self._n_bytes, self._n_ticks = 0, 0, 0
        self.is_exhausted = False

    @property
    def depth(self) -> int:
        """The deepest nesting that is allowed."""
        return self._limits.container_depth

    def count_member(self) -> None:
        """Count a member.

        Raises:
            DocumentError: there are too many.
        """
        self._n_members += 1
        self._report_progress()
        if self._n_members > self._limits.container_members:
            self.is_exhausted = True
            message = f"it holds more than {self._limits.container_members:,} files"
            raise refusal(DocumentError, message, "raise limits.container_members, split it, or exclude it")

    def count_bytes(self, n: int) -> None:
        """Count bytes that were unpacked.

        Raises:
            DocumentError: there are too many.
        """
        self._n_bytes += n
        self._report_progress()
        if self._n_bytes <= self._most:
            return
        self.is_exhausted = True
        if self._n_bytes > self._limits.container_mb * MIB:
            message = f"it unpacks to more than {self._limits.container_mb:,} MiB"
            raise refusal(DocumentError, message, "raise limits.container_mb, split it, or exclude it")
        message = f"it unpacks to more than {self._limits.container_ratio} times its size, so it may be a bomb"
        raise refusal(DocumentError, message, "raise limits.container_ratio if it is none, or exclude it")

    def _report_progress(self) -> None:
        done = self._n_members // MEMBERS_A_TICK + self._n_bytes // PART_BYTES
        if done > self._n_ticks:
            self._n_ticks = done
            self._tick(done)

    def read_nested(self, source: BinaryIO) -> io.BytesIO:
        """Return the bytes of a container that lies in another.

        Raises:
            DocumentError: they are too many for memory, or for the budget.
        """
        read = io.BytesIO()
        for part in iter(lambda: source.read(PART_BYTES), b""):
            self.count_bytes(len(part))
            if read.tell() + len(part) > NESTED_BYTES:
                message = f"it lies in another and has more than {NESTED_BYTES // MIB} MiB"
                raise refusal(DocumentError, message, "take it out of the outer one, or exclude it")
            read.write(part)
        read.seek(0)
        return read


class CountedReader(io.RawIOBase):
    """Reads a stream forwards and counts its bytes in a budget. It knows how many there were, and the last of them."""

    def __init__(self, source: BinaryIO, budget: Budget) -> None:
        super().__init__()
        self._source, self._budget = source, budget
        self.n_read, self._last, self._n_empty = 0, b"", 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes, and PART_BYTES if there is no size.

        Raises:
            DocumentError: the budget is used up.
            EOFError: the source has ended, and is read on and on.
        """
        part = self._source.read(min(size, PART_BYTES) if size >= 0 else PART_BYTES)
        self._n_empty += not part and size != 0
        if self._n_empty > MOST_EMPTY:
            raise EOFError("it ends before what it says that it holds")
        self._budget.count_bytes(len(part))
        self.n_read += len(part)
        self._last = (self._last + part)[-PART_BYTES:]
        return part

    def read_again(self, start: int, size: int) -> bytes:
        """Return bytes that were read a short while ago, from `start` on."""
        first = self.n_read - len(self._last)
        return self._last[max(0, start - first) : max(0, start - first + size)]
