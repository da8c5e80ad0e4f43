import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import cast

import pytest

from schemas.corpus import Corpus
from schemas.errors import InputError
from tasks.embed.io.tokenizer import PACKAGED, find_model_folder
from tasks.search.chunk_source import RankedRow
from tasks.search.io.ask import answer_question
from tasks.search.io.rerank import RERANKED, Reranker
from tasks.search.io.retrieve import open_searcher
from tasks.serve.io.service import Service
from tests.tasks.small_corpus import publish_corpus

LINES = ["The heron waits by the weir.", "A heron.", "No heron was seen at the old mill in the cold winter.", "Heron and eels."]


def save(folder: Path, n_labels: int = 1, bias: float = 0.0) -> Path:
    """Save a small cross-encoder with drawn weights."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(0)
    labels = {number: f"L{number}" for number in range(n_labels)}
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    model = BertForSequenceClassification(
        BertConfig(**sizes, initializer_range=1.0, id2label=labels, label2id={name: number for number, name in labels.items()})
    )
    torch.nn.init.constant_(model.classifier.bias, bias)
    model.save_pretrained(folder, safe_serialization=True)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(find_model_folder(PACKAGED) / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save(tmp_path_factory.mktemp("reranker")))


def logits(model: str, question: str, texts: list[str]) -> list[float]:
    """What the model says of each text, read alone."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer, loaded = AutoTokenizer.from_pretrained(model), AutoModelForSequenceClassification.from_pretrained(model).eval()
    with torch.inference_mode():
        return [float(loaded(**tokenizer(question, text, return_tensors="pt")).logits[0, 0]) for text in texts]


def rows(texts: list[str]) -> list[RankedRow]:
    """Rows of chunks, with what a reranker reads and writes alone."""
    return [cast(RankedRow, {"embedding_text": text, "score": 0.5}) for text in texts]


def test_chunks_are_ordered_by_what_the_model_says_of_each_with_the_question(model: str) -> None:
    texts = [f"{LINES[number % 4]} {'Snow fell. ' * number}" for number in range(40)]
    found = Reranker(model).rerank("Where is the heron?", rows(texts))
    expected = dict(zip(texts, logits(model, "Where is the heron?", texts), strict=True))
    assert sorted(row["embedding_text"] for row in found) == sorted(texts)
    said = [expected[row["embedding_text"]] for row in found]
    assert all(later <= earlier + 1e-4 for earlier, later in pairwise(said))  # padding changes the last digits
    for row in found:
        assert row["score"] == pytest.approx(expected[row["embedding_text"]], abs=1e-4)


def test_chunks_behind_the_first_keep_their_order_and_come_last(model: str) -> None:
    texts = [f"Note {number}." for number in range(RERANKED + 3)]
    found = Reranker(model).rerank("note", rows(texts))
    assert [row["embedding_text"] for row in found[RERANKED:]] == texts[RERANKED:]
    scores = [row["score"] for row in found]
    assert scores == sorted(scores, reverse=True)
    assert Reranker(model).rerank("note", []) == []


def test_a_search_with_a_reranker_returns_what_it_ranks_first(tmp_path: Path, model: str) -> None:
    publish_corpus(str(tmp_path), {"heron.txt": "\n".join(LINES)})
    searcher = open_searcher(Corpus(str(tmp_path)))
    plain = answer_question(searcher, "heron", 4, "fts", returned="chunks").hits
    found = answer_question(open_searcher(Corpus(str(tmp_path)), model), "heron", 2, "fts", returned="chunks").hits
    expected = dict(zip(LINES, logits(model, "heron", LINES), strict=True))
    assert {hit.text for hit in plain} == {*LINES}
    assert [hit.text for hit in found] == sorted(LINES, key=lambda text: -expected[text])[:2]
    service = Service(Corpus(str(tmp_path)), {}, rerank=model)
    with ThreadPoolExecutor(4) as threads:
        served = list(threads.map(lambda _: service.search(None, "heron", 2, "fts", None, "chunks").results, range(8)))
    assert served == [found] * 8


def test_what_is_no_reranker_is_refused(tmp_path: Path, model: str) -> None:
    for folder, message in {
        "no-such-model": "there is no reranker",
        str(tmp_path): r"has no config\.json",
        str(find_model_folder(PACKAGED)): "has 2 outputs",
        str(save(tmp_path / "three", n_labels=3)): "has 3 outputs",
    }.items():
        with pytest.raises(InputError, match=message):
            Reranker(folder)


def test_pickled_weights_and_code_of_the_model_are_refused(tmp_path: Path, model: str) -> None:
    shutil.copytree(model, tmp_path / "pickled")
    (tmp_path / "pickled/model.safetensors").rename(tmp_path / "pickled/pytorch_model.bin")
    with pytest.raises(InputError, match="pickled weights are never loaded"):
        Reranker(str(tmp_path / "pickled"))
    shutil.copytree(model, tmp_path / "code")
    config = json.loads((tmp_path / "code/config.json").read_text())
    own = {"model_type": "own", "auto_map": {"AutoModelForSequenceClassification": "own.Own", "AutoConfig": "own.Config"}}
    (tmp_path / "code/config.json").write_text(json.dumps({**config, **own}))
    (tmp_path / "code/own.py").write_text("raise SystemExit('this must never run')")
    with pytest.raises(InputError, match="wants to run code of its own"):
        Reranker(str(tmp_path / "code")).rerank("heron", rows(LINES))


def test_a_model_without_its_head_or_without_numbers_is_told(tmp_path: Path, model: str) -> None:
    from safetensors.torch import load_file, save_file

    shutil.copytree(model, tmp_path / "headless")
    weights = load_file(tmp_path / "headless/model.safetensors")
    save_file(
        {name: value for name, value in weights.items() if not name.startswith("classifier")},
        tmp_path / "headless/model.safetensors",
        metadata={"format": "pt"},
    )
    with pytest.raises(InputError, match=r"lacks 2 weights, such as classifier\.bias"):
        Reranker(str(tmp_path / "headless")).rerank("heron", rows(LINES))
    with pytest.raises(InputError, match="gives no numbers"):
        Reranker(str(save(tmp_path / "nan", bias=float("nan")))).rerank("heron", rows(LINES))
