import numpy as np
import pytest

from tasks.parse.judge.line_features import FEATURES
from training.judges.heading_lines import LabelledLines, digest
from training.judges.headings import score, score_left_out, write_scores

pytest.importorskip("lightgbm", reason="only the extra `train` brings it")


def _drawn(seed: int) -> LabelledLines:
    """Return lines whose headings are large; every tenth is not known."""
    draw = np.random.default_rng(seed)
    rows = draw.random((200, len(FEATURES)))
    labels = (rows[:, 0] > 0.7).astype(int)
    labels[::10] = -1
    return LabelledLines(rows, labels, np.full(200, f"document {seed}"), rows[:, 0] > 0.5)


def test_what_all_sources_have_in_common_is_learned_without_the_source_that_is_left_out() -> None:
    sources = {"reports": _drawn(1), "papers": _drawn(2), "slides": _drawn(3)}
    scores = score_left_out(sources, dict.fromkeys(sources, 1.0))
    assert all(found.f1 > 0.9 for found in scores.values())
    assert all(
        found.headings == (lines.labels == 1).sum() for found, lines in zip(scores.values(), sources.values(), strict=True)
    )
    assert write_scores(scores, sources).count("\n") == 5


def test_lines_that_nobody_knows_do_not_count() -> None:
    assert score(np.array([-1, 1]), np.array([True, True])).f1 == 1


def test_labels_hold_digests_and_no_texts() -> None:
    assert digest("Of sails") == digest("Of sails") != digest("Of ropes")
    assert len(digest("Of sails")) == 10
