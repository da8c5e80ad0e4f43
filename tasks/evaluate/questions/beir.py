"""BEIR: queries, passages, and judgements of which passages answer which query. No document is named.

The form is that of https://github.com/beir-cellar/beir: corpus.jsonl, queries.jsonl and qrels/<split>.tsv.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tasks.evaluate.questions.drafts import Context, QuestionDraft, RefusedQuestion
from tasks.evaluate.questions.lines import Malformed

ORIGIN = "imported: beir"


class Judgement(NamedTuple):
    """One line of qrels: a passage answers a query if its `score` is above 0."""

    place: str
    split: str
    query: str
    passage: str
    score: int


def read_judgement(place: str, split: str, line: str) -> Judgement | None:
    """Return the judgement in a line of three columns, separated by tabs; None for the header.

    Raises:
        Malformed: the line is neither.
    """
    cells = [cell.strip() for cell in line.split("\t")]
    if cells[-1:] == ["score"]:
        return None
    if len(cells) != 3 or not cells[2].lstrip("-").isdecimal():
        raise Malformed("not query-id, corpus-id and score, separated by tabs: correct the line")
    return Judgement(place, split, cells[0], cells[1], int(cells[2]))


def beir_questions(
    judgements: list[Judgement], queries: Mapping[str, str], passages: Mapping[str, str]
) -> Iterator[QuestionDraft | RefusedQuestion]:
    """Yield one question for each query and split, with the passages that answer it.

    A query that several splits judge has an id with the split in all but the first.
    """
    together: dict[tuple[str, str], list[Judgement]] = {}
    for judged in judgements:
        if judged.score > 0:
            together.setdefault((judged.split, judged.query), []).append(judged)
    taken: set[str] = set()
    for (split, query), relevant in together.items():
        identity = query if query not in taken else f"{query} ({split})"
        taken.add(query)
        values = {"id": identity, "question": queries.get(query), "split": split, "origin": ORIGIN}
        missing = [one.passage for one in relevant if one.passage not in passages]
        if values["question"] is None or missing:
            reason = f"corpus.jsonl has no passage {missing[0]}" if missing else "queries.jsonl has no such query"
            yield RefusedQuestion(place=relevant[0].place, reason=reason, question_id=identity, question=queries.get(query, ""))
        else:
            yield QuestionDraft(relevant[0].place, values, tuple(Context(passages[one.passage]) for one in relevant))
