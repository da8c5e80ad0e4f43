"""Many Dask workers in one process, for tasks that do nothing: `python -m benchmarks.dask.many_workers ADDRESS N`."""

import asyncio
import sys

from distributed import Worker


async def serve(address: str, n: int) -> None:
    """Run `n` workers of one thread each until the scheduler closes them."""
    workers = [Worker(address, nthreads=1, name=f"simulated-{number}", dashboard=False) for number in range(n)]
    await asyncio.gather(*workers)
    await asyncio.gather(*(worker.finished() for worker in workers))


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], int(sys.argv[2])))
