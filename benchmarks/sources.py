"""Sources that the benchmarks draw themselves."""

import random
from pathlib import Path

WORDS = (
    "river mill wheel stone flood valley winter harvest bridge turbine ledger report quarter margin revenue engine valve "
    "pressure module license index vector margin archive station signal carbon copper market supply demand policy"
).split()


def paragraph(dice: random.Random, sentences: int) -> str:
    """Return some sentences of random words."""
    return " ".join(" ".join(dice.choices(WORDS, k=dice.randint(6, 16))).capitalize() + "." for _ in range(sentences))


def draw_texts(folder: Path, n: int) -> None:
    """Write `n` small text files of a few sentences each, 100 in a folder."""
    dice = random.Random(0)
    for number in range(n):
        path = folder / f"{number // 100:04d}" / f"{number:05d}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"Note {number}. {paragraph(dice, 3)}\n")


def draw_manuals(folder: Path, n_files: int, n_pages: int) -> None:
    """Write PDFs of plain prose pages."""
    import pymupdf

    folder.mkdir(parents=True, exist_ok=True)
    for number in range(n_files):
        dice = random.Random(number)
        document = pymupdf.open()
        for page_number in range(n_pages):
            page = document.new_page()
            text = "\n\n".join(paragraph(dice, 6) for _ in range(5))
            page.insert_textbox(pymupdf.Rect(60, 60, 540, 780), f"Chapter {page_number + 1}\n\n{text}", fontsize=10)
        document.save(folder / f"manual-{number:03d}.pdf", deflate=True)
