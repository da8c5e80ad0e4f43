"""The documents and questions of the chunking kit as an experiment takes them."""

import json
import shutil
from pathlib import Path
from typing import Any

from schemas.options.experiment import ExperimentOptions
from tasks.experiment.io.config import find_design_file, read_experiment_config


def draw_kit(kit: Path, folder: Path) -> dict[str, str]:
    """Write the kit's texts and its questions into `folder`; return the paths of both by the name of the option."""
    source, questions = folder / "source", folder / "questions.jsonl"
    source.mkdir(parents=True, exist_ok=True)
    for path in sorted((kit / "corpora").glob("*.md")):
        if not (source / path.name).exists():
            shutil.copyfile(path, source / path.name)
    rows = map(json.loads, (kit / "questions.jsonl").read_text(encoding="utf-8").splitlines())
    questions.write_text("".join(json.dumps(_question(row)) + "\n" for row in rows))
    return {"source": str(source), "questions": str(questions)}


def _question(row: dict[str, Any]) -> dict[str, Any]:
    document = f"{row['corpus']}.md"
    gold = [{"document": document, "start": at["start"], "end": at["end"], "quote": at["text"]} for at in row["references"]]
    return {"id": row["id"], "question": row["question"], "domain": row["corpus"], "gold": gold}


def design_options(name: str, places: dict[str, str], embedders: list[Path] | None = None) -> ExperimentOptions:
    """Return a design on the kit, with further `embedders`."""
    options = read_experiment_config(find_design_file(name), places)
    more = [options.embedders[0].model_copy(update={"model": str(path)}) for path in embedders or []]
    return options.model_copy(update={"embedders": (*options.embedders, *more)})
