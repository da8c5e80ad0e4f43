"""A parsed HTML page, made ready to be read: without what nobody sees, its furniture, tables and marks found."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from tasks.parse.web.concealment.concealed import take_concealed
from tasks.parse.web.fonts import name_symbols
from tasks.parse.web.furniture import furniture_of
from tasks.parse.web.gutters import take_gutters
from tasks.parse.web.marks import marks_of
from tasks.parse.web.sheets import FindSheet, apply_sheets
from tasks.parse.web.styles import Styled, styled_of

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_TABLES = "[role='table'], [role='grid'], [role='treegrid']"


class HtmlPage(NamedTuple):
    """What is known of a page: what it conceals, and by `mem_id` its furniture, tables by their role, marks, notes and styles."""

    concealed: list[str]
    furniture: Mapping[int, str]
    tables: frozenset[int]
    marks: Mapping[int, str]
    notes: Mapping[int, str]
    styled: Styled


def prepare(page: "LexborHTMLParser", find_sheet: FindSheet) -> HtmlPage:
    """Take what nobody reads out of a parsed page, and return what is known of the rest."""
    apply_sheets(page, find_sheet)
    name_symbols(page)
    concealed = take_concealed(page)
    take_gutters(page)
    tables = frozenset(node.mem_id for node in page.css(_TABLES) if node.tag != "table")
    return HtmlPage(concealed, furniture_of(page), tables, *marks_of(page), styled_of(page))
