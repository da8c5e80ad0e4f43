"""Words, names and numbers that stand in drawn figures. Everything comes from the generator that is handed in."""

from typing import TypeVar

import numpy as np

Generator = np.random.Generator
Item = TypeVar("Item")

WORDS = (
    "revenue cost margin output demand supply price energy water steel timber grain cotton traffic rainfall temperature "
    "pressure velocity load error accuracy recall latency throughput memory packets users visits orders members students "
    "teachers schools hospitals patients deaths births age height weight income tax budget exports imports loans interest "
    "growth share index rate ratio density distance time year month quarter week region city village harbour river forest "
    "coast island north south east west central upper lower first second third control treatment baseline model method "
    "sample group cluster node network server client cache disk query table report survey answer agree disagree neutral "
    "male female urban rural public private total average median maximum minimum expected observed simulated measured "
    "apples pears bananas plums bread coffee tea sugar rice wheat barley cars trains ships planes buses bicycles wood coal "
    "gas oil solar wind nuclear hydro oak pine birch salmon cod herring copper silver gold iron zinc lead food rent travel"
).split()
NAMES = (
    "Anna Boris Carla David Elena Frank Greta Henry Ines Jonas Karla Liam Mona Nadia Oscar Petra Quentin Rosa Simon Tara".split()
)
COUNTRIES = (
    "Norway Chile Kenya Japan Peru Ghana Spain Egypt India Brazil Canada France Greece Turkey Poland Vietnam Mexico Italy Cuba"
).split()
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
UNITS = "% kg km ms s m °C $ € MWh tons thousands millions dB px points".split()


def pick(rng: Generator, items: "list[Item] | tuple[Item, ...]") -> Item:
    """Return one of `items`, each as likely as the others."""
    return items[int(rng.integers(len(items)))]


def chance(rng: Generator, share: float) -> bool:
    """Return True in `share` of the calls."""
    return bool(rng.random() < share)


def between(rng: Generator, low: float, high: float) -> float:
    """Return a number of [low, high)."""
    return float(rng.uniform(low, high))


def count(rng: Generator, low: int, high: int) -> int:
    """Return a whole number from `low` to `high`, both included."""
    return int(rng.integers(low, high + 1))


def phrase(rng: Generator, low: int = 1, high: int = 4) -> str:
    """Return some words, written as in a title, a sentence, or in capitals."""
    text = " ".join(pick(rng, WORDS) for _ in range(count(rng, low, high)))
    return pick(rng, (text, text.capitalize(), text.title(), text.title(), text.upper()))


def title(rng: Generator) -> str:
    """Return a figure's title, sometimes with a number, a year or a unit."""
    base = phrase(rng, 1, 4)
    ends = (
        "",
        "",
        f" by {pick(rng, WORDS)}",
        f", {count(rng, 1950, 2026)}",
        f" ({pick(rng, UNITS)})",
        f" of {pick(rng, COUNTRIES)}",
    )
    starts = ("", "", "", f"Figure {count(rng, 1, 20)}: ", f"({pick(rng, list('abcd'))}) ")
    return pick(rng, starts) + base + pick(rng, ends)


def axis_label(rng: Generator) -> str:
    """Return the name of an axis, sometimes with its unit."""
    return phrase(rng, 1, 3) + pick(rng, ("", "", f" ({pick(rng, UNITS)})", f" [{pick(rng, UNITS)}]"))


def category_names(rng: Generator, n: int) -> list[str]:
    """Return `n` names of categories of one kind: years, months, countries, people, letters or words."""
    first = count(rng, 1950, 2015)
    kinds = (
        [str(first + k) for k in range(n)],
        [MONTHS[k % 12] for k in range(n)],
        [pick(rng, COUNTRIES) for _ in range(n)],
        [pick(rng, NAMES) for _ in range(n)],
        [chr(65 + k % 26) for k in range(n)],
        [str(2**k) for k in range(n)] if n < 12 else [str(k) for k in range(n)],
        [phrase(rng, 1, 2) for _ in range(n)],
        [f"Q{k % 4 + 1}" for k in range(n)],
    )
    return pick(rng, kinds)


def figure_text(rng: Generator) -> str:
    """Return a number as tables hold them: whole, with decimals, in per cent, with currency or spread."""
    value = between(rng, 0, 10 ** count(rng, 0, 6))
    forms = (
        f"{value:,.0f}",
        f"{value:.1f}",
        f"{value:.2f}",
        f"{value % 100:.1f}%",
        f"${value:,.0f}",
        f"{value % 10:.2f} ± 0.{count(rng, 1, 99):02d}",
    )
    return pick(rng, (*forms, "N/A", "-"))


def sentence(rng: Generator) -> str:
    """Return words that look like a sentence."""
    text = " ".join(pick(rng, (*WORDS, "the", "of", "and", "in", "to", "is", "a")) for _ in range(count(rng, 5, 22)))
    return text.capitalize() + pick(rng, (". ", ". ", ", ", "? ", "; "))


def paragraph(rng: Generator, low: int = 2, high: int = 7) -> str:
    """Return some sentences."""
    return "".join(sentence(rng) for _ in range(count(rng, low, high)))


def colour(rng: Generator, low: int = 0, high: int = 255) -> tuple[int, int, int]:
    """Return red, green and blue, each from `low` to `high`."""
    return count(rng, low, high), count(rng, low, high), count(rng, low, high)
