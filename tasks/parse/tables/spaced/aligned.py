"""Aligned: tables without rules that the layout model takes for text, shown by names and texts that start at two places.

The first of their columns has names, the second is set flush at the left. Labelled lists, contents and listings are none.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median, median_high

from tasks.parse.layout.geometry import Box, union
from tasks.parse.layout.regions import Region
from tasks.parse.layout.rules import NO_RULES
from tasks.parse.layout.words import Word, words_in
from tasks.parse.tables.page_columns import strips
from tasks.parse.tables.spaced.breaks import SAME, TOUCHING, baseline, pitches
from tasks.parse.tables.spaced.candidate import Candidate
from tasks.parse.tables.spaced.filled import SAID, are_filled
from tasks.parse.tables.spaced.names import are_calls, are_columns, n_labels
from tasks.parse.tables.spaced.pieces import Line, Piece, cut_at_edges, is_bold, pieces_of
from tasks.parse.tables.text_lines import text_lines
from tasks.parse.tables.thresholds import ALIKE, FLUSH

FEWEST, HEADED, ALONE = 3, 2, 2
"""Fewest rows, fewest where the first is a bold head, and fewest that stand apart from the lines around them, as in no prose."""
NAME, TEXT = 4, 20
"""Most words, in the median, of a name and of a row's first line of text."""
LONGEST = 2
"""Most lines in which a name goes on below its first."""
NEAR = 3.0
"""Largest white space between lines of one table, in type sizes."""
MANY = 4
"""Pieces of a row that no line of a form has: two keys with values beside each other."""
NAMED = 0.3
"""Least share of lines with a name: others go on with a text."""
GAP, TIGHT = 0.8, 0.34
"""Smallest white space between the two columns of a table, in type sizes, and the largest share of names that leave less."""
PAIRED, LEVEL = 2 / 3, 1 / 2
"""Least share of lines with a name that have a text beside it, but for those that go on with a name, and the least where lines of
both columns stand at the same heights: those of two columns of a page do not.
"""
TEXTS = ("paragraph", "list_item", "heading", "title", "caption", "footnote")


def aligned_tables(words: Sequence[Word], regions: Sequence[Region]) -> list[Box]:
    """Return the rectangles of the tables among `aligned_candidates`."""
    return [one.box for one in aligned_candidates(words, regions) if not one.veto]


def aligned_candidates(
    words: Sequence[Word], regions: Sequence[Region], loose: Sequence[Box] = (), gutters: Sequence[float] = ()
) -> list[Candidate]:
    """Return where the words in regions of text and in `loose` tables may form tables: these may be rows of them.

    Columns of the page are between `gutters`, or, where none are known, where regions of text are.
    """
    texts = [region.box for region in regions if region.kind in TEXTS]
    others = [region.box for region in regions if region.kind not in TEXTS]
    taken = {word for box in others for word in words_in(words, box)}
    free = [word for word in words if word.upright and word not in taken]
    if gutters:
        edges = [float("-inf"), *gutters, float("inf")]
        return [one for column in pairwise(edges) for one in _candidates_in(_lines_in(free, column))]
    tables = [region.box for region in regions if region.kind == "table"]
    columns = max(strips(texts), strips([*texts, *tables, *loose]), key=len)
    return [one for column in columns for one in _candidates_in(_lines_in(free, column))]


def _candidates_in(lines: Sequence[Line]) -> list[Candidate]:
    """Return runs of lines as tables, or with why they are none."""
    runs = [(run, _veto(run)) for run in _runs(lines)]
    return [
        Candidate(
            union(piece.box for line in run for piece in line),
            "" if veto and not _veto(run, ALONE) and _is_of_one_size(run) and _is_alone(run, lines) else veto,
        )
        for run, veto in runs
    ]


def _is_of_one_size(run: Sequence[Line]) -> bool:
    """Return whether names have one type size, or are calls: titles beside each other, above lines of text, have another size."""
    names = _names_in(run)
    sizes = [name.size for name in names]
    return max(sizes) <= ALIKE * min(sizes) or are_calls([name.text for name in names])


def _names_in(run: Sequence[Line]) -> list[Piece]:
    """Return the pieces of a run that start left of its texts."""
    return [line[0] for line in run if line[0].box[0] < run[0][1].box[0] - FLUSH]


def _is_alone(run: Sequence[Line], lines: Sequence[Line]) -> bool:
    """Return whether the lines around a run are farther from it than its own are from each other: prose beside names goes on."""
    at = [baseline([word for piece in line for word in piece.words]) for line in lines]
    n = next(n for n, line in enumerate(lines) if line is run[0])
    first, last = max(n - 1, 0), n + len(run) - 1
    widest = max((below - above for above, below in pairwise(at[n : last + 1])), default=0.0)
    around = [*pairwise(at[first : n + 1]), *pairwise(at[last : last + 2])]
    return all(below - above > widest + SAME * run[0][0].size for above, below in around)


