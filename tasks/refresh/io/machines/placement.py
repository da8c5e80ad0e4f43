"""Placement: which workers of a Dask cluster carry out a step."""

from typing import Any, NamedTuple

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
    {'workers': ['a', 'b'], 'allow_other_workers': True}
    """
    if not workers.gpu:
        return {}
    if step == STEPS[-1]:
        return {"resources": {GPU: 1}}
    return {"workers": list(workers.cpu), "allow_other_workers": True} if workers.cpu else {}
