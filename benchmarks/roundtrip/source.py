"""Sources: one per document, or part of one, whose text, tables and headings are known.

Normalised HTML is a fragment of the block elements h1 h2 h3 h4, p, ul and ol > li (nested), dl > dt and dd, table > caption?,
thead?, tbody > tr > th and td (rowspan, colspan), figure > svg or table and figcaption, pre, blockquote, aside (side bar, card),
section[class] and div[class] for arrangements (cards, columns-2, side-captions, footnotes, form, contents, callout), with inline
b i code sup sub a[href] br. A typesetter sets a tag that it does not know as its children.
"""

from typing import NamedTuple


class Source(NamedTuple):
    """A text that fills some one to four pages of A4.

    `name` is unique, of [a-z0-9-]+. `package` is the package of Debian or PyPI that it comes from, or "drawn-…" where the
    benchmark drew it. `kind` is the kind of content, such as manual or form. `language` is a tag of BCP 47. `body` is as above.
    """

    name: str
    package: str
    kind: str
    language: str
    body: str
