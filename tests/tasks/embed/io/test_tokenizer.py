import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import InputError
from tasks.embed.io.tokenizer import PACKAGED, WordCounts, find_model_folder, load_tokenizer, read_max_tokens

PACKAGE = find_model_folder(PACKAGED)


NO_WEIGHTS = b"\x02" + bytes(7) + b"{}"
"""A file of safetensors without tensors: the length of the header, and the header."""


def folder(at: Path, *names: str, config: str = "{}") -> Path:
    at.mkdir(exist_ok=True)
    for name in names:
        empty = NO_WEIGHTS if name.endswith(".safetensors") else b""
        (at / name).write_bytes(config.encode() if name.endswith("config.json") else empty)
    return at


def test_tokens_are_counted_with_special_ones_and_nothing_is_cut() -> None:
    assert load_tokenizer(PACKAGE).count(["", "a mill", "word " * 1000]) == [2, 4, 1002]
    assert load_tokenizer(PACKAGE).count([]) == []


@given(texts=st.lists(st.text(max_size=40), max_size=5))
def test_texts_counted_together_count_like_texts_alone(texts: list[str]) -> None:
    tokenizer = load_tokenizer(PACKAGE)
    assert tokenizer.count(texts) == [tokenizer.count([text])[0] for text in texts]
    assert tokenizer.count(texts) == [len(ids) for ids in tokenizer.encode(texts)]


BLANKS = st.sampled_from(
    [" ", "\t", "\r\n", "\u00a0", "\u200b", "\u2028", "\x1c", "\u0301", "[SEP]", "##ing", "don't", "漢", "x" * 120]
)


@given(text=st.lists(st.one_of(BLANKS, st.text(max_size=6)), max_size=12).map("".join))
def test_counting_words_once_counts_as_encoding_the_whole_does(text: str) -> None:
    tokenizer = load_tokenizer(PACKAGE)
    assert tokenizer._words is not None
    assert tokenizer.count([text]) == [len(tokenizer.encode([text])[0])]


def test_remembered_words_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.embed.io.tokenizer.MOST_WORDS", 10)
    counts = WordCounts(lambda texts: [2 + len(text) for text in texts])
    assert counts.count([" ".join(f"w{n}" for n in range(20))]) == [2 + 10 * 2 + 10 * 3]
    assert counts.count(["a b", "w1"]) == [4, 4]
    assert len(counts._known) == 3


def test_offsets_are_code_points() -> None:
    assert load_tokenizer(PACKAGE).offsets("\U0001f600 the mill") == [(0, 1), (2, 5), (6, 10)]


def test_a_process_loads_a_tokenizer_once_and_neither_torch_nor_transformers() -> None:
    code = (
        "import sys; from tasks.embed.io.tokenizer import *; folder = find_model_folder(PACKAGED);"
        "load_tokenizer(folder).count(['a']);"
        "assert load_tokenizer(folder) is load_tokenizer(folder); assert not {'torch', 'transformers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_packaged_model_takes_its_own_setting_and_an_option_up_to_its_positions() -> None:
    assert read_max_tokens(PACKAGE, None) == 256
    assert read_max_tokens(PACKAGE, 512) == 512
    with pytest.raises(InputError, match="takes at most 512 tokens"):
        read_max_tokens(PACKAGE, 513)


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"max_position_embeddings": 128}, 128),
        ({"n_positions": 64}, 64),
        ({"max_position_embeddings": 514, "model_type": "xlm-roberta", "pad_token_id": 1}, 512),
    ],
)
def test_without_a_setting_of_its_own_a_model_takes_as_many_tokens_as_positions(
    tmp_path: Path, config: dict[str, object], expected: int
) -> None:
    folder(tmp_path, "config.json", config=json.dumps(config))
    assert read_max_tokens(tmp_path, None) == expected


def test_a_model_without_positions_needs_the_option(tmp_path: Path) -> None:
    folder(tmp_path, "config.json")
    assert read_max_tokens(tmp_path, 1000) == 1000
    with pytest.raises(InputError, match="set max_tokens"):
        read_max_tokens(tmp_path, None)


@pytest.mark.parametrize("model", ["no-such-model", "./no/such", "/no/such/folder", "a/b/c", "owner/", ""])
def test_an_unknown_model_is_an_error_that_says_what_to_give(model: str) -> None:
    with pytest.raises(InputError, match="hub id"):
        find_model_folder(model)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "no config.json"),
        (["config.json", "model.safetensors"], "no tokenizer.json"),
        (["config.json", "tokenizer.json"], r"no \*.safetensors"),
        (["config.json", "tokenizer.json", "pytorch_model.bin"], "pickled weights are never loaded"),
    ],
)
def test_an_incomplete_directory_is_an_error_before_any_work(tmp_path: Path, names: list[str], message: str) -> None:
    folder(tmp_path, *names)
    with pytest.raises(InputError, match=message):
        find_model_folder(str(tmp_path))


def test_broken_files_are_errors_that_name_them(tmp_path: Path) -> None:
    folder(tmp_path, "config.json", "tokenizer.json", "model.safetensors", config="{")
    with pytest.raises(InputError, match=r"tokenizer\.json is not a tokenizer"):
        load_tokenizer(tmp_path)
    with pytest.raises(InputError, match=r"config\.json is not JSON"):
        read_max_tokens(tmp_path, None)
