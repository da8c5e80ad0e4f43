"""Placement: which workers of a Dask cluster carry out a step."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from schemas.references import StepDone
from schemas.staged import STEPS

GPU = "GPU"
"""The resource of workers that embed: `dask worker --resources GPU=1`."""


class Workers(NamedTuple):
    """The workers of a cluster at one time: their addresses, those with a GPU apart, and how many batches they take at once."""

    cpu: tuple[str, ...]
    gpu: tuple[str, ...]
    n_places: int


def workers_in(info: Any) -> Workers:
    """Return the workers that a scheduler tells of."""
    found = info["workers"]
    gpu = tuple(name for name, worker in found.items() if worker["resources"].get(GPU))
    cpu = tuple(name for name in found if name not in gpu)
    return Workers(cpu, gpu, sum(worker["nthreads"] for worker in found.values()))


def where(step: str, workers: Workers) -> dict[str, Any]:
    """Return where a step is carried out, as arguments of Dask: embed by workers with a GPU, the others by those without.

    Where only one kind is there, it does all. A worker with a GPU embeds as many batches at once as it has of the resource.

    >>> where("embed", Workers(("a", "b"), ("c",), 3)), where("parse", Workers(("a", "b"), (), 2))
    ({'resources': {'GPU': 1}}, {})
    >>> where("parse", Workers(("a", "b"), ("c",), 3))
    {'workers': ['a', 'b']}
    """
    if not workers.gpu:
        return {}
    if step == STEPS[-1]:
        return {"resources": {GPU: 1}}
    return {"workers": list(workers.cpu)} if workers.cpu else {}


def stranded(step: str, sent_to: Workers, now: Workers) -> bool:
    """Tell whether none of the workers is left that a step was sent to, while others may do it.

    >>> before = Workers(("a", "b"), ("c",), 3)
    >>> stranded("embed", before, Workers(("a",), (), 1)), stranded("parse", before, Workers(("a",), (), 1))
    (True, False)
    >>> stranded("parse", before, Workers((), ("c",), 1))
    True
    """
    if step == STEPS[-1]:
        return bool(sent_to.gpu) and not now.gpu
    return bool(sent_to.gpu and sent_to.cpu) and not {*sent_to.cpu} & {*now.cpu}


def shares(done: Iterable[StepDone]) -> dict[str, dict[str, int]]:
    """Return how many batches of each step every machine has carried out, by its address; nothing of a run without machines.

    >>> shares([StepDone(step="parse", machine="tcp://b:1"), StepDone(step="parse")])
    {'tcp://b:1': {'parse': 1}}
    """
    found: dict[str, dict[str, int]] = {}
    for each in done:
        if each.machine:
            of = found.setdefault(each.machine, {})
            of[each.step] = of.get(each.step, 0) + 1
    return dict(sorted(found.items()))
