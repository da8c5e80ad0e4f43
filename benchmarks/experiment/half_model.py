"""A second embedder for benchmarks: every other layer of all-MiniLM-L6-v2, half of its work, and not trained like that."""

import json
import shutil
from pathlib import Path

from tasks.embed.io.tokenizer import PACKAGED, find_model_folder

NAME = "half-of-all-MiniLM-L6-v2"
LAYER = "encoder.layer."


def make_half_model(folder: Path) -> Path:
    """Write the model into `folder`, unless it is there; return its directory."""
    from safetensors.numpy import load_file, save_file

    whole, half = find_model_folder(PACKAGED), folder / NAME
    if (half / "model.safetensors").exists():
        return half
    shutil.copytree(whole, half, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.safetensors", "*.py", "*.bin"))
    config = json.loads((whole / "config.json").read_text())
    n_layers = config["num_hidden_layers"]
    (half / "config.json").write_text(json.dumps({**config, "num_hidden_layers": n_layers // 2}))
    weights = {}
    for name, values in load_file(next(iter(whole.glob("*.safetensors")))).items():
        before, found, after = name.partition(LAYER)
        number, _, rest = after.partition(".")
        if not found:
            weights[name] = values
        elif int(number) % 2 == 0:
            weights[f"{before}{LAYER}{int(number) // 2}.{rest}"] = values
    save_file(weights, half / "model.safetensors")
    return half
