"""Text pages of MuPDF in memory: its blocks, lines and characters, as its header fitz/structured-text.h declares them.

PyMuPDF shows them too, but no unions, and a hundred times as slowly. `is_as_declared` compares both on a small page.
"""

import ctypes
from collections.abc import Iterator
from ctypes import c_float, c_int, c_uint8, c_uint16, c_uint32, c_void_p
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from tasks.parse.layout.geometry import Box

if TYPE_CHECKING:
    from pymupdf import mupdf

TEXT, IMAGE, STRUCTURE, VECTOR = range(4)
"""Kinds of blocks."""


class Rectangle(ctypes.Structure):
    """fz_rect, in points."""

    _fields_ = [("x0", c_float), ("y0", c_float), ("x1", c_float), ("y1", c_float)]

    def box(self) -> Box:
        """Return the rectangle as a box."""
        return self.x0, self.y0, self.x1, self.y1


class Character(ctypes.Structure):
    """fz_stext_char; its quad has the corners upper left, upper right, lower left, lower right."""

    _fields_ = [
        ("c", c_int),
        ("bidi", c_uint16),
        ("flags", c_uint16),
        ("argb", c_uint32),
        ("origin", c_float * 2),
        ("quad", c_float * 8),
        ("size", c_float),
        ("font", c_void_p),
        ("next", c_void_p),
    ]


class Line(ctypes.Structure):
    """fz_stext_line."""

    _fields_ = [
        ("wmode", c_uint8),
        ("flags", c_uint8),
        ("dir", c_float * 2),
        ("bbox", Rectangle),
        ("first_char", c_void_p),
        ("last_char", c_void_p),
        ("prev", c_void_p),
        ("next", c_void_p),
    ]

    def characters(self) -> Iterator[Character]:
        """Yield the characters."""
        at = self.first_char
        while at:
            character = Character.from_address(at)
            yield character
            at = character.next


class Block(ctypes.Structure):
    """fz_stext_block; `first` is the first line of a block of TEXT, and other content of other kinds."""

    _fields_ = [
        ("type", c_int),
        ("id", c_int),
        ("bbox", Rectangle),
        ("first", c_void_p),
        ("others", c_void_p * 3),
        ("prev", c_void_p),
        ("next", c_void_p),
    ]

    def lines(self) -> Iterator[Line]:
        """Yield the lines of a block of TEXT."""
        at = self.first
        while at:
            line = Line.from_address(at)
            yield line
            at = line.next


Key = tuple[int, int]
"""A line: the number of its block among blocks of TEXT, and its number in the block."""


class Content(NamedTuple):
    """The lines of a page, its blocks of the kind VECTOR, and the kinds of its other blocks."""

    lines: dict[Key, Line]
    vectors: list[Block]
    others: set[int]


def content_of(page: "mupdf.fz_stext_page") -> Content:
    """Return what is on a page (fz_stext_page) outside structures. It stays valid as long as the page is not changed."""
    found, first = Content({}, [], set()), page.first_block
    at, n_texts = int(first.this) if first else 0, 0
    while at:
        block = Block.from_address(at)
        if block.type == TEXT:
            found.lines.update({(n_texts, number): line for number, line in enumerate(block.lines())})
            n_texts += 1
        elif block.type == VECTOR:
            found.vectors.append(block)
        else:
            found.others.add(block.type)
        at = block.next
    return found


@cache
def is_as_declared() -> bool:
    """Return whether this MuPDF keeps pages as declared here."""
    import pymupdf

    with pymupdf.open() as document:
        page = document.new_page(width=200, height=200)
        page.insert_text((20, 40), "ab")
        page.insert_text((20, 90), "c", fontsize=7)
        page.draw_line((20, 120), (80, 120))
        read = page.get_textpage(flags=pymupdf.TEXT_COLLECT_VECTORS).this.m_internal
        return _blocks_in_memory(read) == _blocks_as_shown(read)


def _blocks_in_memory(page: "mupdf.fz_stext_page") -> list[Any]:
    at, found = int(page.first_block.this), []
    while at:
        block = Block.from_address(at)
        lines = list(block.lines()) if block.type == TEXT else []
        text = [[(one.c, one.size, tuple(one.quad)) for one in line.characters()] for line in lines]
        found.append((block.type, block.bbox.box(), [line.bbox.box() for line in lines], text))
        at = block.next
    return found


def _blocks_as_shown(page: "mupdf.fz_stext_page") -> list[Any]:
    from pymupdf import mupdf

    def box(rect: Any) -> Box:
        return rect.x0, rect.y0, rect.x1, rect.y1

    def quad(of: Any) -> tuple[float, ...]:
        return tuple(value for corner in (of.ul, of.ur, of.ll, of.lr) for value in (corner.x, corner.y))

    block, found = page.first_block, []
    while block:
        lines = list(mupdf.FzStextBlock(block)) if block.type == TEXT else []
        letters = [[character.m_internal for character in line] for line in lines]
        text = [[(one.c, one.size, quad(one.quad)) for one in line] for line in letters]
        found.append((block.type, box(block.bbox), [box(line.m_internal.bbox) for line in lines], text))
        block = block.next
    return found
