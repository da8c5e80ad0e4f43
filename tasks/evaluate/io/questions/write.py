"""Write: questions as Pagemill's JSON lines, and beside them those that were refused."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from schemas.errors import InputError
from tasks.evaluate.gold import Question
from tasks.evaluate.questions.drafts import RefusedQuestion
from tasks.store import files


def check_out(out: Path, source: Path | None = None) -> None:
    """Check that questions can be written to `out`, before anything is computed.

    Raises:
        InputError: it is a folder or the `source` of the questions, or its own folder does not exist.
    """
    if out.is_dir():
        raise InputError(f"--out {out} is a folder: name a file, such as questions.jsonl")
    if not out.resolve().parent.is_dir():
        raise InputError(f"--out {out}: its folder does not exist: make it, or name another file")
    if source is not None and out.resolve() == source.resolve():
        raise InputError(f"--out {out} is the file that is read: name another file")


def write_questions(out: Path, questions: Sequence[Question], refused: Sequence[RefusedQuestion]) -> Path:
    """Write the questions, and the refused ones beside them; return the file of these, which is there only if there are some.

    Without questions, `out` is left as it is.

    Raises:
        WriteError: they cannot be written.
    """
    beside = path_of_refused(out)
    if questions:
        files.put(out, _lines([question.model_dump(exclude_none=True) for question in questions]))
    if refused:
        files.put(beside, _lines([one.model_dump() for one in refused]))
    else:
        beside.unlink(missing_ok=True)
    return beside


def path_of_refused(out: Path) -> Path:
    """Return the file for refused questions.

    >>> path_of_refused(Path("night/questions.jsonl")).name
    'questions.refused.jsonl'
    """
    return out.with_name(f"{out.name.removesuffix('.jsonl')}.refused.jsonl")


def _lines(rows: Sequence[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
