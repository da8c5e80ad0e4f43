"""The grid: every configuration of an experiment, and what people call it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from schemas.ids import json_digest
from schemas.options.chunking import COMMON, TABLE_SIZES, ChunkOptions
from schemas.options.experiment import ExperimentOptions, Ranking
from schemas.options.search import Mode, Returned
from schemas.options.sections import EmbedEngine, EmbedOptions, EvaluateOptions
from schemas.options.strategies import STRATEGIES
from schemas.references import Frozen
from schemas.versions import EXPERIMENT_VERSION

MODES: Mapping[Ranking, Mode] = {"dense": "dense", "lexical": "fts", "sum": "hybrid"}
"""The mode of a search for each ranking that a corpus has."""


class Configuration(Frozen):
    """How the chunks of a cell are ranked and returned. `run_id` names it together with the documents and the questions."""

    name: str
    run_id: str
    ranking: Ranking
    returned: Returned


class Cell(Frozen):
    """A chunker and an embedder, with the configurations that share their chunks and vectors.

    `recipe` is that of a corpus that is built with the same options, `chunks` the identity of the chunks.
    """

    name: str
    chunk: ChunkOptions
    embed: EmbedOptions
    engine: EmbedEngine
    recipe: str
    chunks: str
    configurations: tuple[Configuration, ...]


def is_default_recipe(cell: Cell, one: Configuration) -> bool:
    """Return whether a configuration is what a corpus has, and how it is searched, if nobody chooses otherwise."""
    searched, cut = EvaluateOptions(), ChunkOptions()
    return (
        cell.chunk.facts() == cut.resolve(TABLE_SIZES * cut.size_tokens).facts()  # the default embedder takes so many tokens
        and cell.embed.model == EmbedOptions().model
        and (MODES.get(one.ranking), one.returned) == (searched.mode, searched.returned)
    )


def make_configurations(options: ExperimentOptions, name: str, recipe: str, data: str) -> tuple[Configuration, ...]:
    """Return the configurations of a cell; `data` is the identity of documents and questions."""
    found = []
    for ranking in dict.fromkeys(options.ranking):
        for returned in dict.fromkeys(options.returned):
            scoring = options.scoring(returned).facts()
            run_id = json_digest([EXPERIMENT_VERSION, recipe, ranking, scoring, data])
            found.append(Configuration(name=f"{name}, {ranking}, {returned}", run_id=run_id, ranking=ranking, returned=returned))
    return tuple(found)


def list_chunkers(options: ExperimentOptions) -> list[ChunkOptions]:
    """Return the chunkers of all grids, equal ones once."""
    found = [chunker for grid in options.chunkers for chunker in grid.chunkers()]
    return list({json_digest(chunker.facts()): chunker for chunker in found}.values())


def name_chunker(options: ChunkOptions) -> str:
    """Return the strategy, its size and overlap, and what else is not the default.

    >>> name_chunker(ChunkOptions(strategy="sentence", size_tokens=256, overlap_tokens=75, context=()))
    'sentence 256/75, context none'
    >>> name_chunker(ChunkOptions(strategy="semantic-percentile", percentile=85))
    'semantic-percentile 128, percentile 85'
    """
    own = dict(STRATEGIES[options.strategy].options)
    overlap = options.value("overlap_tokens") if "overlap_tokens" in own else 0
    said = [f"{options.strategy} {options.size_tokens}" + (f"/{overlap}" if overlap else "")]
    common = {name: ChunkOptions.model_fields[name].default for name in COMMON[1:]}
    for name, default in {**common, **own}.items():
        value = options.value(name) if name in own else getattr(options, name)
        if name != "overlap_tokens" and value != default and getattr(options, name) is not None:
            said.append(f"{name.replace('_', ' ')} {_format_option_value(value)}")
    return ", ".join(said)


def _format_option_value(value: object) -> str:
    if isinstance(value, tuple):
        return "+".join(map(repr if "" in value or " " in value else str, value)) or "none"
    return f"{value:g}" if isinstance(value, float) else str(value)


def name_embedders(options: Sequence[EmbedOptions]) -> list[str]:
    """Return a name for each embedder: the last part of its model's name, or more where that does not tell them apart."""
    short = [PurePath(one.model).name or one.model for one in options]
    for longer in (lambda one: one.model, _name_embedder_in_full):
        times = Counter(short)
        short = [longer(one) if times[name] > 1 else name for name, one in zip(short, options, strict=True)]
    return short


def _name_embedder_in_full(options: EmbedOptions) -> str:
    """Return a model with what may differ between two uses of it."""
    parts = (options.model, options.too_long, options.max_tokens, options.dimensions)
    return " ".join(str(one) for one in parts if one is not None)
