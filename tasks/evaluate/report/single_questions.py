"""Single questions: what was asked, what would answer it, and what was found, marked in excerpts of the texts."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from tasks.charts.shapes import escape_line, escape_lines
from tasks.evaluate.report.data import RANKED_BY, LoggedQuestion, QuestionDetails, Result
from tasks.evaluate.scoring import Span, merge_spans

LEGEND = (
    '<p class="key"><mark class="found">gold, found</mark> <mark class="missed">gold, missed</mark> '
    '<mark class="retrieved">retrieved only</mark> <b class="rank">1</b> a result begins, with its rank</p>'
)

AROUND = 100
"""Characters that are shown before and after."""

LONGEST = {"plain": 2 * AROUND, "retrieved": 360, "found": 900, "missed": 900}
"""Most characters of a piece; the middle of a longer one is left out."""

Kind = Literal["plain", "found", "missed", "retrieved"]


class Piece(NamedTuple):
    """A piece of a text: gold that was found, gold that was missed, what was only retrieved, or neither.

    `ranks` are those of the results that begin here.
    """

    text: str
    kind: Kind
    ranks: tuple[int, ...]


def render_question_details(details: QuestionDetails) -> str:
    """Return all questions that are shown, each to be opened."""
    return LEGEND + "".join(_render_question(details, one) for one in details.questions)


def _render_question(details: QuestionDetails, question: LoggedQuestion) -> str:
    run, name = details.run, question.question_id
    values = [(metric, run.values[metric][name]) for metric in RANKED_BY if name in run.values.get(metric, {})]
    badges = [f'<span class="badge">{metric} {value:.2f}</span>' for metric, value in values]
    if reason := run.lost.get(name):
        badges.append(f'<span class="badge lost">lost: {escape_line(reason)}</span>')
    if not values:
        badges.append('<span class="badge lost">not scored</span>')
    results = details.results.get(name, [])
    answer = f"<p><b>Answer:</b> {escape_line(' '.join(question.answer.split()), 1000)}</p>" if question.answer else ""
    body = f"{answer}{_render_gold(question, results)}{_render_ranking(results)}{_render_excerpts(details, question, results)}"
    head = f"{''.join(badges)} <b>{escape_line(name, 60)}</b> {escape_line(' '.join(question.question.split()), 1000)}"
    return f'<details class="question"><summary>{head}</summary>{body}</details>'


def _render_gold(question: LoggedQuestion, results: Sequence[Result]) -> str:
    """Return where the gold is, and which of its pages and documents were found."""
    pages = {(result.path, page) for result in results for page in result.pages}
    paths = {result.path for result in results}
    items = [
        f"{escape_line(path)}, characters {start:,} to {end:,}" for path, spans in question.spans.items() for start, end in spans
    ]
    items += [
        f"{escape_line(path)}, page {page} {_render_tick((path, page) in pages)}"
        for path, listed in question.pages.items()
        for page in listed
    ]
    if not items:
        items = [f"{escape_line(path)}, the whole document {_render_tick(path in paths)}" for path in question.documents]
    return f"<p><b>Gold:</b></p><ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"


def _render_tick(found: bool) -> str:
    return '<mark class="found">found</mark>' if found else '<mark class="missed">missed</mark>'


def _render_ranking(results: Sequence[Result]) -> str:
    if not results:
        return "<p><b>Retrieved:</b> nothing, or it was not logged.</p>"
    items = "".join(
        f'<li><b class="rank">{result.rank}</b> {escape_line(result.path)}{_format_pages(result.pages)}, '
        f"characters {result.span[0]:,} to {result.span[1]:,}, score {result.score:.4g}</li>"
        for result in results
    )
    return f'<p><b>Retrieved:</b></p><ul class="ranking">{items}</ul>'


def _format_pages(pages: Sequence[int]) -> str:
    """Return pages as words.

    >>> _format_pages([3]), _format_pages([3, 4, 5]), _format_pages([])
    (', page 3', ', pages 3 to 5', '')
    """
    if not pages:
        return ""
    return f", page {pages[0]}" if len(pages) == 1 else f", pages {min(pages)} to {max(pages)}"


def _render_excerpts(details: QuestionDetails, question: LoggedQuestion, results: Sequence[Result]) -> str:
    paths = list(dict.fromkeys([*question.spans, *(result.path for result in results)]))
    parts = []
    for path in paths:
        ranked = [(result.rank, result.span) for result in results if result.path == path]
        if path in details.texts:
            marked = " ".join(map(_render_marked_pieces, cut_excerpts(details.texts[path], question.spans.get(path, []), ranked)))
            parts.append(f"<h4>{escape_line(path)}</h4>{marked}")
        else:
            parts.append(f"<h4>{escape_line(path)}</h4><p class='note'>No text to show: {escape_line(details.no_texts)}.</p>")
    return "".join(parts)


def _render_marked_pieces(pieces: Sequence[Piece]) -> str:
    """Return an excerpt with its marks."""
    parts = []
    for piece in pieces:
        ranks = "".join(f'<b class="rank">{rank}</b>' for rank in piece.ranks)
        words = escape_lines(piece.text)
        parts.append(ranks + (words if piece.kind == "plain" else f'<mark class="{piece.kind}">{words}</mark>'))
    return f'<blockquote dir="auto">… {"".join(parts)} …</blockquote>'


def cut_excerpts(text: str, gold: Sequence[Span], results: Sequence[tuple[int, Span]]) -> list[list[Piece]]:
    """Return excerpts, each a list of pieces in order. Spans are half-open, in code points; what lies outside is cut off."""
    golden = [clipped for span in gold if (clipped := _clip_span(span, len(text)))]
    ranked = [(rank, clipped) for rank, span in results if (clipped := _clip_span(span, len(text)))]
    spans = [*golden, *(span for _, span in ranked)]
    windows = merge_spans((max(0, start - AROUND), min(len(text), end + AROUND)) for start, end in spans)
    borders = sorted({at for span in [*spans, *windows] for at in span})
    return [
        [
            _make_piece(text, (start, end), golden, ranked)
            for start, end in pairwise([at for at in borders if window[0] <= at <= window[1]])
        ]
        for window in windows
    ]


def _clip_span(span: Span, length: int) -> Span | None:
    start, end = max(0, span[0]), min(length, span[1])
    return (start, end) if start < end else None


def _make_piece(text: str, piece: Span, gold: Sequence[Span], ranked: Sequence[tuple[int, Span]]) -> Piece:
    start, end = piece
    is_gold = any(low <= start and end <= high for low, high in gold)
    is_found = any(low <= start and end <= high for _, (low, high) in ranked)
    kind: Kind = "found" if is_gold and is_found else "missed" if is_gold else "retrieved" if is_found else "plain"
    return Piece(
        _shorten_middle(text[start:end], LONGEST[kind]), kind, tuple(sorted(rank for rank, span in ranked if span[0] == start))
    )


def _shorten_middle(text: str, most: int) -> str:
    """Return a text without its middle if it is longer than `most`.

    >>> _shorten_middle("abcdefgh", 6)
    'abcd […2 characters…] gh'
    """
    head = most * 2 // 3
    tail = most - head
    return text if len(text) <= most else f"{text[:head]} […{len(text) - most:,} characters…] {text[len(text) - tail :]}"
