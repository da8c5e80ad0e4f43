import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from schemas.corpus import Corpus
from schemas.errors import AnswerError, CorpusError, CostError, InputError, ServiceError
from schemas.options.chat import ChatOptions
from schemas.options.questions import GenerateOptions
from tasks.chat.io.calls import FIRST_CALLS
from tasks.evaluate.io.question_files import read_questions
from tasks.evaluate.io.questions import generate
from tasks.evaluate.io.questions.collect import check_questions
from tasks.evaluate.io.questions.generate import GenerationJob, GenerationResult
from tests.chat_endpoint import ChatEndpoint, Reply, fails, playing, says
from tests.tasks.small_corpus import publish_corpus

ANIMALS = ["heron", "badger", "otter", "crane", "weasel", "beaver", "falcon", "salmon", "hedgehog", "squirrel", "adder", "toad"]
PLACES = ["river", "forest", "kelp", "marsh", "barn", "dam", "cliff", "lake", "garden", "oak", "heath", "pond"]


def story(number: int) -> str:
    """A text of twelve parts, each with a fact of its own."""
    pairs = zip(ANIMALS, PLACES[number:] + PLACES[:number], strict=True)
    return "\n\n".join(
        f"The {animal} of county {number} lives in the {place} number {at}{number}. " + "It is seldom seen by day or night. " * 5
        for at, (animal, place) in enumerate(pairs)
    )


TEXTS = {"law/a.txt": story(1), "b.txt": story(2), "c.txt": ""}
Answer = Callable[[str], Reply]


def good(passage: str) -> Reply:
    """Ask about the first sentence of a passage."""
    first = passage.partition(".")[0] + "."
    animal, place = re.search(r"The (\w+) .* lives in the (\w+)", first).groups()  # type: ignore[union-attr]
    return says(json.dumps({"question": f"Where does the {animal} near the {place} live?", "answer": first}))


class Model(ChatEndpoint):
    """Answers each passage with what `answer` makes of it."""

    def __init__(self, answer: Answer = good) -> None:
        super().__init__()
        self.answer = answer

    def reply(self, body: Mapping[str, Any]) -> Reply:
        return self.answer(body["messages"][1]["content"].partition("Part:\n")[2])


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = str(tmp_path_factory.mktemp("corpus"))
    publish_corpus(folder, TEXTS, with_embedder=True)
    return folder


@pytest.fixture
def corpus(built: str) -> Corpus:
    """The corpus, without the answers of other tests."""
    shutil.rmtree(Corpus(built).answers, ignore_errors=True)
    return Corpus(built)


def job(corpus: Corpus, out: Path, endpoint: ChatEndpoint | None = None, chat: Any = None, **options: Any) -> GenerationJob:
    asked = {"base_url": endpoint.url, "model": "writer", "retry_seconds": (), **(chat or {})} if endpoint else {}
    given = {"per_document": 3, "passage_chars": 250, **options}
    return GenerationJob(corpus=corpus, out=str(out), options=GenerateOptions(**given), chat=ChatOptions(**asked))


def run(job: GenerationJob) -> GenerationResult:
    generated = generate.generate_questions_from_model(job)
    generate.write_generated_questions(job, generated)
    generate.raise_early_end(job, generated)
    return generated


def test_a_model_is_asked_about_passages_spread_over_each_document(corpus: Corpus, tmp_path: Path) -> None:
    out = tmp_path / "q.jsonl"
    with playing(endpoint=Model()) as endpoint:
        generated = run(job(corpus, out, endpoint))
        prompts = [body["messages"][1]["content"] for body in endpoint.asked]
    assert generated.questions == tuple(read_questions(out))
    assert [one.gold[0].document for one in generated.questions] == ["b.txt"] * 3 + ["law/a.txt"] * 3
    assert {(one.origin, one.split) for one in generated.questions} == {("generated: model writer", "test")}
    assert {one.domain for one in generated.questions} == {"general", "law"}
    assert all(one.answer == one.gold[0].quote for one in generated.questions)
    assert max(one.gold[0].start or 0 for one in generated.questions) > len(TEXTS["b.txt"]) / 3
    assert (generated.spent.calls, len(prompts)) == (6, 6)
    assert check_questions(corpus, out).refused == []


def test_run_again_nothing_is_asked_and_the_file_is_the_same(corpus: Corpus, tmp_path: Path) -> None:
    with playing(endpoint=Model()) as endpoint:
        run(job(corpus, tmp_path / "first.jsonl", endpoint))
        asked = len(endpoint.asked)
        again = run(job(corpus, tmp_path / "again.jsonl", endpoint, {"calls_at_once": 1}))
        assert len(endpoint.asked) == asked
    assert (again.spent.calls, again.spent.kept, again.spent.dollars) == (0, asked, 0.0)
    assert (tmp_path / "first.jsonl").read_bytes() == (tmp_path / "again.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("spoiled", "reason"),
    [
        (lambda _: says(json.dumps({"question": "Where is Nemo now?", "answer": "Nowhere."})), "does not stand in the passage"),
        (lambda _: says(json.dumps({"question": "When is it seen?", "answer": "seldom seen"})), r"the answer stands \d+ times"),
        (lambda _: says("It lives by the river."), "prose instead of JSON"),
        (lambda _: says("", refusal="No."), "refuses to answer"),
        (lambda passage: says(json.dumps({"question": "Tell me.", "answer": passage[:30]})), "ends with a question mark"),
    ],
)
def test_a_useless_answer_is_refused_with_its_reason_and_another_passage_is_tried(
    corpus: Corpus, tmp_path: Path, spoiled: Answer, reason: str
) -> None:
    with playing(endpoint=Model(lambda passage: spoiled(passage) if "heron" in passage else good(passage))) as endpoint:
        generated = run(job(corpus, tmp_path / "q.jsonl", endpoint, per_document=2, seed=0))
    assert len(generated.questions) == 4
    assert len(generated.refused) == 2
    assert all(re.search(reason, one.reason) for one in generated.refused)
    assert len((tmp_path / "q.refused.jsonl").read_text().splitlines()) == 2


