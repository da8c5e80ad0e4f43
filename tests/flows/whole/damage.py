"""Damage to drawn files of a corpus, as disks, copies and people do it: times stay, as they do when bits rot."""

import os
import random
from pathlib import Path
from typing import NamedTuple

from tasks.store.integrity.rest import TRANSIENT

HOWS = ("flip", "cut", "delete", "swap")


class Damage(NamedTuple):
    """What was done to which file; `sized` if it changed a size or took a name away, which a look without reading finds."""

    how: str
    path: str
    sized: bool


def files_of(corpus: Path) -> dict[str, list[str]]:
    """Return the files of a corpus that are no run's under way, by kind: table, or private folder, and folder in it."""
    found: dict[str, list[str]] = {}
    for path in sorted(path for path in corpus.rglob("*") if path.is_file()):
        name = str(path.relative_to(corpus))
        if not TRANSIENT.match(name) or "/rest.json" in name:
            found.setdefault("/".join(name.split("/")[:2] if ".lance" in name else name.split("/")[:1]), []).append(name)
    return found


def damage(corpus: Path, dice: random.Random) -> Damage:
    """Damage a file of a kind that is drawn first, so that each kind is as likely."""
    kinds = files_of(corpus)
    names = kinds[dice.choice(sorted(kinds))]
    path, how = dice.choice(names), dice.choice(HOWS)
    at = corpus / path
    stat, content = at.stat(), at.read_bytes()
    others = [name for name in names if name != path and (corpus / name).read_bytes() != content]
    if how == "delete":
        at.unlink()
    elif how == "swap" and others:
        other = corpus / dice.choice(others)
        spare = at.with_name("spare")
        at.rename(spare), other.rename(at), spare.rename(other)
        return Damage("swap", path, at.stat().st_size != other.stat().st_size)
    elif how == "cut" and content:
        at.write_bytes(content[: dice.randrange(len(content))])
    elif content:
        how, bit = "flip", dice.randrange(8 * len(content))
        changed = bytearray(content)
        changed[bit // 8] ^= 1 << bit % 8
        at.write_bytes(changed)
    if at.exists():
        os.utime(at, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    return Damage(how, path, how in ("delete", "cut"))
