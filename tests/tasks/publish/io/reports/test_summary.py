"""What a run shows: documents named by kind, hostile names shown and harmless."""

import json
import re
from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from markdown_it import MarkdownIt

from expectations.expected import Finding
from expectations.lengths import Lengths, Profile, make_length_profile
from schemas.corpus import Corpus
from schemas.options.sections import RefreshOptions
from schemas.references import RefreshOutcome, StepDone
from schemas.shown import plain
from schemas.tables.rejects import REJECTS
from tasks.publish.escaping import WORD_JOINER
from tasks.publish.io.reports.names import make_artifact_key
from tasks.publish.io.reports.report import REJECT_COLUMNS, format_headline, sum_seconds_by_format
from tasks.publish.io.reports.summary import draw_chunk_lengths, render_refresh_summary, render_refusal, render_rejects
from tasks.publish.verdict import Rejected, Verdict
from tasks.refresh.planning import Change, Plan, SourceFile, summarise_plan
from tasks.refresh.run import Recipes, Run
from tests.tasks.hostile import HOSTILE

VIEWER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
LINK = "http://127.0.0.1:4200/runs/flow-run/1"


def run(**given: Any) -> Run:
    names = ("parse", "describe", "chunk", "embed", "details", "embedder", "sentences", "proposals")
    recipes = Recipes(**dict.fromkeys(names, "x"), dimension=8, max_tokens=256, chunk_tokens=256)
    options = RefreshOptions.model_validate(given)
    return Run(
        run_id="run-1",
        source="/data/in_box",
        corpus=Corpus("/data/my corpus"),
        options=options,
        recipes=recipes,
        base=6,
        listed_at_ns=0,
    )


def change(kind: str, path: str, moved_from: str = "") -> Change:
    return Change(kind, path, SourceFile(path, 1, "0", "text/plain", {}), None, moved_from)


def plan(*changes: Change, removed: tuple[str, ...] = (), rejected: int = 0) -> Plan:
    return Plan(changes, tuple((path, path) for path in removed), 30, rejected, 41, 40)


def verdict(*findings: Finding, rejected: tuple[Rejected, ...] = (), n_rejected: int | None = None) -> Verdict:
    return Verdict(
        findings=findings,
        lengths=Lengths(tokens={20: 1, 30: 1}),
        reference=None,
        profile=make_length_profile({20: 1, 30: 1}, 256),
        n_rejected=len(rejected) if n_rejected is None else n_rejected,
        rejected=rejected,
    )


def outcome(planned: Plan, *warnings: str) -> RefreshOutcome:
    counts = {**planned.counts(), "n_documents": 41}
    steps = {"parse": {"computed": 1, "reused": 2, "seconds": 0.5}}
    seconds = {"parse, describe, chunk, embed": 2.0, "clean up": 0.25}
    return {
        "outcome": "published",
        "corpus": "/data/my corpus",
        "generation": 7,
        "counts": counts,
        "steps": steps,
        "spent": {"PDF": {"parse": 0.4, "describe": 0.0, "chunk": 0.05, "embed": 0.0}},
        "seconds": seconds,
        "idle_core_seconds": seconds,
        "kinds": {"PDF": {"documents": 1, "pages": 12, "chunks": 31}},
        "warnings": list(warnings),
    }


def shown(markdown: str) -> list[str]:
    """The texts that a viewer shows, one for each cell or line."""
    inline = [token for token in VIEWER.parse(markdown) if token.type == "inline"]
    return ["".join(child.content for child in token.children or []).replace(WORD_JOINER, "") for token in inline]


def tags(markdown: str) -> set[str]:
    """The elements that the Markdown becomes, but those of headings, tables and lists, and our own histogram."""
    html = re.sub(
        r'<img src="data:image/png;base64,[^"]*" alt="Histogram of chunk lengths in tokens" />', "", VIEWER.render(markdown)
    )
    return set(re.findall(r"<(\w+)", html)) - {"h1", "h2", "p", "table", "thead", "tbody", "tr", "th", "td", "ul", "li"}


def test_a_summary_names_what_was_added_changed_moved_removed_and_rejected() -> None:
    planned = plan(
        change("added", "new.pdf"),
        change("changed", "edited.txt"),
        change("moved", "there.md", moved_from="here.md"),
        change("metadata", "retitled.md"),
        change("retried", "slow.pdf"),
        removed=("gone.pdf", "here.md"),
        rejected=3,
    )
    bad = Rejected("bad.pdf", "parse", "not a PDF", "get a copy")
    lines = shown(render_refresh_summary(run(), summarise_plan(planned), outcome(planned), verdict(rejected=(bad,))))
    for title, named in (
        ("Added: 1", "new.pdf"),
        ("Changed: 1", "edited.txt"),
        ("Moved: 1", "there.md (was here.md)"),
        ("Metadata changed: 1", "retitled.md"),
        ("Tried again: 1", "slow.pdf"),
        ("Removed: 1", "gone.pdf"),
        ("Rejected: 1", "bad.pdf: not a PDF; get a copy"),
    ):
        assert lines[lines.index(title) + 1] == named
    at = lines.index("New rows by kind of document")
    assert lines[at + 5 : at + 9] == ["PDF", "1", "12", "31"]
    assert "3 documents stay rejected since an earlier run: see the artifact of rejects." in lines
    at = lines.index("Seconds by kind of document: those before each result.")
    assert lines[at + 1 : at + 11] == ["kind", "parse", "describe", "chunk", "embed", "PDF", "0.4", "0.0", "0.05", "0.0"]


