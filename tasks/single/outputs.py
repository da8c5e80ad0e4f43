"""Outputs: what the results of converted documents are called."""

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath


def output_names(paths: Sequence[str], suffix: str) -> list[str]:
    """Return, for each relative path, that of its result: `suffix` takes the place of its own.

    Where results would share a name, the documents keep their suffixes before the new one; equal paths keep equal names.

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
