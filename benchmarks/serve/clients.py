"""Clients that ask a server, each question after question without a pause."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import httpx
import numpy as np

ANSWER_SECONDS = 120


class Load(NamedTuple):
    """What clients met: seconds of each answer, those that were no results, and how long all of it took."""

    latencies: list[float]
    n_failed: int
    seconds: float

    @property
    def per_second(self) -> float:
        """Answers per second."""
        return len(self.latencies) / self.seconds

    def percentile(self, share: float) -> float:
        """Return the time in milliseconds in which `share` percent of the answers came."""
        return float(np.percentile(self.latencies, share)) * 1000


def load(url: str, paths: Sequence[tuple[str, dict[str, str]]], n_clients: int, seconds: float) -> Load:
    """Let `n_clients` ask for `paths` with their parameters, one after another, until `seconds` have passed."""
    return asyncio.run(_all(url, iter(paths), n_clients, seconds))


async def _all(url: str, paths: Iterator[tuple[str, dict[str, str]]], n_clients: int, seconds: float) -> Load:
    latencies: list[float] = []
    limits = httpx.Limits(max_connections=n_clients, max_keepalive_connections=n_clients)
    began = time.perf_counter()

    async def client() -> int:
        n_failed = 0
        for path, parameters in paths:
            if time.perf_counter() - began >= seconds:
                break
            asked = time.perf_counter()
            try:
                answer = await session.get(path, params=parameters)
                n_failed += answer.status_code != httpx.codes.OK
            except httpx.TransportError:  # such as a connection that was left alone for so long that the server ended it
                n_failed += 1
            latencies.append(time.perf_counter() - asked)
        return n_failed

    async with httpx.AsyncClient(base_url=url, limits=limits, timeout=ANSWER_SECONDS) as session:
        failed = await asyncio.gather(*(client() for _ in range(n_clients)))
    return Load(latencies, sum(failed), time.perf_counter() - began)
