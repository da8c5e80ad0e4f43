"""Placement: which workers of a Dask cluster carry out a step."""

from collections.abc import Collection, Iterable
from typing import NamedTuple, TypedDict

from schemas.references import StepDone
from schemas.staged import STEPS

GPU = "GPU"
"""The resource of workers that embed: `dask worker --resources GPU=1`."""


class WorkerInfo(TypedDict):
    """What a scheduler tells of a worker: its threads, and how much it has of each resource."""

    nthreads: int
    resources: dict[str, float]


class SchedulerInfo(TypedDict):
    """What a scheduler tells of itself: its workers by their addresses."""

    workers: dict[str, WorkerInfo]


class Placement(TypedDict, total=False):
    """Where Dask carries out a call: what of resources it takes, and by which workers alone, if not by any."""

    resources: dict[str, float]
    workers: list[str]


class Workers(NamedTuple):
    """The workers of a cluster at one time: their addresses, those with a GPU apart, and how many batches they take at once.

    `n_unfit` counts those that were refused since the run began, which get no batches.
    """

    cpu: tuple[str, ...]
    gpu: tuple[str, ...]
    n_places: int
    n_unfit: int = 0


def list_workers(info: SchedulerInfo, unfit: Collection[str] = ()) -> Workers:
    """Return the workers that a scheduler tells of, but for those that do not fit."""
    found = {name: worker for name, worker in info["workers"].items() if name not in unfit}
    gpu = tuple(name for name, worker in found.items() if worker["resources"].get(GPU))
    cpu = tuple(name for name in found if name not in gpu)
    return Workers(cpu, gpu, sum(worker["nthreads"] for worker in found.values()), len(unfit))


def choose_workers(step: str, workers: Workers) -> Placement:
    """Return where a step is carried out, as arguments of Dask: embed by workers with a GPU, the others by those without.

    Where only one kind is there, it does all. A worker with a GPU embeds as many batches at once as it has of the resource.
    Workers are named only where others must not get the step: what names none goes to workers that join, too.

    >>> choose_workers("embed", Workers(("a", "b"), ("c",), 3)), choose_workers("parse", Workers(("a", "b"), (), 2))
    ({'resources': {'GPU': 1}}, {})
    >>> choose_workers("parse", Workers(("a", "b"), ("c",), 3)), choose_workers("parse", Workers(("a",), (), 1, n_unfit=1))
    ({'workers': ['a', 'b']}, {'workers': ['a']})
    """
    embeds = step == STEPS[-1]
    chosen = (workers.gpu or workers.cpu) if embeds else (workers.cpu or workers.gpu)
    place: Placement = {"resources": {GPU: 1}} if embeds and workers.gpu else {}
    if workers.n_unfit > 0 or (not place and len(chosen) < len(workers.cpu + workers.gpu)):
        place["workers"] = [*chosen]
    return place


def is_step_stranded(step: str, sent_to: Workers, now: Workers) -> bool:
    """Return whether none of the workers is left that a step was sent to, while others may do it.

    >>> before = Workers(("a", "b"), ("c",), 3)
    >>> is_step_stranded("embed", before, Workers(("a",), (), 1)), is_step_stranded("parse", before, Workers(("a",), (), 1))
    (True, False)
    >>> is_step_stranded("parse", before, Workers((), ("c",), 1)), is_step_stranded("parse", before, Workers((), (), 0))
    (True, False)
    """
    if not now.n_places:
        return False
    place = choose_workers(step, sent_to)
    named = place.get("workers")
    if named:
        return not {*named} & {*now.cpu, *now.gpu}
    return "resources" in place and not now.gpu


def count_batches(done: Iterable[StepDone]) -> dict[str, dict[str, int]]:
    """Return how many batches of each step every machine has carried out, by its address; nothing of a run without machines.

    >>> count_batches([StepDone(step="parse", machine="tcp://b:1"), StepDone(step="parse")])
    {'tcp://b:1': {'parse': 1}}
    """
    found: dict[str, dict[str, int]] = {}
    for each in done:
        if each.machine:
            of = found.setdefault(each.machine, {})
            of[each.step] = of.get(each.step, 0) + 1
    return dict(sorted(found.items()))
