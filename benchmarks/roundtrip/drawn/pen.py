"""A pen: seeded draws of words, sentences, titles and figures of one trade."""

import re
from collections.abc import Sequence
from random import Random
from typing import TypeVar

from benchmarks.roundtrip.drawn.figures import FORMATS, figure
from benchmarks.roundtrip.drawn.words import TRADES

T = TypeVar("T")
FRAMES = {
    "train": (
        "The {a} {n} {v} the {n2} of {p}, while the {n3} remained {a2}.",
        "In {y}, the {n} {v} a {a} {n2}.",
        "Each {n} at {p} {v} its {a} {n2} before the {n3} was closed.",
        "A {a} {n} {v} the {n2}; the {a2} {n3} did not.",
        "According to {p}, no {a} {n} {v} the {n2} in {y}.",
        "This {v} {c} of the {a} {n3}s and left the {n} {a2}.",
    ),
    "test": (
        "Whenever the {n} {v} the {a} {n2}, {p} keeps the {n3} {a2}.",
        "Of {c} {n3}s, the {a} {n} {v} the most.",
        "Since {y} the {n} from {p} {v} every {a} {n2}.",
        "Neither the {a} {n} nor its {n2} {v} the {a2} {n3}.",
        "One {n} {v} the {n2}, and {p} asked for a {a} {n3} by {y}.",
        "It is the {a2} {n} that {v} the {n2} (see {p}).",
    ),
}


class Pen:
    """Draws of one source: the same `split` and `seed` always give the same text."""

    def __init__(self, split: str, seed: str) -> None:
        self.rng = Random(f"{split}/{seed}")
        self.split = split
        self.trade = self.rng.choice(TRADES[split])
        self.form = self.rng.choice(FORMATS[split])

    def one(self, things: Sequence[T]) -> T:
        """Return one of `things`."""
        return self.rng.choice(things)

    def chance(self, share: float) -> bool:
        """Return true in this share of draws."""
        return self.rng.random() < share

    def some(self, things: Sequence[T], least: int, most: int) -> list[T]:
        """Return from `least` to `most` different ones of `things`."""
        return self.rng.sample(things, min(len(things), self.rng.randint(least, most)))

    def sentence(self) -> str:
        """Return a sentence of some 8 to 18 words."""
        words = {"y": self.figure("year"), "c": str(self.rng.randint(3, 90)), "p": self.one(self.trade.places)}
        words |= zip(("n", "n2", "n3"), self.rng.sample(self.trade.nouns, 3), strict=True)
        words |= zip(("a", "a2"), self.rng.sample(self.trade.adjectives, 2), strict=True)
        text = self.one(FRAMES[self.split]).format(v=self.one(self.trade.verbs), **words)
        return re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", text)

    def sentences(self, least: int, most: int) -> str:
        """Return from `least` to `most` sentences."""
        return " ".join(self.sentence() for _ in range(self.rng.randint(least, most)))

    def p(self, least: int = 2, most: int = 6) -> str:
        """Return a paragraph."""
        return f"<p>{self.sentences(least, most)}</p>"

    def prose(self, least: int, most: int) -> str:
        """Return from `least` to `most` paragraphs."""
        return "".join(self.p() for _ in range(self.rng.randint(least, most)))

    def phrase(self) -> str:
        """Return a noun with an adjective, such as "deferred tax charge"."""
        return f"{self.one(self.trade.adjectives)} {self.one(self.trade.nouns)}"

    def title(self, long: bool = False) -> str:
        """Return a title of 2 to 6 words; a long one has some 12 to 18, so that it takes two lines."""
        short = self.one(("{0}", "{0} and {1}", "{0} at {2}", "{1} of the {0}", "{2}: {0}"))
        shape = "{0} and {1} of {2} with a {3}, as seen from the {4} at {5}" if long else short
        noun, places = self.one(self.trade.nouns), self.some(self.trade.places, 2, 2)
        drawn = (self.phrase(), noun, places[0], self.phrase(), self.phrase(), places[1])
        text = shape.format(*drawn)
        return text[0].upper() + text[1:]

    def figure(self, kind: str) -> str:
        """Return a figure in the format of this source."""
        return figure(self.rng, self.form, kind)
