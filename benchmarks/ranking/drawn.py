"""Drawn corpora: yearly reports that differ in company, year and figures only, and notes whose names say nothing."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

COMPANIES = (
    "Kestrel Mills|KSTL|grinds wheat and rye",
    "Northwind Harbour|NWH|moves containers",
    "Alder & Pine|ALDR|saws timber",
    "Quarryman|QRY|breaks granite",
    "Silver Loom|LOOM|weaves cotton",
    "Blue Ferry|BFRY|carries passengers over rivers",
    "Oak Bridge Steel|OBS|rolls steel",
    "7Springs|SPR|bottles water",
    "Lantern|LNT|makes lamps",
    "Marlin Foods|MARL|cans fish",
    "Granary|GRN|stores grain",
    "Vale Railways|VALE|runs trains",
)
YEARS = (2019, 2020, 2021, 2022)
FIGURES = (
    ("Capital expenditure", "capital expenditure", "Purchases of property, plant and equipment"),
    ("Revenue", "total revenue", "Sales to customers"),
    ("Net income", "net income", "Income after tax"),
    ("Inventories", "value of inventories", "Raw materials, work in progress and finished goods"),
    ("Long-term debt", "long-term debt", "Loans and bonds due after one year"),
    ("Research and development", "research and development expense", "Expenses for new products"),
    ("Employees", "number of employees", "People employed at the end of the year"),
    ("Dividends", "dividends paid", "Payments to shareholders"),
    ("Effective tax rate", "effective tax rate", "Income tax as a share of income before tax"),
)
PADDING = (
    "The following discussion should be read together with the financial statements and the notes to them. Forward-looking "
    "statements involve risks and uncertainties, and actual results may differ materially from those that are expected. "
    "The company applies the same accounting policies in all of its segments. Amounts in tables are rounded, so that sums may "
    "differ by one. Comparative figures of the previous year have been adjusted where their presentation has changed. "
    "Management believes that its sources of liquidity are sufficient for the next twelve months. ",
    "Demand depends on the general state of the economy, on the weather, and on the prices of energy and raw materials. "
    "Competition is strong in every market in which the company is active. Changes of exchange rates affect results, and the "
    "company hedges a part of them. The board reviews the most important risks once a quarter, and the auditors attend. "
    "Legal proceedings arise in the ordinary course of business and none is expected to have a material effect. ",
)


class Asked(NamedTuple):
    """A question, the names of the files that answer it, and words that stand in the chunk that does ("": any chunk)."""

    question: str
    files: tuple[str, ...]
    words: str = ""


def draw_reports(folder: Path, names: str) -> list[Asked]:
    """Write one report for each company and year; return a question about each figure of every second report.

    `names` is "words" (KESTRELMILLS_2019.md), "tickers" (2019_KSTL.md) or "numbers" (0001.md); the texts are the same.
    """
    asked, number = [], 0
    for company, ticker, business in (line.split("|") for line in COMPANIES):
        for year in YEARS:
            number += 1
            plain = "".join(filter(str.isalnum, company)).upper()
            file = {"words": f"{plain}_{year}.md", "tickers": f"{year}_{ticker}.md", "numbers": f"{number:04d}.md"}[names]
            lines = list(_lines(company, business, year))
            folder.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text("\n\n".join(lines), encoding="utf-8")
            if number % 2:
                asked += [Asked(question, (file,), words) for question, words in _questions(company, year, number)]
    return asked


def _amount(company: str, year: int, what: str) -> str:
    return f"{random.Random(f'{company} {year} {what}').randint(1200, 98000):,}"


def _lines(company: str, business: str, year: int) -> Iterator[str]:
    dice = random.Random(f"{company} {year}")
    yield f"# Annual report\n\n{company} Inc.\n\nFor the fiscal year ended December 31, {year}"
    yield f"## Business\n\nThe company {business}. {PADDING[1]}"
    for heading, _, label in dice.sample(FIGURES, len(FIGURES)):
        here, before = (_amount(company, when, heading) for when in (year, year - 1))
        fact = f"{label} were {here} thousand, after {before} thousand in the year before."
        yield f"## {heading}\n\n{fact} {PADDING[dice.randrange(2)]}"
        yield PADDING[dice.randrange(2)]
    yield f"## Risks\n\n{PADDING[1]}{PADDING[0]}"


def _questions(company: str, year: int, number: int) -> Iterator[tuple[str, str]]:
    forms: Sequence[str] = (
        "What was {company}'s FY{year} {name}?",
        "How high was the {name} of {company} in fiscal {year}?",
        "{company} {year}: {name}",
    )
    for turn, (heading, name, _) in enumerate(FIGURES):
        if turn % 3 == number % 3:
            words = f"were {_amount(company, year, heading)} thousand"
            yield forms[turn // 3].format(company=company, year=year, name=name), words
