"""Models of drawn weights, in the shape of large ones, as a folder from the hub would hold them."""

import json
import shutil
from pathlib import Path

from benchmarks.cuda.settings import Shape
from tasks.embed.io.tokenizer import PACKAGED, find_model_folder

TOKENIZER = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt")
MOST_TOKENS = 512


def drawn_bert(folder: Path, shape: Shape) -> Path:
    """Save a BERT of `shape` with drawn weights in 16 bits and the packaged model's tokenizer: that of e5-large is the same."""
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(0)
    config = BertConfig(
        hidden_size=shape.hidden,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=shape.inner,
        max_position_embeddings=MOST_TOKENS,
    )
    BertModel(config, add_pooling_layer=False).half().save_pretrained(folder)
    for name in TOKENIZER:
        if (find_model_folder(PACKAGED) / name).is_file():
            shutil.copy(find_model_folder(PACKAGED) / name, folder)
    return folder


def operations(shape: Shape, lengths: list[int]) -> float:
    """Return the operations of matrix products and attention that texts of so many tokens need, without padding."""
    linear = 2 * (4 * shape.hidden**2 + 2 * shape.hidden * shape.inner)
    return float(shape.layers * sum(n * linear + 4 * n * n * shape.hidden for n in lengths))


def drawn_clip(folder: Path, layers: int, labels: tuple[str, ...]) -> Path:
    """Save a CLIP with drawn weights; with 12 `layers` of vision it has the shape of ViT-B/32. Its tokenizer knows `labels`."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import CLIPConfig, CLIPModel, PreTrainedTokenizerFast

    torch.manual_seed(0)
    words = ["<pad>", "<s>", "</s>", "<unk>", *sorted({word for label in labels for word in label.split()})]
    text = {
        "vocab_size": len(words),
        "num_hidden_layers": min(layers, 12),
        "pad_token_id": 0,
        "bos_token_id": 1,
        "eos_token_id": 2,
    }
    CLIPModel(CLIPConfig(text_config=text, vision_config={"num_hidden_layers": layers})).save_pretrained(folder)
    backend = Tokenizer(models.WordLevel({word: n for n, word in enumerate(words)}, unk_token="<unk>"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    names = {"pad_token": "<pad>", "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
    PreTrainedTokenizerFast(tokenizer_object=backend, model_max_length=77, **names).save_pretrained(folder)
    size = {"size": {"shortest_edge": 224}, "crop_size": {"height": 224, "width": 224}}
    (folder / "preprocessor_config.json").write_text(json.dumps(size))
    return folder
