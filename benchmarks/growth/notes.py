"""Sources of many small text files, which are edited like those of people."""

import os
import random
from pathlib import Path

SENTENCES, WORDS_A_SENTENCE = 20, 10
SYLLABLES = ("ba", "co", "di", "fu", "ga", "he", "jo", "ki", "lu", "me", "no", "pa", "re", "si", "to", "vu")


def text_of(number: int, night: int = 0) -> str:
    """Return two hundred made-up words in sentences of ten, the same for the same number and night."""
    dice = random.Random(f"{number} {night}")
    lines = [" ".join(_word(dice) for _ in range(WORDS_A_SENTENCE)).capitalize() + "." for _ in range(SENTENCES)]
    return "\n".join([f"Note {number}.", *lines, ""])


def _word(dice: random.Random) -> str:
    return "".join(dice.choices(SYLLABLES, k=dice.randint(1, 4)))


def draw_notes(folder: Path, n: int) -> None:
    """Write `n` notes, a thousand in a folder, a minute old: younger files are read again on purpose."""
    for number in range(n):
        write_note(folder, number)


def write_note(folder: Path, number: int, night: int = 0) -> None:
    """Write one note as it is after the changes of a `night`."""
    path = folder / f"{number // 1000:03d}" / f"{number:06d}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)  # copies of the source share its files
    path.write_text(text_of(number, night))
    found = path.stat()
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns - 60 * 10**9))
