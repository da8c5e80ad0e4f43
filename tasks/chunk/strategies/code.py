"""Code: listings cut before functions and classes, by tree-sitter if a grammar is installed, else by the first words of lines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from itertools import accumulate
from typing import TYPE_CHECKING

from schemas.options.chunking import ChunkOptions
from tasks.chunk.pieces import Piece
from tasks.chunk.strategies.contract import ChunkerInput
from tasks.chunk.strategies.sections import cut_by_sections
from tasks.chunk.text_blocks import LINE, Atom, TextBlock

if TYPE_CHECKING:
    from tree_sitter import Parser

GRAMMARS = {
    "python": "tree_sitter_python",
    "py": "tree_sitter_python",
    "javascript": "tree_sitter_javascript",
    "js": "tree_sitter_javascript",
}
"""Modules with the grammar of a language, by the names used in code fences."""

LEAST_LINES = 3
_FENCE = re.compile(r"\s*(?:```|~~~)\s*([\w+#-]*)")
_DEFINITION = re.compile(
    r"(?:@\w|(?:export|public|private|protected|static|abstract|final|async|pub(?:\(\w+\))?|default|inline|virtual|override)\s)*"
    r"\s*(?:def|class|function|fn|func|fun|interface|struct|enum|trait|impl|module|namespace|type|sub|proc|procedure|object)\b"
    r"|@\w"
)


def cut_code_by_definitions(document: ChunkerInput) -> Iterator[Piece]:
    """Cut by sections, with the lines of listings joined into definitions. A text that is code is one listing."""
    blocks = (
        [TextBlock("code", _split_into_lines(document.text), [])]
        if not document.elements and is_code_text(document.text)
        else document.blocks
    )
    defined = (join_lines_into_definitions(document.text, block) if block.kind == "code" else block for block in blocks)
    options = ChunkOptions(strategy="structural", size_tokens=document.options.size_tokens)
    return cut_by_sections(replace(document, blocks=defined, options=options))


def join_lines_into_definitions(text: str, block: TextBlock) -> TextBlock:
    """Join the lines of a listing from one top-level definition to the next."""
    starts = set(_parse_definition_starts(text, block) or _guess_definition_starts(text, block.atoms))
    atoms: list[Atom] = []
    for atom in block.atoms:
        if atoms and atom.start not in starts:
            atoms[-1] = atoms[-1]._replace(end=atom.end)
        else:
            atoms.append(atom)
    return block._replace(atoms=atoms)


def is_code_text(text: str) -> bool:
    """Return whether a text without elements is code: three of its lines or more, and one in fifty, begin a definition."""
    lines = [line for line in text[:100_000].split("\n")[:1000] if line.strip()]
    found = sum(_DEFINITION.match(line.lstrip()) is not None and line.rstrip().endswith((":", "{", ")", ";")) for line in lines)
    return found >= LEAST_LINES and found * 50 >= len(lines)


def _split_into_lines(text: str) -> list[Atom]:
    return [Atom(match.start(), match.end()) for match in LINE.finditer(text) if match.group()]


def _guess_definition_starts(text: str, atoms: Sequence[Atom]) -> list[int]:
    """Return the starts of the least indented lines that begin a definition, or the first decorator before it."""
    found = [(atom, text[atom.start : atom.end]) for atom in atoms]
    heads = [(len(line) - len(line.lstrip()), atom.start, line) for atom, line in found if _DEFINITION.match(line.lstrip())]
    least = min((indent for indent, _, _ in heads), default=0)
    outer = [(start, line) for indent, start, line in heads if indent == least]
    decorated = {atom.end for atom, line in found if line.lstrip().startswith("@")}
    return [start for start, _ in outer if start not in decorated]


def _parse_definition_starts(text: str, block: TextBlock) -> list[int]:
    """Return the starts of the lines on which top-level definitions begin; none without a grammar."""
    start, end = block.span
    fence = _FENCE.match(text, start, end)
    parser = _load_code_parser(fence.group(1).lower()) if fence else None
    if parser is None or fence is None:
        return []
    body = text.find("\n", fence.end(), end) + 1
    if not body:
        return []
    nodes = parser.parse(text[body:end].encode()).root_node.children
    lines = [*accumulate(map(len, text[body:end].split("\n")), lambda at, n: at + n + 1, initial=body)]
    return [lines[node.start_point[0]] for node in nodes if "definition" in node.type or "declaration" in node.type]


@cache
def _load_code_parser(language: str) -> "Parser | None":
    try:
        from tree_sitter import Language, Parser

        return Parser(Language(import_module(GRAMMARS[language]).language()))
    except (ImportError, KeyError):
        return None
