"""Figures as tables print them, in the formats of the train half and in others of the test half."""

from random import Random
from typing import NamedTuple


class Format(NamedTuple):
    """How a house prints numbers; `nothing` is what stands where there is none."""

    thousands: str
    decimal: str
    negative: str
    currency: str
    percent: str
    nothing: tuple[str, ...]


FORMATS = {
    "train": (
        Format(",", ".", "({})", "${}", "{}%", ("\u2013", "")),
        Format(",", ".", "-{}", "£{}", "{}%", ("n/a", "")),
        Format("", ".", "-{}", "USD {}", "{} %", ("", "-")),
    ),
    "test": (
        Format(".", ",", "\u2212{}", "€ {}", "{} %", ("\u2014", "")),
        Format("\u00a0", ",", "[{}]", "{} kr", "{} %", ("..", "")),
        Format("'", ".", "\u2212{}", "CHF {}", "{}%", ("nil", "")),
    ),
}
KINDS = ("count", "amount", "decimal", "percent", "currency", "change", "year")


def figure(rng: Random, form: Format, kind: str) -> str:
    """Return a figure of one of KINDS, as text."""
    if kind == "year":
        return str(rng.randint(1988, 2031))
    if kind == "percent":
        return _sign(form, form.percent.format(f"{rng.uniform(0, 100):.1f}".replace(".", form.decimal)), rng.random() < 0.15)
    if kind == "decimal":
        return f"{rng.uniform(0, 60):.2f}".replace(".", form.decimal)
    if kind == "change":
        return _sign(form, _group_digits(form, rng.randint(1, 4000)), rng.random() < 0.5)
    whole = _group_digits(form, int(10 ** rng.uniform(1, 5.5)))
    if kind == "currency":
        return form.currency.format(f"{whole}{form.decimal}{rng.randint(0, 99):02d}")
    return whole if kind == "count" else _sign(form, whole, rng.random() < 0.3)


def _group_digits(form: Format, number: int) -> str:
    return f"{number:,}".replace(",", form.thousands)


def _sign(form: Format, text: str, negative: bool) -> str:
    return form.negative.format(text) if negative else text
