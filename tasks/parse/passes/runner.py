"""The runner of passes: applies them in turn, and writes down with each region which of them made it what it is."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count

from tasks.parse.layout.geometry import area, share
from tasks.parse.layout.page_model import PageModel, Source
from tasks.parse.layout.regions import UNNUMBERED, Change, Region

MOSTLY = 0.5
"""A region of which a larger share lies in another one was replaced by it."""

Correction = Callable[[PageModel, Sequence[Region]], Sequence[Region]]
"""A pure function: the regions of a page as they should be. What it does not change, it returns as it is."""


@dataclass(frozen=True)
class Pass:
    """A step from what a model sees to the regions of a page.

    `for_` are the pages that it is for. `evidence` says what leaving it out costs, as `make bench NAME=ablation` prints it, where
    that is more than chance; without it, no set has shown a pass to be worth anything yet. One that is `needed` cannot be left
    out, and of it only new regions and new kinds are told.
    """

    name: str
    correct: Correction
    for_: Source = Source.ANY
    evidence: str = ""
    needed: bool = False


def run_passes(page: PageModel, regions: Sequence[Region], passes: Iterable[Pass], without: Container[str] = ()) -> list[Region]:
    """Return the regions of a page after all `passes` that are for it, but those `without`; each tells its changes."""
    found = list(regions)
    for one in passes:
        if page.source in one.for_ and (one.needed or one.name not in without):
            found = _record_changes(one, found, one.correct(page, found))
    return found


def seen_by(name: str, regions: Iterable[Region]) -> list[Region]:
    """Return regions with numbers, as those that a model of this `name` sees."""
    return [replace(region, number=n, changes=(Change(name, region.kind),)) for n, region in enumerate(regions)]


def _record_changes(one: Pass, before: Sequence[Region], after: Sequence[Region]) -> list[Region]:
    """Return the regions `after` a pass with numbers of their own and what it changed."""
    if len(before) == len(after) and all(a is b for a, b in zip(before, after, strict=True)):
        return list(after)
    known = {region.number: region for region in before}
    numbers = Counter(region.number for region in after)
    gone = [region for region in before if region.number not in numbers]
    fresh = count(1 + max(known, default=UNNUMBERED))
    found: list[Region] = []
    used: set[int] = set()
    for region in after:
        old = known.get(region.number)
        if old is not None and region == old and numbers[region.number] == 1:
            found.append(old)
            continue
        what = _change(old, region, numbers[region.number] > 1, gone)
        is_silent = one.needed and old is not None and old.kind == region.kind
        changes = region.changes if is_silent else (*region.changes, Change(one.name, what))
        number = next(fresh) if old is None or region.number in used else region.number
        used.add(number)
        found.append(replace(region, number=number, changes=changes))
    return found


def _change(old: Region | None, new: Region, is_part: bool, gone: Sequence[Region]) -> str:
    """Return in words what became of a region, None if it is new; `gone` are regions that are no more."""
    said: list[str] = []
    if old is None:
        said.append(f"new {new.kind}")
    elif is_part:
        said.append(f"part of {old.kind}" if new.kind == old.kind else f"part of {old.kind} → {new.kind}")
    elif old.kind != new.kind:
        said.append(f"{old.kind} → {new.kind}")
    if new.confidence is not None and (old is None or old.confidence != new.confidence):
        said.append(f"confidence {new.confidence:.2f}")
    taken = Counter(region.kind for region in gone if share(region.box, new.box) > MOSTLY and (old is None or old.box != new.box))
    if taken:
        said.append(("in place of " if old is None else "with ") + ", ".join(f"{n} {kind}" for kind, n in taken.items()))
    elif old is not None and not said:
        said.append(_resized(old, new))
    return ", ".join(said)


def _resized(old: Region, new: Region) -> str:
    """Return what changed of a region that stayed of its kind."""
    if old.box != new.box:
        return "larger" if area(new.box) > area(old.box) else "smaller"
    if len(old.words) != len(new.words):
        return "more words" if len(new.words) > len(old.words) else "fewer words"
    return f"{old.role or 'no role'} → {new.role or 'no role'}" if old.role != new.role else "other words or rules"
