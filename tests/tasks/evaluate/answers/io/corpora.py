"""What the tests of answers share: a small corpus, questions about it, and an endpoint that reads and judges."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from schemas.corpus import Corpus
from schemas.options.chat import ChatOptions
from schemas.options.sections import EvaluateOptions
from tasks.evaluate.io import score
from tasks.evaluate.io.logs import score_and_log_evaluation
from tests.chat_endpoint import ChatEndpoint, Reply, says

TEXTS = {
    "animals.txt": "The heron stands in shallow water.\nBadgers dig setts in woodland.\nOtters float in kelp.",
    "it's.txt": "Copper conducts electricity.\nGlass is brittle.",
}
HERON = {"id": "heron", "question": "Where does the heron stand?", "documents": ["animals.txt"], "answer": "in shallow water"}
GLASS = {"id": "glass", "question": "Is glass brittle?", "documents": ["it's.txt"]}
UNKNOWN = {"id": "unknown", "question": "flamingo", "documents": ["animals.txt"], "answer": "pink"}
GRADES = {"relevance": 5, "completeness": 4, "coherence": 5, "support": [3]}

Values = dict[tuple[str, int], tuple[Any, int]]
"""Means and how many questions have them, by metric and budget."""


class Reader(ChatEndpoint):
    """Answers readers with `reply` and judges with the next of `grades`, the last one for ever."""

    def __init__(self, reply: str = "shallow water", *grades: Any) -> None:
        super().__init__(says("nothing"))
        self._reply, self._grades = reply, list(grades or (GRADES,))

    def reply(self, body: Mapping[str, Any]) -> Reply:
        if "You judge" not in body["messages"][0]["content"]:
            return says(self._reply)
        grades = self._grades.pop(0) if len(self._grades) > 1 else self._grades[0]
        return says(grades if isinstance(grades, str) else json.dumps(grades))


def options(**given: Any) -> EvaluateOptions:
    return EvaluateOptions(
        **{"mode": "fts", "returned": "chunks", "cutoffs": (1,), "budgets": (100,), "bootstrap_samples": 100, **given}
    )


def asking(folder: Path, *questions: Mapping[str, Any]) -> str:
    path = folder / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, questions)))
    return str(path)


def evaluated(corpus: str, questions: str, options: EvaluateOptions, chat: ChatOptions | None = None) -> Values:
    evaluation = score.start_evaluation("run", Corpus(corpus), questions, options, chat)
    rows = score_and_log_evaluation(evaluation, score.locate_gold(evaluation))
    return {
        (row["metric"], row["cutoff"]): (row["value"], row["n"])
        for row in rows
        if (row["split"], row["domain"]) == ("all", "all") and row["metric"].startswith(("answer_", "judge_"))
    }
