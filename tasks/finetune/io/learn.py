"""Learn: a transformer by InfoNCE, in float32 and without dropout, so that equal calls on one machine give equal weights.

A step's vectors are made twice: first all of them without gradients, which gives the loss and its gradient by each vector; then
in small batches with gradients, which take theirs from it. Memory is that of a small batch, and the result that of the whole
step (Gao et al. 2021, arXiv:2101.06983).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from schemas.errors import InputError
from schemas.options.finetune import FinetuneOptions
from schemas.options.sections import EmbedOptions
from tasks.embed.io import model_files, providers, tokenizer
from tasks.embed.io.device import choose_device, send_to_device
from tasks.embed.io.model_folders import load_model
from tasks.embed.io.too_long import fit_rows
from tasks.embed.io.torch_engine import pad_rows, pool_states
from tasks.embed.provider import add_prompt
from tasks.finetune.examples import Example, Step, compute_learning_rate_share, count_training_steps, make_training_steps
from tasks.finetune.infonce import Loss, Matrix, info_nce

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel

BATCH_TOKENS = 2048
"""Tokens of a small batch with gradients, padding included: about a GB for a model of MiniLM's size."""
WEIGHT_DECAY = 0.01
MOST_GRADIENT = 1.0
"""Longer gradients of a step are shortened to this length, as is usual for transformers."""

Ids = Sequence[Sequence[int]]
OnStep = Callable[[int, int, float], None]
"""Takes the number of a step from 1, the number of all steps, and the step's loss."""


def ignore_training_step(step: int, total: int, loss: float) -> None:
    """Do nothing after a step."""


class TunedModel(NamedTuple):
    """A tuned model, and the loss of each step."""

    model: Any
    losses: list[float]


class Learner:
    """A transformer that can learn: its model in torch, and how texts become vectors of length 1."""

    def __init__(self, options: EmbedOptions, seed: int) -> None:
        """Load the model.

        Raises:
            InputError: it cannot be loaded.
        """
        import torch

        self.folder = tokenizer.find_model_folder(options.model)
        self.prompts = providers.resolve_prompts(options)
        self.dimension = model_files.shorten_dimension(self.folder, model_files.read_dimension(self.folder), options.dimensions)
        self.device = choose_device(options.device)
        torch.manual_seed(seed)
        self.model = load_model(self.folder, "model", spare=("pooler.",)).eval().to(self.device)
        self._pooling = model_files.read_pooling(self.folder)
        self._limit = tokenizer.read_max_tokens(self.folder, options.max_tokens)

    def tokenize_texts(self, texts: Sequence[str]) -> Ids:
        """Return the token ids of texts that have their prompts; the ends of long ones are cut off."""
        encode = tokenizer.load_tokenizer(self.folder).encode
        [special] = encode([""])
        return fit_rows(encode(texts), special, self._limit, "truncate").rows

    def embed_token_ids(self, ids: Ids) -> "torch.Tensor":
        """Return one vector of length 1 for each row of token ids."""
        import torch

        rows, mask = pad_rows(ids, self.model.config.pad_token_id or 0)
        attended = send_to_device(mask, self.device)
        states = self.model(input_ids=send_to_device(rows, self.device), attention_mask=attended).last_hidden_state
        return torch.nn.functional.normalize(pool_states(states, attended, self._pooling)[:, : self.dimension], dim=1)


def tune_model(
    options: EmbedOptions,
    tuning: FinetuneOptions,
    examples: Sequence[Example],
    texts: Sequence[str],
    negatives: Sequence[Sequence[int]],
    on_step: OnStep = ignore_training_step,
) -> TunedModel:
    """Return the model of `options` after learning from `examples`, whose gold and `negatives` are rows of `texts`.

    `on_step` is called after each step.

    Raises:
        InputError: the model cannot be loaded, or the loss is not a number any more: the learning rate is too high.
    """
    learner = Learner(options, tuning.seed)
    questions = learner.tokenize_texts(add_prompt(learner.prompts.query, [one.question for one in examples]))
    used = sorted({*(row for one in examples for row in one.gold), *(row for of_one in negatives for row in of_one)})
    chunks = dict(
        zip(used, learner.tokenize_texts(add_prompt(learner.prompts.document, [texts[row] for row in used])), strict=True)
    )
    total, losses = count_training_steps(len(examples), tuning.batch_questions, tuning.epochs), list[float]()
    with compute_deterministically(learner.device):
        optimizer, schedule = _make_optimizer(learner.model, tuning, total)
        for step in make_training_steps(examples, negatives, tuning.batch_questions, tuning.epochs, tuning.seed):
            ids = [*(questions[row] for row in step.examples), *(chunks[row] for row in step.chunks)]
            losses.append(_take_training_step(learner, ids, step, tuning.temperature, optimizer))
            if not np.isfinite(losses[-1]):
                raise InputError(f"the loss is {losses[-1]} after {len(losses)} steps: lower finetune.learning_rate")
            schedule.step()
            on_step(len(losses), total, losses[-1])
    return TunedModel(learner.model, losses)


def _make_optimizer(
    model: "PreTrainedModel", tuning: FinetuneOptions, total: int
) -> "tuple[torch.optim.Optimizer, torch.optim.lr_scheduler.LambdaLR]":
    import torch

    optimizer = torch.optim.AdamW(model.parameters(), lr=tuning.learning_rate, weight_decay=WEIGHT_DECAY)
    return optimizer, torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: compute_learning_rate_share(step, total, tuning.warmup)
    )


def _take_training_step(learner: Learner, ids: Ids, step: Step, temperature: float, optimizer: "torch.optim.Optimizer") -> float:
    """Change the weights by one step; return its loss. `ids` are those of the step's questions, then those of its chunks."""
    import torch

    n_questions, batches = len(step.examples), list(_make_small_batches(ids))
    made = np.empty((len(ids), learner.dimension), dtype=np.float64)
    with torch.no_grad():
        for rows in batches:
            made[rows] = learner.embed_token_ids([ids[row] for row in rows]).double().cpu().numpy()
    loss: Loss = info_nce(made[:n_questions], made[n_questions:], step.positives, step.allowed, temperature)
    if not np.isfinite(loss.value):
        return loss.value
    gradient: Matrix = np.concatenate([loss.by_questions, loss.by_chunks])
    optimizer.zero_grad()
    for rows in batches:
        vectors: Any = learner.embed_token_ids([ids[row] for row in rows])
        vectors.backward(send_to_device(gradient[rows].astype(np.float32), learner.device))
    torch.nn.utils.clip_grad_norm_(learner.model.parameters(), MOST_GRADIENT)
    optimizer.step()
    return loss.value


def _make_small_batches(ids: Ids) -> Iterator[list[int]]:
    """Yield rows of similar length, so that they are at most BATCH_TOKENS tokens with padding, or one text."""
    order = sorted(range(len(ids)), key=lambda row: (len(ids[row]), row))
    batch: list[int] = []
    for row in order:
        if batch and (len(batch) + 1) * len(ids[row]) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(row)
    yield batch


@contextmanager
def compute_deterministically(device: str) -> Iterator[None]:
    """Compute with gradients, and on a CPU in a fixed order, for the length of the block."""
    import torch

    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(before or device == "cpu")
    try:
        with torch.enable_grad():
            yield
    finally:
        torch.use_deterministic_algorithms(before)


def find_base_model_folder(options: EmbedOptions) -> Path:
    """Return the folder of the model that is tuned."""
    return tokenizer.find_model_folder(options.model)