def test_seconds_of_batches_are_added_up_by_kind_the_dearest_first() -> None:
    done = [
        StepDone(step="parse", spent={"application/pdf": 1.5, "text/plain": 0.25}),
        StepDone(step="parse", spent={"text/plain": 2.0}),
        StepDone(step="embed", spent={"text/plain": 0.5}),
    ]
    nothing = {"describe": 0.0, "chunk": 0.0}
    assert list(sum_seconds_by_format(done).items()) == [
        ("plain text", {"parse": 2.25, "embed": 0.5} | nothing),
        ("PDF", {"parse": 1.5, "embed": 0.0} | nothing),
    ]


def test_a_summary_tells_source_run_time_options_and_warnings() -> None:
    planned = plan(change("added", "new.pdf"))
    text = render_refresh_summary(
        run(gate={"max_reject_share": 0.1}), summarise_plan(planned), outcome(planned, "cleaning up failed"), verdict(), LINK
    )
    lines = shown(text)
    assert "generation 7: 1 added; 41 documents" in lines
    for name, value in (
        ("source", "/data/in_box"),
        ("took", "2.2 s"),
        ("gate.max_reject_share", "0.1"),
        ("base generation", "6"),
    ):
        assert lines[lines.index(name) + 1] == value
    assert "cleaning up failed" in lines
    assert f"[run-1]({LINK})" in text


def test_a_summary_names_the_first_fifty_of_each_kind_and_counts_the_others() -> None:
    planned = plan(*(change("added", f"{n:04}.pdf") for n in range(120)))
    lines = shown(render_refresh_summary(run(), summarise_plan(planned), outcome(planned), verdict()))
    assert "Added: 120" in lines
    assert "0049.pdf" in lines
    assert "0050.pdf" not in lines
    assert "and 70 more" in lines


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_shown_and_does_nothing_wherever_it_stands(name: str) -> None:
    planned = plan(change("added", name), change("moved", "b", moved_from=name), removed=(name, "c"))
    bad = Rejected(name, "parse", f"about {name}", f"see to {name}")
    found = Finding(
        suite="documents",
        position=0,
        expectation="expect_column_values_to_be_unique",
        column="document_id",
        severity="critical",
        success=False,
        observed=json.dumps({"unexpected": 2, "of": 9, "examples": [name]}),
        allowed='{"unexpected": 0}',
    )
    published = render_refresh_summary(
        run(), summarise_plan(planned), outcome(planned, f"warning of {name}"), verdict(rejected=(bad,))
    )
    refused = render_refusal(run(), verdict(found, rejected=(bad,)))
    row: dict[str, Any] = dict.fromkeys(REJECTS.names, "") | {"path": name, "message": name, "remedy": name}
    row |= {"page_number": 0, "final": True, "attempts": 1}
    sheet = render_rejects(pa.Table.from_pylist([row], schema=REJECTS).select(REJECT_COLUMNS))
    for text in (published, refused, sheet):
        assert tags(text) == set()
        assert any(plain(name)[:40].strip() in line for line in shown(text))


def test_a_refusal_says_how_many_more_documents_were_rejected() -> None:
    bad = tuple(Rejected(f"{n}.pdf", "parse", "not a PDF", "get a copy") for n in range(500))
    text = render_refusal(run(), verdict(rejected=bad, n_rejected=9_000))
    assert "## Rejected: 9000" in text
    assert "and 8,500 more" in text


def test_a_headline_of_a_generation_without_changes_says_so() -> None:
    assert format_headline(2, {"unchanged": 4, "n_documents": 4}) == "generation 2: no document changed; 4 documents"


@pytest.mark.parametrize("corpus", ["/a/Jahresberichte 2024 (Ä)", "/a/日本語", "/", "/a/" + "long" * 50, "relative", "/a/--x--"])
def test_artifact_keys_are_what_the_server_takes_and_one_for_each_corpus(corpus: str) -> None:
    key = make_artifact_key("refresh-summary", corpus)
    assert re.fullmatch(r"[a-z0-9-]+", key)
    assert len(key) < 80
    assert key != make_artifact_key("refresh-summary", "/b" + corpus)


COUNTS = dict(Counter(np.random.default_rng(0).integers(1, 256, 500).tolist()))


@pytest.mark.parametrize("lengths", [COUNTS, {3: 1}, {}, {300: 1}])
@pytest.mark.parametrize("reference", [None, make_length_profile(COUNTS, 256)])
def test_a_histogram_counts_every_chunk(lengths: dict[int, int], reference: Profile | None) -> None:
    drawn = draw_chunk_lengths(lengths, reference, 256)
    assert "nan" not in drawn
    counted = re.findall(r"<title>\S+ to \S+: ([\d,]+)</title>", drawn)
    assert sum(int(n.replace(",", "")) for n in counted) == sum(lengths.values())
    assert ("last generation, 500 chunks, scaled" in drawn) == bool(reference and lengths)


def test_a_summary_counts_personal_data_by_kind_where_it_is_looked_for() -> None:
    planned = plan(change("added", "a.pdf"))
    found = [{"kind": "email", "places": 3, "documents": 2, "values": 1}]
    text = render_refresh_summary(
        run(pii={"action": "report"}),
        summarise_plan(planned),
        outcome(planned),
        verdict(),
        found=found,
    )
    assert "## Personal data" in text
    assert [cell.strip() for line in text.splitlines() if line.startswith("| email") for cell in line.split("|")[1:-1]] == [
        *("email", "report", "3", "2", "1")
    ]
    assert "Personal data" not in render_refresh_summary(run(), summarise_plan(planned), outcome(planned), verdict())