def test_questions_that_ask_the_same_are_dropped_within_and_across_documents(corpus: Corpus, tmp_path: Path) -> None:
    def same(passage: str) -> Reply:
        first = passage.partition(".")[0] + "."
        return says(json.dumps({"question": "Where does the animal live now?", "answer": first}))

    with playing(endpoint=Model(same)) as endpoint:
        generated = run(job(corpus, tmp_path / "q.jsonl", endpoint))
    assert len(generated.questions) == 1
    assert {one.reason for one in generated.refused} == {"another question asks the same in almost the same words"}


def test_the_cap_ends_a_run_and_the_next_goes_on(corpus: Corpus, tmp_path: Path) -> None:
    out = tmp_path / "q.jsonl"
    prices = {"input_price": 1.0, "output_price": 1000.0, "max_tokens": 50, "max_cost": 0.1}
    with playing(endpoint=Model()) as endpoint:
        with pytest.raises(CostError, match=r"cap of \$0\.1: .*\(\d questions are in .*q\.jsonl, after \d calls for \$0\.0\d+\)"):
            run(job(corpus, out, endpoint, prices))
        first = len(endpoint.asked)
        assert 0 < len(read_questions(out)) == first < 6
        finished = run(job(corpus, out, endpoint, prices))
        assert (finished.spent.kept, len(endpoint.asked), len(finished.questions)) == (first, 6, 6)
        asked = [json.dumps(body, sort_keys=True) for body in endpoint.asked]
    assert len(set(asked)) == len(asked)


@pytest.mark.parametrize(
    ("fault", "kind", "message"),
    [
        (fails(429, Retry_After="9999"), ServiceError, "asks to wait 9999 s"),
        (fails(401), InputError, "set PAGEMILL_API_KEY"),
        (says("", delay_seconds=1), ServiceError, r"no answer within 0\.3 s"),
    ],
)
def test_an_endpoint_that_fails_ends_the_run_after_what_was_made_is_written(
    corpus: Corpus, tmp_path: Path, fault: Reply, kind: type[Exception], message: str
) -> None:
    left = [3]

    def failing(passage: str) -> Reply:
        left[0] -= 1
        return good(passage) if left[0] >= 0 else fault

    with playing(endpoint=Model(failing)) as endpoint:
        with pytest.raises(kind, match=rf"{message}.*\(3 questions are in .*q\.jsonl"):
            run(job(corpus, tmp_path / "q.jsonl", endpoint, {"calls_at_once": 1, "timeout_seconds": 0.3}))
        assert len(endpoint.asked) == 4


def test_a_model_that_never_answers_usefully_is_not_asked_about_everything(corpus: Corpus, tmp_path: Path) -> None:
    out = tmp_path / "q.jsonl"
    with playing(endpoint=Model(lambda _: says("I would rather not."))) as endpoint:
        with pytest.raises(AnswerError, match=r"prose instead of JSON.*no question was made, and .* was not written"):
            run(job(corpus, out, endpoint, per_document=10))
        assert len(endpoint.asked) == FIRST_CALLS
    assert not out.exists()


def test_fewer_documents_may_be_drawn(corpus: Corpus, tmp_path: Path) -> None:
    with playing(endpoint=Model()) as endpoint:
        generated = run(job(corpus, tmp_path / "q.jsonl", endpoint, documents=2, seed=3))
    assert len({one.gold[0].document for one in generated.questions}) <= 2


def test_a_corpus_without_text_has_no_questions(tmp_path: Path) -> None:
    publish_corpus(str(tmp_path / "corpus"), {"a.txt": ""})
    empty = job(Corpus(str(tmp_path / "corpus")), tmp_path / "q.jsonl")
    generated = generate.generate_questions_from_documents(empty)
    with pytest.raises(CorpusError, match=r"no question could be made .*too little text"):
        generate.raise_early_end(empty, generated)


@pytest.mark.slow
def test_a_run_that_is_killed_asks_nothing_twice(corpus: Corpus, tmp_path: Path) -> None:
    def slow(passage: str) -> Reply:
        return good(passage)._replace(delay_seconds=0.2)

    out = tmp_path / "q.jsonl"
    with playing(endpoint=Model(slow)) as endpoint:
        flags = [
            "--corpus",
            str(corpus),
            "--out",
            str(out),
            "--per-document",
            "5",
            "--base-url",
            endpoint.url,
            "--model",
            "writer",
        ]
        variables = {"PAGEMILL_GENERATE_PASSAGE_CHARS": "250", "PAGEMILL_CHAT_CALLS_AT_ONCE": "1", "PREFECT_HOME": str(tmp_path)}
        command = [sys.executable, "-m", "flows.cli", "questions", "generate", *flags]
        process = subprocess.Popen(command, env={**os.environ, **variables})
        while len(endpoint.asked) < 4:
            assert process.poll() is None, "the command ended before it was killed"
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
        subprocess.run(command, env={**os.environ, **variables}, check=True)
        asked = [json.dumps(body, sort_keys=True) for body in endpoint.asked]
    assert len(read_questions(out)) == 10
    assert len(asked) <= len(set(asked)) + 1  # the call that was under way
