import shutil
from pathlib import Path

import pytest

from tasks.embed.io.tokenizer import PACKAGED, find_model_folder


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small BERT with random weights and the packaged model's tokenizer."""
    import torch
    from transformers import BertConfig, BertModel

    folder = tmp_path_factory.mktemp("tiny")
    torch.manual_seed(0)
    config = BertConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64, max_position_embeddings=64
    )
    BertModel(config).save_pretrained(folder, safe_serialization=True)
    shutil.copy(find_model_folder(PACKAGED) / "tokenizer.json", folder)
    return folder


@pytest.fixture
def copy(tiny: Path, tmp_path: Path) -> Path:
    """A copy of the tiny model, to be altered."""
    return Path(shutil.copytree(tiny, tmp_path / "model"))
