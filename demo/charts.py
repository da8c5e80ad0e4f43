"""Charts like those of a sales report: bars, a line and a pie as vectors, another line as a picture."""

from io import BytesIO
from pathlib import Path
from typing import Any, Final

from demo.pages import HARVEST, HEIGHT, MARGIN, WIDTH, save

MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
ORDERS: Final = (61, 64, 72, 85, 96, 104, 88, 79, 93, 112, 118, 99)
SEA_DEGREES: Final = (4.1, 3.6, 3.9, 5.2, 7.8, 10.9, 13.4, 14.2, 12.6, 10.1, 7.7, 5.4)
BUYERS: Final = {"Food makers": 54, "Cosmetics makers": 22, "Feed makers": 17, "Laboratories": 7}


def draw_charts(path: Path) -> None:
    """Draw a two-page PDF with four charts and their captions."""
    import pymupdf

    document = pymupdf.open()
    page = document.new_page(width=WIDTH, height=HEIGHT)
    page.insert_text((MARGIN, 80), "Sales in pictures 2024", fontname="hebo", fontsize=20)
    _place(page, _bars(), 100, "Figure 1. Harvest of 2024 by bay, in tonnes of wet kelp. Skarn Bay leads.")
    _place(page, _line("Orders by month", "orders", ORDERS), 440, "Figure 2. Orders by month; November was the busiest.")
    page = document.new_page(width=WIDTH, height=HEIGHT)
    _place(page, _pie(), 60, "Figure 3. Buyers of dried kelp, in percent of its weight.")
    warm = _line("Temperature of the sound", "degrees Celsius", SEA_DEGREES)
    _place(page, warm, 400, "Figure 4. Temperature of the sound at two metres, by month.", as_picture=True)
    save(document, path, "Sales in pictures 2024")


def _place(page: Any, figure: Any, top: float, caption: str, as_picture: bool = False) -> None:
    import pymupdf

    box = pymupdf.Rect(MARGIN, top, WIDTH - MARGIN, top + 300)
    sink = BytesIO()
    if as_picture:
        figure.savefig(sink, format="png", dpi=110, metadata={"Software": None})
        page.insert_image(box, stream=sink.getvalue())
    else:
        figure.savefig(sink, format="pdf", metadata={"CreationDate": None, "Producer": None, "Creator": None})
        page.show_pdf_page(box, pymupdf.open("pdf", sink.getvalue()), 0)
    page.insert_text((MARGIN, top + 316), caption, fontname="tiit", fontsize=10.5)


def _canvas(title: str) -> tuple[Any, Any]:
    """Return an empty chart that depends on no outside state, such as pyplot or the user's settings."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.0), layout="tight")
    axes = figure.add_subplot()
    axes.set_title(title)
    return figure, axes


def _bars() -> Any:
    figure, axes = _canvas("Harvest by bay")
    bays = [(row[0], int(row[4].replace(",", ""))) for row in HARVEST[1:4]]
    axes.bar_label(axes.bar([name for name, _ in bays], [tonnes for _, tonnes in bays], color="#2b6f6c"))
    axes.set_ylabel("tonnes")
    return figure


def _line(title: str, unit: str, values: tuple[float, ...]) -> Any:
    figure, axes = _canvas(title)
    axes.plot(MONTHS, values, marker="o", color="#b5532d")
    axes.set_ylabel(unit)
    axes.grid(alpha=0.3)
    return figure


def _pie() -> Any:
    figure, axes = _canvas("Buyers of dried kelp")
    axes.pie(list(BUYERS.values()), labels=list(BUYERS), autopct="%d %%")
    return figure
