"""How files become elements: the options of the step parse."""

from typing import Literal

from pydantic import Field

from schemas.options.frozen import Options

TableReader = Literal["pagemill", "camelot-lattice", "camelot-stream", "camelot-network", "camelot-hybrid"]


class ParseOptions(Options):
    """How files become elements."""

    ocr: bool = Field(True, description="read pages without usable text with Tesseract")
    ocr_languages: str = Field(
        "auto",
        pattern=r"^[A-Za-z_]+(\+[A-Za-z_]+)*$",
        description="Tesseract's language codes, joined by +; auto: of those installed, the one of each page, English first",
    )
    ocr_dpi: int = Field(300, ge=72, le=600, description="resolution of a page rendered for OCR")
    max_page_pixels: int = Field(25_000_000, ge=1_000_000, description="largest number of pixels of a rendered page")
    figure_dpi: int = Field(150, ge=36, le=600, description="resolution of a figure's picture")
    table_reader: TableReader = Field(
        "pagemill",
        description="who reads the tables of PDFs. pagemill: Pagemill's own models and rules; camelot-lattice: Camelot, by ruling"
        " lines; camelot-stream, camelot-network: Camelot, by how words align; camelot-hybrid: lattice and network. Camelot reads"
        " text only, so Pagemill always reads the tables of scanned pages",
    )
