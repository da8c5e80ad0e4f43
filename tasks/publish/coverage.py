"""Coverage: how much of a document's text its chunks hold."""

import pyarrow.compute as pc

from tasks.publish.drafting import Group, Members


def measure_coverage(group: Group) -> list[float]:
    """Return for each document the share of its text's characters that its chunks cover, in [0, 1].

    White space and furniture do not count.
    """
    elements = group.elements
    offsets = elements.rows.field("start_char")
    kept = pc.and_(pc.equal(elements.rows.field("kind"), "furniture"), pc.is_valid(offsets))
    spans: list[list[tuple[int, int]]] = [[] for _ in group.places]
    for members in (group.chunks, Members(elements.rows.filter(kept), elements.parents[kept.to_numpy(zero_copy_only=False)])):
        starts, ends = (members.rows.field(name).to_pylist() for name in ("start_char", "end_char"))
        for parent, start, end in zip(members.parents.tolist(), starts, ends, strict=True):
            spans[parent].append((start, end))
    return [covered_share(text.as_py(), of_text) for text, of_text in zip(group.text, spans, strict=True)]


def covered_share(text: str, spans: list[tuple[int, int]]) -> float:
    """Return the share of the visible characters of `text` that half-open spans cover; 1 if there are none.

    >>> covered_share("ab cd", [(0, 2)])
    0.5
    """
    visible = _visible(text)
    return 1.0 - uncovered_chars(text, spans) / visible if visible else 1.0


def uncovered_chars(text: str, spans: list[tuple[int, int]]) -> int:
    """Count the characters of `text`, without white space, that no half-open span covers.

    >>> uncovered_chars("ab cd", [(0, 2)])
    2
    """
    missing, reached = 0, 0
    for start, end in sorted(spans):
        if start > reached:
            missing += _visible(text[reached:start])
        reached = max(reached, end)
    return missing + _visible(text[reached:])


def _visible(text: str) -> int:
    return sum(map(len, text.split()))
