"""Ask: the one function that answers a question, for the command line, Python, HTTP and MCP."""

from typing import get_args

from schemas.errors import InputError
from schemas.hits import Hit
from schemas.ids import is_unicode
from schemas.options.search import CONDITION_CHARS, QUESTION_CHARS, Mode, Returned
from tasks.embed.remembered import Memory
from tasks.search.io.retrieve import Searcher


def ask(
    searcher: Searcher,
    question: str,
    k: int = 5,
    mode: str = "hybrid",
    where: str | None = None,
    returned: str = "passages",
    memory: Memory | None = None,
) -> list[Hit]:
    """Return at most the best `k` results for a question, best first. `where` is a condition in SQL on documents or chunks.

    What `memory` has of a server's earlier questions is not embedded again.

    Raises:
        InputError: the question is blank or too long, `k` is below 1, or `mode`, `where` or `returned` is not valid.
        CorpusError: the corpus cannot be read, or its embedder is not the installed one.
    """
    for name, value, known in (("mode", mode, get_args(Mode)), ("returned", returned, get_args(Returned))):
        if value not in known:
            raise InputError(f"{name} {value!r} is not known: choose one of {', '.join(known)}")
    _check_length("question", question, QUESTION_CHARS)
    _check_length("condition", where or "", CONDITION_CHARS)
    found = searcher.search_ranked([question], (k,), mode, where, returned, memory=memory)  # type: ignore[arg-type]
    return found.results[k][0]


def _check_length(what: str, text: str, most: int) -> None:
    if not is_unicode(text):
        raise InputError(f"the {what} is not UTF-8: set the terminal to UTF-8, or use other characters")
    if len(text) > most:
        raise InputError(f"the {what} has {len(text):,} characters: at most {most:,} are read, so shorten it")
