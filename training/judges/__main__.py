"""Train a judge of headings: read labelled pages, compare with each source left out, train, write.

    python -m training.judges OUT FOLDER...

Writes headings.npz and the figures of its card, scores.md, to OUT. PDFs labelled by hand are looked for in each FOLDER by their
digests. PAGEMILL_BENCH names the folder of a benchmark kit, and PAGEMILL_BENCH_CACHE (by default ~/.cache/pagemill-bench) that of
the cases that `make bench NAME=roundtrip` builds; of these only those for training are read.
"""

import argparse
import os
from collections.abc import Mapping
from pathlib import Path

from training.judges.heading_lines import LABELS, LabelledLines, lines_by_hand, lines_in_boxes, lines_of_markdown
from training.judges.headings import score_left_out, train_headings, write_scores

DEVELOPMENT, TYPESET = "DP-Bench development", "round trip"


def read_sources(folders: list[Path]) -> dict[str, LabelledLines]:
    """Return the lines of all sources by their names."""
    cache = Path(os.environ.get("PAGEMILL_BENCH_CACHE", Path.home() / ".cache" / "pagemill-bench"))
    cases = max((cache / "roundtrip").glob("cases-*/train"), key=lambda folder: folder.stat().st_mtime)
    return {
        **lines_by_hand(LABELS.read_text().splitlines(), folders),
        DEVELOPMENT: lines_in_boxes(Path(os.environ["PAGEMILL_BENCH"]) / "parsing"),
        TYPESET: lines_of_markdown(cases),
    }


def weigh_sources(sources: Mapping[str, LabelledLines]) -> dict[str, float]:
    """Return the weight of all lines of each source together. Those of one source weigh the same.

    DP-Bench has none: the rules were tuned on it, where their verdict, which the judge is told, is better than elsewhere.
    """
    return {name: {DEVELOPMENT: 0.0, TYPESET: 3.0}.get(name, 1.0) for name in sources}


def main() -> None:
    """Read the command line, train and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", type=Path, nargs="*", metavar="folder")
    given = parser.parse_args()
    sources = read_sources(given.folders)
    weights = weigh_sources(sources)
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "headings.npz").write_bytes(train_headings(sources, weights).as_file())
    (given.out / "scores.md").write_text(write_scores(score_left_out(sources, weights), sources))


if __name__ == "__main__":
    main()
