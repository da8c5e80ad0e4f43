"""Options of an experiment: which recipes are compared, on what, and how."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, ConfigDict, Field, RootModel, ValidationError, model_validator

from schemas.options.frozen import APART, Options
from schemas.options.search import Returned
from schemas.options.sections import ChunkOptions, DescribeOptions, EmbedOptions, EvaluateOptions, LimitOptions, ParseOptions

Ranking = Literal["dense", "lexical", "rrf", "sum"]
"""dense: cosines. lexical: BM25. rrf: reciprocal rank fusion of both. sum: both scores added, as `hybrid` of a search."""

LISTS = ("context", "separators")
"""Options of chunking that are lists themselves: in a grid, a list is one value of these."""
OVERLAP_SHARE = "overlap_share"


class ChunkerGrid(RootModel[dict[str, Any]]):
    """Chunkers: options of chunking, each a value or a list of values; all their combinations are meant.

    `overlap_share` stands for `overlap_tokens`, as a share of `size_tokens`, rounded down.
    """

    model_config = ConfigDict(frozen=True)

    @model_validator(mode="after")
    def _all_are_chunkers(self) -> Self:
        problems = [problem for values in self._combinations() for problem in _find_chunker_problems(values)]
        if problems:
            raise ValueError("; ".join(dict.fromkeys(problems)))
        return self

    def chunkers(self) -> list[ChunkOptions]:
        """Return the options of every chunker, in the order of the lists."""
        return [ChunkOptions.model_validate(_convert_overlap_share(values)) for values in self._combinations()]

    def _combinations(self) -> Iterator[dict[str, object]]:
        lists = [value if isinstance(value, list) and name not in LISTS else [value] for name, value in self.root.items()]
        return (dict(zip(self.root, values, strict=True)) for values in product(*lists))


def _find_chunker_problems(values: Mapping[str, object]) -> list[str]:
    """Return what is wrong with one chunker, each problem after the chunker's options."""
    named = ", ".join(f"{name} {value}" for name, value in values.items())
    share = values.get(OVERLAP_SHARE, 0)
    if not isinstance(share, int | float) or not 0 <= share < 1:
        return [f"{named}: {OVERLAP_SHARE} must be a number from 0 to below 1"]
    if OVERLAP_SHARE in values and "overlap_tokens" in values:
        return [f"{named}: give overlap_tokens or {OVERLAP_SHARE}, not both"]
    try:
        ChunkOptions.model_validate(_convert_overlap_share(values))
    except ValidationError as error:
        found = ((".".join(map(str, item["loc"])), item["msg"].removeprefix("Value error, ")) for item in error.errors())
        return [f"{named}: {place}: {message}" if place else f"{named}: {message}" for place, message in found]
    return []


def _convert_overlap_share(values: Mapping[str, object]) -> Mapping[str, object]:
    size, share = values.get("size_tokens", ChunkOptions.model_fields["size_tokens"].default), values.get(OVERLAP_SHARE)
    if not isinstance(share, int | float) or not isinstance(size, int):
        return values
    kept = {name: value for name, value in values.items() if name != OVERLAP_SHARE}
    return {**kept, "overlap_tokens": int(share * size)}


def _wrap_model_name(value: object) -> object:
    return {"model": value} if isinstance(value, str) else value


class RecommendOptions(Options):
    """The rule by which a recipe is recommended; it is part of the configuration, so that it stands before the results.

    The recipe with the highest mean of `metric` is recommended, of those whose mean of `guard` is not significantly below the
    highest one.
    """

    metric: str = Field("iou", min_length=1, description="the metric that should be high")
    guard: str = Field("recall", min_length=1, description="the metric that must not be significantly below the best")
    cutoff: int | None = Field(None, gt=0, description="the cutoff or budget of both; by default 5, or the first cutoff")


class ExperimentOptions(Options):
    """An experiment: all combinations of chunkers, embedders, rankings and what is returned."""

    title: str = Field("", description="what the experiment is about")
    cites: str = Field("", description="the study whose design it repeats")
    source: str = Field(min_length=1, description="folder of documents; relative to the configuration's file")
    questions: str = Field(min_length=1, description="JSON-lines file of questions; relative to the configuration's file")
    include: tuple[str, ...] = Field(("**",), description="globs relative to the source; a file must match one")
    exclude: tuple[str, ...] = Field((), description="globs relative to the source; a file must match none")
    parse: ParseOptions = ParseOptions()
    describe: DescribeOptions = DescribeOptions()
    limits: LimitOptions = Field(LimitOptions(), json_schema_extra=APART)
    chunkers: tuple[ChunkerGrid, ...] = Field(min_length=1, description="options of chunking, each a value or a list of values")
    embedders: tuple[Annotated[EmbedOptions, BeforeValidator(_wrap_model_name)], ...] = Field(
        (EmbedOptions(),), min_length=1, description="models, or options of embedding"
    )
    ranking: tuple[Ranking, ...] = Field(("sum",), min_length=1, description="how chunks are ranked")
    returned: tuple[Returned, ...] = Field(("passages",), min_length=1, description="what a result is")
    cutoffs: tuple[Annotated[int, Field(gt=0)], ...] = Field(
        (1, 3, 5, 10), min_length=1, description="how many results are scored"
    )
    budgets: tuple[Annotated[int, Field(gt=0)], ...] = Field((), description="numbers of tokens to fill with results")
    judged: bool = Field(False, description="write a sheet with the results of every question for people to judge")
    recommend: RecommendOptions = RecommendOptions()
    bootstrap_samples: int = Field(1000, ge=100, description="samples of the bootstrap interval")
    confidence: Annotated[float, Field(gt=0, lt=1)] = Field(0.95, description="coverage of intervals, and of tests")
    seed: int = Field(0, description="seed of the bootstrap")

    @model_validator(mode="after")
    def _decides_by_what_is_scored(self) -> Self:
        known = (*self.cutoffs, *self.budgets)
        if self.recommend.cutoff not in (None, *known):
            raise ValueError(f"recommend.cutoff is {self.recommend.cutoff}: choose one of {', '.join(map(str, known))}")
        return self

    @property
    def decisive_cutoff(self) -> int:
        """The cutoff or budget by which a recipe is recommended."""
        return self.recommend.cutoff or (5 if 5 in self.cutoffs else self.cutoffs[0])

    def scoring(self, returned: Returned) -> EvaluateOptions:
        """Return how results are scored, as options of an evaluation; only its mode means nothing here."""
        kept = self.model_dump(include={"cutoffs", "budgets", "bootstrap_samples", "confidence", "seed"})
        return EvaluateOptions(returned=returned, **kept)
