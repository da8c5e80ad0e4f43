"""Train the figure model: draw its set, teach it, calibrate it, measure it, and write it with a card that says what it is."""

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from schemas.errors import InputError
from schemas.options.sections import DescribeOptions, Options
from tasks.describe.figure_types import average_label_vectors
from training.figure_set.captions import TEMPLATES, captions
from training.figure_set.charts.plots import FAMILIES
from training.figure_set.kinds import KINDS
from training.figure_set.pictures import gallery
from training.figure_set.sources import FONTS, INSTALLED, PICTURES, packages, table
from training.figure_set.store import Order, Pictures, draw_set

SIDE, DIMENSION = 192, 256
SEEDS = 1_000_000
"""Seeds of one training; the n-th training, and the n-th try at a figure that cannot be drawn, count on from a multiple of it."""
CALIBRATE_SEED, TEST_SEED, FRESH_SEED = 900_000, 950_000, 990_000
"""Where the figures to calibrate by and to measure by begin among a training's seeds, and those that no training draws."""
CARD = Path(__file__).with_name("figure_set") / "card.md"
logger = logging.getLogger(__name__)


class TrainOptions(Options):
    """How the figure model is trained."""

    figures_per_kind: int = Field(800, ge=8, le=CALIBRATE_SEED, description="figures drawn for each kind")
    tests_per_kind: int = Field(
        40, ge=4, le=FRESH_SEED - TEST_SEED, description="figures of each kind to calibrate by, and as many to measure by"
    )
    views: int = Field(2, ge=1, description="ways in which each figure is seen: cut, stretched, recoloured")
    passes: int = Field(3, ge=1, description="passes over each view")
    first_block: int = Field(
        12, ge=0, le=15, description="first block of the picture tower that learns; those below stay as they are"
    )
    rate: float = Field(5e-4, gt=0, description="highest learning rate")
    seed: int = Field(0, ge=0, description="seed of the drawings, of the views and of the training")


def check_sources(free: str) -> None:
    """Make sure that the free pictures lie where they should, and that the fonts are installed.

    Raises:
        InputError: a kind of pictures, or a font, is missing; other fonts would make it another set.
    """
    from matplotlib.font_manager import get_font_names

    for name, files in gallery(free)._asdict().items():
        if not files:
            raise InputError(f"{free} holds no free {name}: unpack Debian's packages there as {CARD.name} says")
    if missing := sorted(set(FAMILIES) - set(get_font_names())):
        raise InputError(f"matplotlib finds no {', '.join(missing)}: install {', '.join(packages(INSTALLED))}")


def draw(work: Path, options: TrainOptions, free: str) -> tuple[Pictures, Pictures, Pictures]:
    """Return the figures to learn from, to calibrate by and to measure by; the last two are worn twice over."""
    work.mkdir(parents=True, exist_ok=True)
    learn, calibrate, test = (
        draw_set(work / f"figures-{order.first_seed}-{order.per_kind}.npy", order, free) for order in orders(options)
    )
    return learn, calibrate, test


def orders(options: TrainOptions) -> tuple[Order, Order, Order]:
    """Return what is drawn to learn from, to calibrate by and to measure by: seeds apart from each other and from fresh ones."""
    first = options.seed * SEEDS
    return (
        Order(options.figures_per_kind, first, harder=False),
        Order(options.tests_per_kind, first + CALIBRATE_SEED, harder=True),
        Order(options.tests_per_kind, first + TEST_SEED, harder=True),
    )


def learn(sets: tuple[Pictures, Pictures, Pictures], options: TrainOptions, work: Path) -> tuple[Any, NDArray[np.int64]]:
    """Return the trained and calibrated model, and its confusion matrix on the third set: a row for each true kind."""
    import torch

    from training import clip_training

    plan = clip_training.Plan(options.first_block, options.views, options.passes, options.rate, options.seed)
    tower = clip_training.Tower(fresh_model(), plan.first_block)
    views = []
    for seed in range(options.seed + 2, options.seed + 2 + plan.views):
        file = work / f"views-{plan.first_block}-{seed}-{len(sets[0])}.pt"
        views.append(clip_training.kept_views(file, tower, sets[0], SIDE, seed))
    words = [torch.from_numpy(_text_vectors(tower.model, captions(kind))) for kind in KINDS]
    clip_training.train(tower, views, words, plan, lambda turn, loss: logger.info("pass %d: loss %.3f", turn, loss))
    cosines = [_cosines(tower, pictures) for pictures in sets[1:]]
    kinds = [np.arange(len(found)) % len(KINDS) for found in cosines]
    scale = clip_training.calibrated_scale(cosines[0], kinds[0])
    tower.model.logit_scale.data.fill_(float(np.log(scale)))
    confusion = np.zeros((len(KINDS), len(KINDS)), np.int64)
    np.add.at(confusion, (kinds[1], cosines[1].argmax(axis=1)), 1)
    return tower.model, confusion


