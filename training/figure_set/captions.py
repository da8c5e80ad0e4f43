"""Captions of drawn figures: what each kind is called, in several ways of saying so."""

PHRASES: dict[str, tuple[str, ...]] = {
    "bar chart": (
        "bar chart",
        "bar graph",
        "column chart",
        "bar diagram",
        "histogram",
        "stacked bar chart",
        "grouped bar chart",
        "horizontal bar chart",
        "chart with bars",
        "chart with columns",
    ),
    "line graph": (
        "line graph",
        "line chart",
        "line plot",
        "curve",
        "time series plot",
        "graph with lines",
        "plot of curves",
        "trend line over time",
    ),
    "pie chart": (
        "pie chart",
        "pie graph",
        "donut chart",
        "circle chart divided into slices",
        "pie diagram of shares",
        "three-dimensional pie chart",
    ),
    "scatter plot": (
        "scatter plot",
        "scatter chart",
        "scattergram",
        "plot of points",
        "cloud of data points",
        "scatter diagram with markers",
        "dot plot of x against y",
    ),
    "table": ("table", "table of numbers", "table with rows and columns", "grid of cells", "spreadsheet table", "data table"),
    "flow chart or diagram": (
        "flow chart or diagram",
        "flow chart",
        "diagram",
        "block diagram",
        "boxes joined by arrows",
        "tree diagram",
        "network diagram",
        "schematic",
    ),
    "map": ("map", "geographical map", "map of a country", "street map", "map of regions"),
    "photograph": (
        "photograph",
        "photo",
        "picture of a scene",
        "photographic image",
        "snapshot of an object",
        "collage of photos",
        "photograph of nature",
        "painting or engraving",
    ),
    "equation": ("equation", "mathematical formula", "formula", "typeset mathematics", "expression with symbols"),
    "screenshot": ("screenshot", "screen capture of a program", "software window", "web page screenshot", "screen of a phone"),
    "logo": ("logo", "icon", "emblem", "symbol", "company logo", "clip art drawing", "badge"),
    "handwriting or signature": (
        "handwriting or signature",
        "handwriting",
        "signature",
        "handwritten note",
        "hand-written words",
    ),
    "text": ("text", "page of text", "paragraph of text", "printed words", "excerpt of a document", "lines of prose"),
}
"""Names of each kind, the label that figures get first."""
TEMPLATES = (
    "{}",
    "a {}",
    "an image of a {}",
    "a figure showing a {}",
    "this figure is a {}",
    "a scan of a {}",
    "the {} from a report",
    "picture: {}",
)


def captions(kind: str) -> list[str]:
    """Return every caption of a kind."""
    return [template.format(phrase) for phrase in PHRASES[kind] for template in TEMPLATES]
