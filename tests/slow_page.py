"""A page that is parsed quickly and drawn slowly."""

from pathlib import Path

GROUPS = 900
TEXT = b"BT /F 12 Tf 20 200 Td (A page that is slow to draw speaks of granite quarries in the north of the island.) Tj ET "
RESOURCES = b"<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>/ExtGState<</G<</BM/Luminosity/ca .5>>>>>>"


def draw_slow_pdf(path: Path) -> None:
    """Write a PDF of one page with a line of text and transparent groups as large as the page, which take minutes to draw."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 1200 1200]/Contents 4 0 R/Resources" + RESOURCES + b">>",
        _stream(TEXT + b"/G gs " + b"/X Do " * GROUPS),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        _stream(b"0.5 g 0 0 1200 1200 re f", b"/Type/XObject/Subtype/Form/BBox[0 0 1200 1200]/Group<</S/Transparency/I true>>"),
    ]
    written, places = bytearray(b"%PDF-1.7\n"), list[int]()
    for number, content in enumerate(objects, start=1):
        places.append(len(written))
        written += b"%d 0 obj\n" % number + content + b"\nendobj\n"
    listed = b"".join(b"%010d 00000 n \n" % place for place in places)
    n, start = len(objects) + 1, len(written)
    written += b"xref\n0 %d\n0000000000 65535 f \n%strailer <</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (
        n,
        listed,
        n,
        start,
    )
    path.write_bytes(bytes(written))


def _stream(content: bytes, more: bytes = b"") -> bytes:
    return b"<</Length %d%s>>stream\n%s\nendstream" % (len(content), more, content)
