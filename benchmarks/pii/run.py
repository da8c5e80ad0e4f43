"""Personal data: precision and recall of each kind on drawn texts in five languages, and the seconds for a megabyte of text.

A value counts as found if a match of its kind has exactly its span. Check digits and sentences are drawn apart from the
recognisers; order and part numbers, ISBNs, versions, amounts, hashes and IBANs with a wrong digit stand between them.
"""

import argparse
import time
from collections import Counter

from benchmarks.pii.texts import CHECKED, DRAWS, LANGUAGES, draw_texts
from benchmarks.report import say, say_bar, say_table
from tasks.pii.recognisers import BUILT_IN, find_matches

BAR = 0.95


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=5000, help="how many texts are drawn")
    parser.add_argument("--seed", type=int, default=44)
    parser.add_argument("--wrong", type=int, default=0, metavar="N", help="print N values that were missed or taken wrongly")
    given = parser.parse_args()
    right, found, true = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    n_chars, began, wrong = 0, time.process_time(), 0
    for drawn in draw_texts(given.texts, given.seed):
        matches, truth = {*find_matches(drawn.text, BUILT_IN)}, drawn.truth
        n_chars += len(drawn.text)
        for counter, spans in ((right, matches & truth), (found, matches), (true, truth)):
            counter.update((kind, where) for _, _, kind in spans for where in ("all", drawn.language))
        for start, end, kind in sorted(matches ^ truth):
            wrong += 1
            if wrong <= given.wrong:
                missed = "missed" if (start, end, kind) in truth else "wrong"
                say(f"  {missed} {kind}: {drawn.text[max(0, start - 30) : end + 12]!r} ({drawn.text[start:end]!r})")
    seconds = time.process_time() - began
    say(f"{given.texts:,} texts, {sum(true[kind, 'all'] for kind, where in true if where == 'all'):,} values")
    kinds = [*DRAWS, "phone", "birth_date"]
    rows = {
        kind: [true[kind, "all"], right[kind, "all"] / max(1, found[kind, "all"]), right[kind, "all"] / max(1, true[kind, "all"])]
        + [right[kind, language] / max(1, true[kind, language]) for language in LANGUAGES]
        for kind in kinds
    }
    say_table(["values", "precision", "recall", *(f"in {language}" for language in LANGUAGES)], rows)
    say_bar("precision of the worst kind with check digits", min(float(rows[kind][1]) for kind in CHECKED), BAR)
    say_bar("recall of the worst kind with check digits", min(float(rows[kind][2]) for kind in CHECKED), BAR)
    say(f"  {seconds / n_chars * 1e6:.2f} CPU s for a million characters")


if __name__ == "__main__":
    main()
