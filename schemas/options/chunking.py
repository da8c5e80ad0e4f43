"""Options of chunking: one flat model for all strategies. An option that the chosen strategy does not have is refused."""

from typing import Any, Literal, Self

from pydantic import Field, JsonValue, model_validator

from schemas.options.frozen import Options, Share
from schemas.options.strategies import OWN_OPTIONS, STRATEGIES, StrategyName

Context = Literal["title", "section", "header", "caption"]
COMMON = ("size_tokens", "table_tokens", "context", "wide_table_columns")
"""Options of every strategy."""
NOT_NESTED = ("parent-child", "llm", "adaptive")
"""Strategies that cannot be the parent or the child of parent-child."""


TABLE_SIZES = 2
"""A chunk of a table may be so many times as long as others: few rows under a head and a heading say little."""


class ChunkOptions(Options):
    """How a document's text is cut. An option that is None has the default of the strategy."""

    strategy: StrategyName = Field("sentence", description="chunking strategy; `pagemill chunk --list` shows all of them")
    size_tokens: int = Field(
        128, ge=16, description="longest chunk, in tokens of the embedder's tokenizer, special tokens included"
    )
    table_tokens: int | None = Field(
        None, ge=16, description="longest chunk of a table, likewise; by default twice size_tokens, if the embedder takes so many"
    )
    context: tuple[Context, ...] = Field(
        ("header", "caption"),
        description="what the embedder sees beside a chunk's own text: the document's title, its section, "
        "header and caption of a table that was cut (without a caption, the heading above it)",
    )
    wide_table_columns: int = Field(
        0,
        ge=0,
        description="tables with at least this many columns are embedded row by row, each value with its column's name; 0: none",
    )
    overlap_tokens: int | None = Field(
        None, ge=0, description="largest number of tokens that a chunk repeats from the chunk before it"
    )
    n_sentences: int | None = Field(None, ge=1, description="sentences in a window")
    overlap_sentences: int | None = Field(None, ge=0, description="sentences that a window shares with the one before")
    separators: tuple[str, ...] | None = Field(None, min_length=1, description="separators to cut at, in order of preference")
    keep_separator: Literal["end", "start"] | None = Field(
        None, description="where a separator stays: at the end of the text before it, or at the start of the text after it"
    )
    min_tokens: int | None = Field(None, ge=1, description="shorter chunks are joined with the next chunk")
    percentile: float | None = Field(None, gt=0, lt=100, description="percentage of sentence boundaries where no break is made")
    threshold: Share | None = Field(None, description="sentences with a cosine below this are separated")
    parent_strategy: StrategyName | None = Field(None, description="how parents are cut")
    parent_tokens: int | None = Field(None, ge=32, description="longest parent, in tokens")
    child_strategy: StrategyName | None = Field(None, description="how children are cut")
    endpoint: str | None = Field(
        None,
        pattern=r"^https?://[^@?#]*$",
        description="base URL of an OpenAI-compatible service, without user, password or query: options are recorded and shown",
    )
    chat_model: str | None = Field(None, min_length=1, description="name of the model that the endpoint runs")
    api_key_variable: str | None = Field(
        None,
        pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$",
        description="name of the environment variable that holds the endpoint's key; blank: no key",
    )

    @model_validator(mode="after")
    def _only_its_own(self) -> Self:
        own = STRATEGIES[self.strategy].options
        foreign = [name for name in OWN_OPTIONS if name not in own and getattr(self, name) is not None]
        if foreign:
            takes = ", ".join([*COMMON, *own])
            raise ValueError(f"strategy {self.strategy} has no option {', '.join(foreign)}: it takes {takes}")
        self._check_sizes()
        return self

    def _check_sizes(self) -> None:
        for name in ("overlap_tokens", "min_tokens"):
            if self._value_or(name, 0) >= self.size_tokens:
                raise ValueError(f"{name} is {self._value_or(name, 0)}: it must be below size_tokens, {self.size_tokens}")
        if self.table_tokens is not None and self.table_tokens < self.size_tokens:
            raise ValueError(f"table_tokens is {self.table_tokens}: it must not be below size_tokens, {self.size_tokens}")
        if self._value_or("overlap_sentences", 0) >= self._value_or("n_sentences", 1):
            raise ValueError("overlap_sentences must be below n_sentences")
        if "" in self._value_or("separators", ()):
            raise ValueError("a separator is blank")
        if self._value_or("parent_tokens", self.size_tokens) < self.size_tokens:
            raise ValueError(f"parent_tokens is below size_tokens, {self.size_tokens}")
        nested = {self._value_or("parent_strategy", ""), self._value_or("child_strategy", "")} & set(NOT_NESTED)
        if nested:
            raise ValueError(f"parent-child cannot be made of {', '.join(sorted(nested))}")

    def _value_or(self, name: str, other: object) -> Any:
        return self.value(name) if name in STRATEGIES[self.strategy].options else other

    def value(self, name: str) -> Any:
        """Return an option of the chosen strategy: the value that was set, or the strategy's default.

        Raises:
            KeyError: the strategy does not have this option.
        """
        default = STRATEGIES[self.strategy].options[name]
        chosen = getattr(self, name)
        if chosen is None and name == "min_tokens":
            return min(default, self.size_tokens // 4)  # lowered for small chunks
        return default if chosen is None else chosen

    def nested_options(self, role: Literal["parent", "child"]) -> "ChunkOptions":
        """Return the options for the parents or the children of the strategy parent-child."""
        size = self.value("parent_tokens") if role == "parent" else self.size_tokens
        kept = {"context": self.context, "wide_table_columns": self.wide_table_columns}
        return ChunkOptions(strategy=self.value(f"{role}_strategy"), size_tokens=size, **kept)

    def resolve(self, most: int) -> "ChunkOptions":
        """Return the options with the length of tables that they stand for, if the embedder takes `most` tokens."""
        longest = max(self.size_tokens, min(TABLE_SIZES * self.size_tokens, most))
        return self if self.table_tokens is not None else self.model_copy(update={"table_tokens": longest})

    @property
    def longest_tokens(self) -> int:
        """The longest chunk of any kind, in tokens."""
        return max(self.size_tokens, self.table_tokens or 0)

    @property
    def sentence_vectors(self) -> bool:
        """Whether the strategy needs the vectors of the document's sentences."""
        names = [self.strategy]
        if self.strategy == "parent-child":
            names = [self.value("parent_strategy"), self.value("child_strategy")]
        return any(STRATEGIES[name].sentence_vectors for name in names)

    def facts(self) -> dict[str, JsonValue]:
        """Return the options that change the chunks, with defaults filled in: common ones and those of the strategy."""
        common = self.model_dump(mode="json", include={"strategy", *COMMON})
        own = {name: self.value(name) for name in STRATEGIES[self.strategy].options if name != "api_key_variable"}
        return {**common, **{name: list(value) if isinstance(value, tuple) else value for name, value in own.items()}}
