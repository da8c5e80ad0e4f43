"""The runner of passes: applies them in turn, and writes down with each region which of them made it what it is."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from inspect import getclosurevars, isfunction
from itertools import count

from tasks.parse.layout.geometry import MOSTLY, area, share, union
from tasks.parse.layout.page_model import PageModel, Source
from tasks.parse.layout.regions import UNNUMBERED, Change, Region, Remark
from tasks.parse.layout.words import Word, rows_of, words_in

Correction = Callable[[PageModel, Sequence[Region]], Sequence[Region]]
"""A pure function: the regions of a page as they should be. What it does not change, it returns as it is."""

Explanation = Callable[[PageModel, Sequence[Region]], Iterable[Remark]]
"""A pure function: what a pass, given these regions, weighed or refused, which its corrections do not show."""


@dataclass(frozen=True)
class Pass:
    """A step from what a model sees to the regions of a page.

    `for_` are the pages that it is for. `evidence` says what leaving it out costs, as `make bench NAME=ablation` prints it, where
    that is more than chance; without it, no set has shown a pass to be worth anything yet. One that is `needed` cannot be left
    out, and of it only new regions and new kinds are told. `explain` runs only where it is asked why.
    """

    name: str
    correct: Correction
    for_: Source = Source.LAYOUT_MODEL
    evidence: str = ""
    needed: bool = False
    explain: Explanation | None = None


def run_passes(
    page: PageModel,
    regions: Sequence[Region],
    passes: Iterable[Pass],
    without: Container[str] = (),
    remarks: list[Remark] | None = None,
) -> list[Region]:
    """Return the regions of a page after all `passes` that are for it, but those `without`; each tells its changes.

    What they drop, weigh and refuse is added to `remarks`, if given.
    """
    found = list(regions)
    for one in passes:
        if page.source in one.for_ and (one.needed or one.name not in without):
            corrected = one.correct(page, found)
            if remarks is not None:
                told = [*_losses(page, found, corrected), *(one.explain(page, found) if one.explain else ())]
                remarks += [remark._replace(by=one.name) for remark in told]
            found = _record_changes(one, found, corrected)
    return found


def place_of(correct: Callable[..., object]) -> str:
    """Return the file and line of a pass's function, as `tasks/parse/kinds/terms.py:30`; of what a lambda or a closure calls.

    >>> place_of(lambda page, seen: place_of(seen)) == place_of(place_of)
    True
    """
    functions = [correct]
    if "<" in correct.__qualname__:
        named = getclosurevars(correct)
        functions = [one for one in (named.nonlocals or named.globals).values() if isfunction(one)]
    return ", ".join(f"{one.__module__.replace('.', '/')}.py:{one.__code__.co_firstlineno}" for one in functions)


def _losses(page: PageModel, before: Sequence[Region], after: Sequence[Region]) -> Iterator[Remark]:
    """Yield the regions that are no more, and the words that no region has any more; before regions have words, those in it."""
    numbers = {region.number for region in after}
    left = {word for region in before for word in region.words}.difference(*(region.words for region in after))
    for region in before:
        lost = [word for word in region.words if word in left]
        if region.number not in numbers:
            words = region.words or words_in(page.words, region.box)
            home = next((new for new in after if share(region.box, new.box) > MOSTLY), None)
            what = "dropped" if lost or not home else f"now in a {home.kind}"
            yield Remark(region.box, f"{region.kind} {what}: {_text(words)}")
        elif lost:
            yield Remark(union(word.box for word in lost), f"words of {region.kind} dropped: {_text(lost)}")


def _text(words: Sequence[Word]) -> str:
    return " ".join(row.text for row in rows_of(words)) or "no words"


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
