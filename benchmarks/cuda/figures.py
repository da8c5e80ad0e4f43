"""Pictures a second: the bundled CLIP and one of ViT-B/32's shape, with decoding on the cores at the same time."""

import io
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import numpy as np

from benchmarks.cuda.models import drawn_clip
from benchmarks.cuda.settings import Setting
from schemas.options.sections import DescribeOptions
from tasks.describe.io.classify import classify_pictures
from tasks.describe.io.clip import Clip
from tasks.describe.io.figure_ocr import open_picture

WIDTH, HEIGHT = 800, 600
BARS = 12


def measure_figures(setting: Setting) -> None:
    """A.4: pictures a second as a refresh classifies them, decoding alone, and the model alone."""
    pictures = drawn_pictures(setting.sizes.pictures)
    vit = drawn_clip(setting.folder / "vit", setting.sizes.vit_layers, DescribeOptions().labels)
    prompts = ("{}",)
    for name, options in {
        "bundled CLIP": DescribeOptions(device=setting.card.device),
        "ViT-B/32": DescribeOptions(device=setting.card.device, clip_model=str(vit), prompts=prompts),
    }.items():
        classify_pictures(pictures[: len(pictures) // 4], options)
        setting.results.add("figures", f"{name}", _rate(setting, pictures, options), "pictures a second")
        clip = Clip(options.clip_model, options.device)
        began = time.perf_counter()
        with ThreadPoolExecutor() as cores:
            prepared = list(cores.map(lambda data, clip=clip: clip.prepare(open_picture(data)), pictures))
        setting.results.add(
            "figures", f"{name}, decoding alone", len(pictures) / (time.perf_counter() - began), "pictures a second"
        )
        clip.pictures(prepared)
        began = time.perf_counter()
        clip.pictures(prepared)
        setting.results.add("figures", f"{name}, model alone", len(pictures) / (time.perf_counter() - began), "pictures a second")


def _rate(setting: Setting, pictures: Sequence[bytes], options: DescribeOptions) -> float:
    seconds = []
    for _ in range(setting.sizes.rounds):
        began = time.perf_counter()
        classes = classify_pictures(pictures, options)
        seconds.append(time.perf_counter() - began)
        assert all(found.embedding is not None for found in classes)
    return len(pictures) / median(seconds)


def drawn_pictures(n: int) -> list[bytes]:
    """Return `n` different charts as PNG and JPEG in turns."""
    with ThreadPoolExecutor() as cores:
        return list(cores.map(_draw, range(n)))


def _draw(seed: int) -> bytes:
    from PIL import Image, ImageDraw

    chance = np.random.default_rng(seed)
    noise = chance.integers(235, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)
    picture = Image.fromarray(noise)
    pen = ImageDraw.Draw(picture)
    for n, height in enumerate(chance.integers(20, HEIGHT - 60, BARS).tolist()):
        left = 40 + n * (WIDTH - 80) // BARS
        pen.rectangle((left, HEIGHT - 40 - height, left + 40, HEIGHT - 40), fill=tuple(chance.integers(0, 200, 3).tolist()))
        pen.text((left, HEIGHT - 35), f"{height} %", fill="black")
    file = io.BytesIO()
    picture.save(file, "PNG" if seed % 2 else "JPEG", compress_level=1)
    return file.getvalue()
