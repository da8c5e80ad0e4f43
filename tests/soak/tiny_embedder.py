"""An embedder made for tests: one layer of random weights and a vocabulary of characters, a few kB."""

import string
from pathlib import Path

DIMENSION = 16
POSITIONS = 128


def make_embedder(folder: Path, dimension: int = DIMENSION) -> Path:
    """Write the model and its tokenizer; every call with one dimension writes the same bytes."""
    import torch
    from transformers import BertConfig, BertModel

    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = _vocabulary()
    _tokenizer(vocabulary).save(str(folder / "tokenizer.json"))
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=dimension,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=dimension,
        max_position_embeddings=POSITIONS,
    )
    BertModel(config, add_pooling_layer=False).save_pretrained(folder, safe_serialization=True)
    return folder


def _vocabulary() -> dict[str, int]:
    letters = string.ascii_lowercase + string.digits + string.punctuation
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters, *("##" + letter for letter in letters)]
    return {piece: number for number, piece in enumerate(pieces)}


def _tokenizer(vocabulary: dict[str, int]):  # type: ignore[no-untyped-def]
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", vocabulary["[SEP]"]), ("[CLS]", vocabulary["[CLS]"]))
    return tokenizer
