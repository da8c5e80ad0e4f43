"""What changes the output of parse besides its options: its version, and the engines that read the formats.

A refresh without changes asks for these and reads no document, so that no engine is loaded here.
"""

from importlib.metadata import version
from typing import Any

from schemas.options.sections import ParseOptions
from tasks.parse.layout.features import DIGITAL_FEATURES, SCAN_FEATURES
from tasks.parse.scans.io.tesseract import check_tesseract, tesseract_facts

CAMELOT = ("camelot-py", "opencv-python-headless", "playa-pdf", "pypdfium2")


def engine_facts(options: ParseOptions) -> dict[str, object]:
    """Return the versions of the engines, as JSON values.

    Raises:
        InputError: Tesseract or a language is missing; says what to install.
    """
    check_tesseract(options.ocr_languages)
    return {
        "pymupdf": version("pymupdf"),
        "layout": f"{version('pymupdf_layout')} {DIGITAL_FEATURES} {SCAN_FEATURES}",
        **table_reader_facts(options),
        "selectolax": version("selectolax"),
        **_xml_facts(),
        "markdown-it-py": version("markdown-it-py"),
        "tesseract": tesseract_facts(options.ocr_languages),
    }


def table_reader_facts(options: ParseOptions) -> dict[str, Any]:
    """Return the versions of Camelot and what it reads with; none for Pagemill's own reader."""
    return {} if options.table_reader == "pagemill" else {"tables": {name: version(name) for name in CAMELOT}}


def _xml_facts() -> dict[str, str]:
    from lxml import etree

    return {"lxml": ".".join(map(str, etree.LXML_VERSION)), "libxml2": ".".join(map(str, etree.LIBXML_VERSION))}
