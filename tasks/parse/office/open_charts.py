"""Charts in Open Document files as text: their titles, and each series with its categories and values."""

from tasks.parse.layout.prose import clean
from tasks.parse.office.charts import MAX_POINTS
from tasks.parse.office.open_document import TABLE, local_name, text_lines
from tasks.parse.office.xml import XmlElement

_TITLE = "{urn:oasis:names:tc:opendocument:xmlns:chart:1.0}title"


def is_chart(document: XmlElement) -> bool:
    """Return whether an embedded document is a chart."""
    return any(local_name(kind) == "chart" for body in document.iter("{*}body") for kind in body)


def open_chart_text(document: XmlElement) -> str:
    """Return a chart's titles, and each series with its categories and values, one per line, as those of Office."""
    lines = [" ".join(text_lines(title)) for title in document.iter(_TITLE)]
    rows = [[" ".join(text_lines(cell)) for cell in row] for row in document.iter(f"{TABLE}table-row")]
    for column, name in list(enumerate(rows[0]))[1:] if rows else ():
        pairs = ", ".join(" ".join(filter(None, (row[0], row[column]))) for row in rows[1 : MAX_POINTS + 1] if len(row) > column)
        lines.append(": ".join(filter(None, (name, pairs))))
    return clean("\n".join(filter(None, lines)))
