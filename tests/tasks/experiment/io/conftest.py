import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schemas.options.experiment import ExperimentOptions
from tasks.embed.io.embedder import Embedder
from tests.soak.tiny_embedder import make_embedder

TEXTS = {
    "animals.md": "# Animals\n\nThe heron stands in shallow water. It waits for fish.\n\nBadgers dig setts in woodland.\n\n"
    "Otters float in kelp. They hold hands when they sleep.",
    "mill.txt": "The mill was built in 1804. A flood took its wheel in 1866. It ground corn until 1931.",
    "pump.txt": "Put the pump on level ground. Fill it with water. Clean the filter every month.",
}
QUESTIONS: list[dict[str, Any]] = [
    {"id": "1", "question": "Where does the heron stand?", "gold": [{"document": "animals.md", "quote": "shallow water"}]},
    {"id": "2", "question": "Who holds hands?", "gold": [{"document": "animals.md", "quote": "kelp. They hold"}]},
    {
        "id": "3",
        "question": "When did it flood?",
        "gold": [{"document": "mill.txt", "quote": "flood took its wheel in 1866"}],
    },
    {
        "id": "4",
        "question": "Cleaned?",
        "gold": [{"document": "pump.txt", "quote": "Clean the filter"}],
        "domain": "care",
    },
    {"id": "5", "question": "How is a pump set up?", "documents": ["pump.txt"]},
]


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(make_embedder(tmp_path_factory.mktemp("model")))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    return asking(tmp_path, QUESTIONS)


def asking(folder: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path = folder / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


@pytest.fixture
def options(source: Path, questions: Path, tiny_model: str) -> ExperimentOptions:
    """Two chunkers, each searched in two ways."""
    return ExperimentOptions.model_validate(
        {
            "source": str(source),
            "questions": str(questions),
            "chunkers": [{"strategy": ["sentence", "recursive"], "size_tokens": 64}],
            "embedders": [{"model": tiny_model, "engine": "torch"}],
            "ranking": ["dense", "sum"],
            "returned": ["chunks"],
            "cutoffs": [1, 3],
            "bootstrap_samples": 100,
        }
    )


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that an embedder is given; it works as always."""
    given: list[str] = []
    encode = Embedder.encode

    def counting(self: Embedder, texts: Sequence[str], *tokens: Any) -> np.ndarray:
        given.extend(texts)
        return encode(self, texts, *tokens)

    monkeypatch.setattr(Embedder, "encode", counting)
    return given
