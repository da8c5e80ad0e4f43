"""Questions about the small documents."""

import json
from pathlib import Path


def questions_in(folder: Path) -> str:
    """Write three questions into the folder; return their file."""
    asked = [("Where does the heron stand?", "notes.txt", "stands in the river"), ("Who writes?", "sub/letter.txt", "Charles")]
    asked += [("When was the mill built?", "history.txt", "built in 1804")]
    lines = [
        {"id": str(at), "question": question, "gold": [{"document": path, "quote": quote}]}
        for at, (question, path, quote) in enumerate(asked)
    ]
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return str(folder / "questions.jsonl")
