"""A CUDA device that is none: the CPU computes under its name, with as much memory and as many types as a test grants it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tasks.embed.io import device, torch_engine


class FakeCuda:
    """A device that holds a model and `room` tokens of a batch, and computes in all types but `broken` ones."""

    def __init__(self, room: int = 1 << 30, broken: Sequence[str] = (), holds_models: bool = True) -> None:
        self.room, self.broken, self.holds_models = room, broken, holds_models
        self.batches: list[int] = []
        self.computed: list[tuple[str, str]] = []
        self._backbone, self._run = torch_engine._make_backbone, torch_engine._run_batch

    def install(self, monkeypatch: pytest.MonkeyPatch) -> "FakeCuda":
        """Have torch and the engine find this device until the test ends."""
        import torch

        monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
        monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
        monkeypatch.setattr(torch.cuda, "empty_cache", lambda: None)
        monkeypatch.setattr(torch_engine, "_make_backbone", self.backbone)
        monkeypatch.setattr(torch_engine, "_run_batch", self.run)
        torch_engine._load.cache_clear()
        device._warn.cache_clear()
        return self

    def backbone(self, folder: Path, place: str, dtype: Any) -> torch_engine.Backbone:
        import torch

        if place == "cuda" and not self.holds_models:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.\nSee the documentation")
        made = self._backbone(folder, "cpu", dtype)
        return made._replace(device=place, model=made.model.to(dtype) if place == "cuda" else made.model)

    def run(self, backbone: torch_engine.Backbone, ids: Sequence[Sequence[int]], pooling: Any) -> Any:
        import torch

        name = str(backbone.dtype).removeprefix("torch.")
        if backbone.device == "cuda":
            tokens = len(ids) * max(map(len, ids))
            if tokens > self.room:
                raise torch.OutOfMemoryError("CUDA out of memory")
            if name in self.broken:
                raise RuntimeError(f"no kernel image for {name}\nCompile with TORCH_USE_CUDA_DSA")
            self.batches.append(tokens)
        self.computed.append((backbone.device, name))
        return self._run(backbone._replace(device="cpu"), ids, pooling)
