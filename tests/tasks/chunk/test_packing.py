from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.errors import DocumentError
from tasks.chunk.graphemes import is_grapheme_break
from tasks.chunk.packing import draft_pieces, pack_sentences
from tasks.chunk.pieces import Count, Piece, Ruler, cut_atom
from tasks.chunk.size_check import split_pieces_to_size
from tasks.chunk.text_blocks import Atom, TextBlock
from tests.tasks.described import count, count_whole


def prose(*sentences: str, levels: Sequence[int] = ()) -> tuple[str, list[TextBlock]]:
    atoms, at = [], 0
    for i, sentence in enumerate(sentences):
        atoms.append(Atom(at, at + len(sentence), levels[i] if levels else 0))
        at += len(sentence)
    return "".join(sentences), [TextBlock("text", atoms, [])]


def pack(text: str, blocks: list[TextBlock], size: int, count: Count) -> list[Piece]:
    """Return the pieces of whole sentences, proven."""
    ruler = Ruler(text, size, count)
    return list(split_pieces_to_size(draft_pieces(blocks, ruler, pack_sentences), ruler))


def packed(text: str, blocks: list[TextBlock], size: int) -> list[str]:
    return [text[slice(*piece.trim_span(text))] for piece in pack(text, blocks, size, count)]


@given(
    text=st.text(alphabet=st.sampled_from("ab \n\re\u0301\U0001f468\u200d\U0001f1e9"), min_size=2, max_size=60),
    n=st.integers(0, 12),
)
def test_a_cut_atom_is_tiled_by_two_or_more_parts(text: str, n: int) -> None:
    parts = cut_atom(text, Atom(0, len(text), 3), n)
    assert "".join(text[part.start : part.end] for part in parts) == text
    assert len(parts) >= 2
    assert all(part.start < part.end and part.level == 3 for part in parts)


def test_a_cut_is_after_a_line_else_a_word_else_a_grapheme() -> None:
    text = "one two three\nfour five six seven"
    assert [text[a.start : a.end] for a in cut_atom(text, Atom(0, len(text)), 2)] == ["one two three\n", "four five six seven"]
    accents = "e\u0301" * 41
    assert all(is_grapheme_break(accents, part.start) for part in cut_atom(accents, Atom(0, len(accents)), 7))


@settings(max_examples=200, deadline=None)
@given(sentences=st.lists(st.text(alphabet="ab. ", min_size=1, max_size=90), max_size=30), size=st.integers(16, 60))
def test_pieces_keep_the_limit_when_counts_do_not_add_up(sentences: list[str], size: int) -> None:
    text, blocks = prose(*sentences)
    pieces = pack(text, blocks if text else [], size, count_whole)
    ruler = Ruler(text, size, count_whole)
    assert all(piece.n_tokens == count_whole([ruler.build_embedding_text(piece)])[0] <= size for piece in pieces)
    assert "".join("".join(text[slice(*piece.trim_span(text))].split()) for piece in pieces) == "".join(text.split())


def test_whole_sentences_are_packed_up_to_the_size() -> None:
    text, blocks = prose(*["aaaa bbbb cccc. "] * 8)
    assert packed(text, blocks, 18) == ["aaaa bbbb cccc. " * 3 + "aaaa bbbb cccc."] * 2


def test_a_heading_goes_with_what_follows_it() -> None:
    text, blocks = prose(*["aaaa bbbb cccc. "] * 3, "Deep head ", *["aaaa bbbb cccc. "] * 2, levels=[0, 0, 0, 4, 0, 0])
    assert packed(text, blocks, 18)[1].startswith("Deep head")


def test_a_section_starts_a_piece_unless_the_one_before_is_nearly_empty() -> None:
    text, blocks = prose("Tiny. ", "Two ", *["aaaa bbbb cccc. "] * 2, "Three ", "dddd. ", levels=[0, 2, 0, 0, 1, 0])
    assert packed(text, blocks, 32) == ["Tiny. Two aaaa bbbb cccc. aaaa bbbb cccc.", "Three dddd."]


def test_a_tiny_last_piece_takes_sentences_from_the_one_before() -> None:
    text, blocks = prose(*["aaaa bbbb cccc. "] * 15, "x. ")
    assert [len(piece.split()) for piece in packed(text, blocks, 62)] == [24, 22]


def test_a_heading_without_room_for_what_follows_stays_with_what_precedes() -> None:
    text, blocks = prose("aaaa. ", "Deep head ", "bbbb " * 15 + ". ", levels=[0, 4, 0])
    assert packed(text, blocks, 18) == ["aaaa. Deep head", ("bbbb " * 15 + ".")]


def test_a_lead_without_room_goes_with_the_text_before() -> None:
    text = "Old. Head " + "aaaa " * 12
    lead, table = Atom(5, 10, 2), [Atom(10, 35), Atom(35, len(text))]
    pieces = pack(text, [TextBlock("text", [Atom(0, 5)], []), TextBlock("table", table, [lead])], 14, count)
    assert [(piece.kind, text[slice(*piece.trim_span(text))]) for piece in pieces] == [
        ("text", "Old. Head"),
        ("table", text[10:].strip()),
    ]


def test_a_long_run_without_spaces_is_cut_even_if_the_tokenizer_takes_it_for_one_token() -> None:
    text = "x" * 5000
    pieces = pack(text, [TextBlock("text", [Atom(0, 5000)], [])], 16, lambda texts: [3] * len(texts))
    assert max(piece.trim_span(text)[1] - piece.trim_span(text)[0] for piece in pieces) <= 16 * 32


def test_a_character_that_is_too_long_is_an_error() -> None:
    with pytest.raises(DocumentError, match="one character has more than 16 tokens"):
        pack("ab", [TextBlock("text", [Atom(0, 2)], [])], 16, lambda texts: [17 if text else 2 for text in texts])


def test_counted_characters_grow_in_proportion_to_the_text() -> None:
    sentence = "The mill turns folders of documents into a corpus, and does so every night. "
    work = []
    for n in (50, 500):
        counted: list[str] = []

        def recorded(texts: Sequence[str], counted: list[str] = counted) -> list[int]:
            counted.extend(texts)
            return count(texts)

        text, blocks = prose(*[sentence] * n)
        pack(text, blocks, 64, recorded)
        work.append(sum(map(len, counted)))
    assert work[1] <= 10.5 * work[0]
    assert work[1] <= 2.1 * len(text)
