import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from schemas.errors import InputError
from schemas.options.sections import DescribeOptions
from tasks.describe.io.classify import classify_pictures
from tasks.describe.io.clip import BATCH, Clip, Preprocessor, read_preprocessor
from tasks.describe.io.clip_files import BUNDLED, BUNDLED_DIR, find_clip_folder, gather_clip_facts
from tasks.embed.batching import Budget
from tests.tasks.describe.io.test_figure_ocr import saved
from tests.training.fresh import fresh_figure
from training.figure_set.kinds import KINDS


def towers(kind: str) -> dict[str, Any]:
    text = {"vocab_size": 120, "hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    text |= {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
    vision = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "image_size": 32}
    return {
        "text_config": text,
        "vision_config": {**vision, "patch_size": 16},
        **({"projection_dim": 16} if kind == "clip" else {}),
    }


def random_model(folder: Path, kind: str, safe: bool = True) -> Path:
    """Save a small model with random weights, as the hub would hold it."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import CLIPConfig, CLIPModel, PreTrainedTokenizerFast, SiglipConfig, SiglipModel

    torch.manual_seed(0)
    model = CLIPModel(CLIPConfig(**towers(kind))) if kind == "clip" else SiglipModel(SiglipConfig(**towers(kind)))
    model.save_pretrained(folder)
    words = ["<pad>", "<s>", "</s>", "<unk>", *sorted({word for name in KINDS for word in name.split()} | {"a", "of", "image"})]
    backend = Tokenizer(models.WordLevel({word: n for n, word in enumerate(words)}, unk_token="<unk>"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    names = {"pad_token": "<pad>", "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
    PreTrainedTokenizerFast(tokenizer_object=backend, model_max_length=32, **names).save_pretrained(folder)
    size = (
        {"size": {"shortest_edge": 32}, "crop_size": {"height": 32, "width": 32}}
        if kind == "clip"
        else {"size": {"height": 32, "width": 32}}
    )
    (folder / "preprocessor_config.json").write_text(json.dumps(size))
    if not safe:
        (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    return folder


@pytest.mark.parametrize("kind", ["clip", "siglip"])
def test_any_clip_or_siglip_types_figures(tmp_path: Path, kind: str) -> None:
    options = DescribeOptions(clip_model=str(random_model(tmp_path, kind)), min_type_confidence=0)
    classes = classify_pictures([saved(Image.new("RGB", (50, 20), ink)) for ink in ("red", "blue", "red")], options)
    assert all(figure_class.kind in KINDS for figure_class in classes)
    assert classes[0] == classes[2] != classes[1]
    assert np.isclose(np.linalg.norm(classes[0].embedding or ()), 1, atol=1e-5)


@pytest.mark.slow
def test_the_bundled_model_knows_figures_that_no_training_draws() -> None:
    images = [saved(fresh_figure(n, kind).picture) for kind in KINDS for n in range(2)]
    found = [figure_class.kind for figure_class in classify_pictures(images, DescribeOptions())]
    assert sum(kind == KINDS[n // 2] for n, kind in enumerate(found)) >= 0.88 * len(images)


def test_the_bundled_model_is_small_enough_to_ship() -> None:
    assert (BUNDLED_DIR / "model.safetensors").stat().st_size <= 25_000_000


def test_a_gpu_gets_more_pictures_at_once_until_its_memory_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    sizes: list[int] = []

    class Features:
        def get_image_features(self, pixel_values: Any) -> Any:
            if len(pixel_values) > 40:
                raise torch.OutOfMemoryError("CUDA out of memory")
            sizes.append(len(pixel_values))
            return pixel_values.reshape(len(pixel_values), -1)

    clip, budget = Clip(BUNDLED, "cpu"), Budget(BATCH, fixed=False)
    monkeypatch.setattr(clip, "_loaded", clip._loaded._replace(model=Features(), budget=budget))
    found = clip.pictures([np.full((1, 1, 2), n + 1, np.float32) for n in range(100)])
    assert np.allclose(found, np.sqrt(0.5))
    assert sizes == [16, 32, 26, 26]
    assert budget.tokens == 26


def test_texts_and_pictures_meet_in_one_space() -> None:
    clip = Clip(BUNDLED)
    picture = clip.pictures([clip.prepare(fresh_figure(1, "pie chart", hurt=False).picture)])
    near, far = clip.texts(["pie chart of revenue by region", "a page of text"]) @ picture[0]
    assert near > far


@pytest.mark.parametrize("missing", ["config.json", "tokenizer.json", "preprocessor_config.json"])
def test_a_folder_without_a_needed_file_is_refused_by_name(tmp_path: Path, missing: str) -> None:
    random_model(tmp_path, "clip")
    (tmp_path / missing).unlink()
    with pytest.raises(InputError, match=missing):
        find_clip_folder(str(tmp_path))


def test_pickled_weights_other_models_and_unknown_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="pickled weights are never loaded"):
        find_clip_folder(str(random_model(tmp_path / "a", "clip", safe=False)))
    other = random_model(tmp_path / "b", "siglip")
    (other / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(InputError, match="bert"):
        find_clip_folder(str(other))
    with pytest.raises(InputError, match="no CLIP model"):
        find_clip_folder("no-such-model")


def test_other_weights_are_other_facts(tmp_path: Path) -> None:
    first, second = gather_clip_facts(BUNDLED), gather_clip_facts(str(random_model(tmp_path, "clip")))
    assert first["weights"] != second["weights"]
    assert "text_tower" in first


def test_a_crop_takes_the_middle_and_a_stretch_takes_all() -> None:
    picture = Image.new("RGB", (30, 10), "white")
    picture.paste("black", (10, 0, 20, 10))
    crop, stretch = (Preprocessor((4, 4), shortest, 0, (0, 0, 0), (1, 1, 1)) for shortest in (4, None))
    assert crop(picture).max() == 0
    assert stretch(picture).max() == 1 and stretch(picture).min() == 0


def test_a_preprocessor_without_a_size_is_refused(tmp_path: Path) -> None:
    (tmp_path / "preprocessor_config.json").write_text("{}")
    with pytest.raises(InputError, match="no picture size"):
        read_preprocessor(tmp_path)