def _lines_in(words: Sequence[Word], column: tuple[float, float]) -> list[Line]:
    start, end = column
    inside = [word for word in words if start - 1 <= (word.box[0] + word.box[2]) / 2 <= end + 1]
    return cut_at_edges([pieces_of(line, ()) for line in text_lines(inside)])


def _runs(lines: Sequence[Line]) -> list[list[Line]]:
    """Return lines below each other that start, and have their second piece, at the same two places."""
    found: list[list[Line]] = []
    n = 0
    while n < len(lines):
        run = [lines[n]]
        if len(lines[n]) > 1:
            while n + len(run) < len(lines) and _goes_on(run, lines[n + len(run)]):
                run.append(lines[n + len(run)])
            found.append(run)
        n += len(run)
    return found


def _goes_on(run: Sequence[Line], line: Line) -> bool:
    left, right = run[0][0].box[0], run[0][1].box[0]
    size = run[0][0].size
    if min(piece.box[1] for piece in line) - max(piece.box[3] for piece in run[-1]) > NEAR * size:
        return False
    names = [piece for piece in line if piece.box[0] < right - FLUSH]
    texts = line[len(names) :]
    if not texts and is_bold(line) and not is_bold(run[0][:1]):
        return False
    if len(names) > 1 or any(abs(name.box[0] - left) > FLUSH or name.box[2] > right for name in names):
        return False
    return not texts or abs(texts[0].box[0] - right) <= FLUSH


def _veto(run: Sequence[Line], fewest: int = FEWEST) -> str:
    """Return why a run has no rows of short names and short texts, as prose in columns, lists, contents or forms; "" if it has.

    `fewest` are the rows that it takes without a head.
    """
    left, right = run[0][0].box[0], run[0][1].box[0]
    named = [line for line in run if line[0].box[0] < right - FLUSH]
    rows = [line for line in named if len(line) > 1]
    alone = len(named) - len(rows) - _n_wrapped(run, right)
    if not rows or len(rows) < (HEADED if _has_head(rows) else fewest):
        return "too few rows"
    if len(named) < NAMED * len(run):
        return "too few lines with a name"
    if len(rows) < (PAIRED if min(pitches(run)[1:], default=0.0) < TOUCHING else LEVEL) * (len(rows) + alone):
        return "too many names without a text beside them"
    names, texts = [line[0] for line in named], [line[line in named] for line in run if line not in named or line in rows]
    calls = are_calls([name.text for name in names])
    near = sum(name.box[2] > right - GAP * name.size for name in names)
    if any(abs(name.box[0] - left) > FLUSH for name in names):
        return "names start at several places"
    if near > TIGHT * len(names) and not calls:
        return "too little white space between its columns"
    if 2 * _n_listed(names, _has_head(rows)) > len(names):
        return "names are labels of a list"
    if all(row[-1].text.isdecimal() for row in rows):
        return "all rows end in a number, as contents do"
    n_name, n_words = (median(len(row[side].words) for row in rows) for side in (0, 1))
    n_name = 1 if calls else n_name
    if min(n_name, n_words) > NAME or max(n_name, n_words) > TEXT:
        return "names or texts are too long"
    wide = sum(len(row) >= MANY for row in rows) * 2 > len(rows)
    if n_words < SAID and not wide and 2 * sum(name.text.endswith(":") for name in names) > len(names):
        return "names end in colons, as those of a form do"
    if are_filled([[word for piece in line for word in piece.words] for line in run], NO_RULES):
        return "it is a form"
    if all(word.mono for line in run for piece in line for word in piece.words):
        return "it is a listing"
    return "" if wide or calls or not are_columns(names, texts) else "it is prose in columns"


def _n_listed(names: Sequence[Piece], headed: bool) -> int:
    """Return how many names label items of a list, or, below no head, are the same sign."""
    alike = Counter(name.text for name in names).most_common(1)[0][1]
    return max(n_labels(names, headed), 0 if headed else alike)


def _has_head(rows: Sequence[Line]) -> bool:
    """Return whether the first of several rows is bold, and none of the others is."""
    return is_bold(rows[0]) and len(rows) > 1 and not any(is_bold(row) for row in rows[1:])


def _n_wrapped(run: Sequence[Line], right: float) -> int:
    """Return the number of names that go on in one or two lines below: nearer to the line above than most rows are.

    Lines of two columns that stand at heights of their own are none of one table.
    """
    distances = pitches(run)
    if min(distances[1:], default=TOUCHING) < TOUCHING:
        return 0
    named = [line[0].box[0] < right - FLUSH for line in run]
    rows = [d for n, d in enumerate(distances) if n and named[n] and len(run[n]) > 1]
    usual = median_high(rows) if rows else 0.0
    count, length = 0, 0
    for n, line in enumerate(run):
        length = length + 1 if named[n] and len(line) == 1 and distances[n] < usual - SAME else 0
        count += 0 < length <= LONGEST
    return count
