"""Kept answers: one small JSON file for each answer, named by the SHA-256 of what was asked."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from tasks.store import files


class Completion(BaseModel):
    """What a model answered: its words, or why it refused. `finish` is the endpoint's reason for the end, such as `length`."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    content: str
    refusal: str = ""
    finish: str = ""


class AnswerCache:
    """The answers in a folder. Processes and threads may share one: a file appears at once, with all its content."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str) -> Completion | None:
        """Return the answer with this key, or None if there is none."""
        try:
            return Completion.model_validate_json(self._path(key).read_bytes())
        except (FileNotFoundError, ValidationError):  # a file of another version, or a damaged one, is asked for again
            return None

    def put(self, key: str, completion: Completion) -> None:
        """Keep an answer.

        Raises:
            WriteError: it cannot be written.
        """
        files.put(self._path(key), completion.model_dump_json().encode())

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"
