"""Outputs: the file names of converted documents."""

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath


def output_names(paths: Sequence[str], suffix: str) -> list[str]:
    """Return the path of the result for each relative path: `suffix` replaces the old suffix.

    If results would have the same name, they keep the old suffix before the new one. Equal paths get equal names.

    >>> output_names(["a/x.pdf", "b/x.pdf", "b/x.txt"], ".md")
    ['a/x.md', 'b/x.pdf.md', 'b/x.txt.md']
    """
    short = [str(PurePosixPath(path).with_suffix("")) + suffix for path in paths]
    names = list(short)
    while True:
        times = Counter(names)
        clashing = [n for n, name in enumerate(names) if times[name] > 1 and name != paths[n] + suffix]
        if not clashing:
            return names
        for n in clashing:
            names[n] = paths[n] + suffix
