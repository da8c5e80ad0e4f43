"""Questions of a process that is asked many."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from tasks.embed.bert import Bert, compute_states, pool_states
from tasks.embed.io.bert_weights import read_bert
from tasks.embed.io.cpu import numpy_engine, openvino_engine
from tasks.embed.io.cpu.numpy_engine import ASKED_OFTEN, QUESTION_TOKENS, QuestionEncoder
from tasks.embed.io.model_files import Pooling

IDS = [2, 3, 5, 7, 3]


@pytest.fixture
def bert(copy: Path) -> Bert:
    found = read_bert(copy)
    assert found
    return found


def asked_often(bert: Bert, pooling: Pooling = "mean") -> QuestionEncoder:
    made = QuestionEncoder(bert, pooling)
    assert [made.find_fast(len(IDS)) for _ in range(ASKED_OFTEN)] == [None] * ASKED_OFTEN
    made.find_fast(len(IDS))
    made.quick.wait()
    return made


@pytest.mark.parametrize("pooling", ["mean", "cls"])
@pytest.mark.parametrize("installed", [True, False])
def test_vectors_are_the_same_with_openvino_and_without(
    bert: Bert, pooling: Pooling, installed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numpy_engine, "is_installed", lambda: installed)
    unused = "lay_out_weights_by_inputs" if installed else "run_one"
    monkeypatch.setattr(numpy_engine, unused, lambda *given: pytest.fail("is not used here"))
    quick = asked_often(bert, pooling).find_fast(len(IDS))
    assert quick
    for ids in (IDS, [2, 3], [2, *range(4, 40), 3]):
        assert np.abs(quick(ids) - pool_states(compute_states(bert, [ids])[0], pooling)).max() < 1e-5


def test_long_texts_are_left_to_others(bert: Bert) -> None:
    assert asked_often(bert).find_fast(QUESTION_TOKENS + 1) is None


def test_a_model_that_openvino_refuses_is_run_by_numpy_and_that_is_said(
    bert: Bert, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*given: object) -> None:
        raise RuntimeError("no such operation")

    monkeypatch.setattr(numpy_engine, "compile_float32", refuse)
    quick = asked_often(bert).find_fast(len(IDS))
    assert quick and np.allclose(quick(IDS), pool_states(compute_states(bert, [IDS])[0], "mean"), atol=1e-5)
    assert "OpenVINO cannot compile the model: no such operation" in caplog.text


def test_an_openvino_that_goes_wrong_on_a_processor_is_left_for_numpy_and_that_is_said(
    bert: Bert, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(numpy_engine, "run_one", lambda model, ids: openvino_engine.run_one(model, ids[::-1]))
    quick = asked_often(bert, "cls").find_fast(len(IDS))
    assert quick and np.allclose(quick(IDS), pool_states(compute_states(bert, [IDS])[0], "cls"), atol=1e-5)
    assert "OpenVINO's vectors are not the model's on this processor" in caplog.text


def test_many_threads_may_ask_at_once(bert: Bert) -> None:
    quick = asked_often(bert).find_fast(len(IDS))
    assert quick
    rows = [[2, 4 + number, 3] for number in range(30)]
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(quick, rows * 4))
    for vector, ids in zip(made, rows * 4, strict=True):
        assert np.allclose(vector, pool_states(compute_states(bert, [ids])[0], "mean"), atol=1e-5)


def test_few_texts_ask_it_one_at_a_time(copy: Path) -> None:
    numpy_engine._load_questions.cache_clear()
    first, *later = [numpy_engine.embed_few(copy, [IDS], "mean") for _ in range(ASKED_OFTEN + 1)]
    held = numpy_engine._load_questions(copy, "mean")
    assert held
    held.quick.wait()
    quick = numpy_engine.embed_few(copy, [IDS], "mean")
    assert first is not None and quick is not None and quick.shape == first.shape
    assert all(vectors is not None and np.allclose(vectors, first, atol=1e-6) for vectors in (*later, quick))