def fresh_model() -> Any:
    """Return the dual encoder as it is before training: EfficientNet-Lite0's weights, MiniLM, new projections."""
    import tempfile

    from transformers import BertConfig, EfficientNetConfig, VisionTextDualEncoderConfig

    from tasks.describe.io.clip import build_dual_encoder
    from tasks.embed.io.tokenizer import PACKAGED, find_model_folder
    from training.clip_training import starting_weights

    vision = EfficientNetConfig(
        image_size=SIDE, width_coefficient=1.0, depth_coefficient=1.0, hidden_dim=1280, hidden_size=1280, hidden_act="relu6",
        batch_norm_eps=1e-3, batch_norm_momentum=0.01, drop_connect_rate=0.0,
    )  # fmt: skip
    text = BertConfig.from_pretrained(find_model_folder(PACKAGED))
    with tempfile.TemporaryDirectory() as folder:
        VisionTextDualEncoderConfig.from_vision_text_configs(vision, text, projection_dim=DIMENSION).save_pretrained(folder)
        model = build_dual_encoder(Path(folder))
    model.vision_model.load_state_dict(starting_weights(model.vision_model.state_dict()))
    return model


def _text_vectors(model: Any, texts: Sequence[str]) -> NDArray[np.float32]:
    """Return MiniLM's own vectors of texts, of length 1."""
    import torch
    from transformers import AutoTokenizer

    from tasks.embed.io.tokenizer import PACKAGED, find_model_folder

    tokenizer = AutoTokenizer.from_pretrained(find_model_folder(PACKAGED))
    with torch.no_grad():
        found = model.text_model(**tokenizer(list(texts), padding=True, return_tensors="pt")).pooler_output
    vectors: NDArray[np.float32] = torch.nn.functional.normalize(found, dim=-1).numpy()
    return vectors


def _cosines(tower: Any, pictures: Pictures) -> NDArray[np.float32]:
    """Return the similarity of each picture with each kind, as typing computes it."""
    import torch

    from training.clip_training import lower_views

    prompts = DescribeOptions().prompts
    with torch.no_grad():
        texts = [
            tower.caption_vectors(torch.from_numpy(_text_vectors(tower.model, [p.format(kind) for p in prompts])))
            for kind in KINDS
        ]
        labels = average_label_vectors([found.numpy() for found in texts])
        vectors = torch.cat(
            [tower.vectors(part, learn=False) for part in torch.split(lower_views(tower, pictures, SIDE, None), 64)]
        ).numpy()
    found: NDArray[np.float32] = vectors @ labels.T
    return found


def write_model(model: Any, confusion: NDArray[np.int64], options: TrainOptions, out: Path) -> dict[str, Any]:
    """Write the model without its text tower, with preprocessor and card, to the folder `out`; return its figures."""
    import torch
    from safetensors.torch import save_file

    out.mkdir(parents=True, exist_ok=True)
    kept = {name: value for name, value in model.state_dict().items() if not name.startswith("text_model.")}
    halved = {name: (value.to(torch.float16) if value.ndim > 1 else value).contiguous() for name, value in kept.items()}
    save_file(halved, out / "model.safetensors", metadata={"format": "pt"})
    model.config.save_pretrained(out)
    mean, std = [127 / 255] * 3, [128 / 255] * 3
    preprocessor = {
        "do_center_crop": False,
        "size": {"width": SIDE, "height": SIDE},
        "resample": 3,
        "image_mean": mean,
        "image_std": std,
    }
    (out / "preprocessor_config.json").write_text(json.dumps(preprocessor, indent=2) + "\n")
    figures = {"accuracy": float(np.trace(confusion) / confusion.sum()), "scale": float(model.logit_scale.detach().exp())}
    (out / "README.md").write_text(card(confusion, figures, options), encoding="utf-8")
    return figures


def card(confusion: NDArray[np.int64], figures: dict[str, float], options: TrainOptions) -> str:
    """Return the model's card, filled with what was measured."""
    head = "| true \\ found | " + " | ".join(KINDS) + " |\n|" + "---|" * (len(KINDS) + 1)
    rows = [
        f"| {kind} | " + " | ".join(str(n) if n else "" for n in row) + " |"
        for kind, row in zip(KINDS, confusion.tolist(), strict=True)
    ]
    facts = options.model_dump() | {"figures": options.figures_per_kind * len(KINDS), "tests": int(confusion.sum())}
    return CARD.read_text(encoding="utf-8").format(
        **facts,
        side=SIDE,
        dimension=DIMENSION,
        sources=table([*PICTURES, *FONTS, *INSTALLED]),
        packages=" ".join(packages([*PICTURES, *FONTS])),
        installed=" ".join(packages(INSTALLED)),
        accuracy=figures["accuracy"],
        scale=figures["scale"],
        templates=len(TEMPLATES),
        confusion="\n".join([head, *rows]),
    )
