"""Options of embedding: which provider makes vectors, of what, and how. API keys are never options: see `KEY_VARIABLES`."""

from typing import Annotated, Literal, Self

from pydantic import Field, JsonValue, model_validator

from schemas.options.frozen import APART, Options

KEY_VARIABLES = ("PAGEMILL_EMBED_API_KEY", "PAGEMILL_API_KEY", "OPENAI_API_KEY")
"""Environment variables that may hold the key of an endpoint for vectors; the first that is set counts."""

EmbedEngine = Literal["torch", "openvino", "static", "endpoint"]
"""What makes vectors."""
Engine = Literal["auto", "torch", "openvino"]
TooLong = Literal["error", "truncate", "mean"]

SILENT = {"provider": "local", "dimensions": None, "tokenizer": ""}
"""Options that a recipe names only if they differ from these: recipes that are older than they are stay as they were."""


class EndpointOptions(Options):
    """How an endpoint is reached. None of it changes a vector."""

    base_url: str = Field(
        "",
        pattern=r"^$|^https?://[^\s/@?#]+(/[^\s?#@]*)?$",
        description="address of an OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1; only with provider endpoint",
        json_schema_extra=APART,
    )
    batch_texts: int = Field(32, ge=1, le=2048, description="texts in one call of an endpoint", json_schema_extra=APART)
    calls_at_once: int = Field(
        4, ge=1, description="most calls of an endpoint under way at the same time", json_schema_extra=APART
    )
    timeout_seconds: float = Field(60, gt=0, description="longest time for one call of an endpoint", json_schema_extra=APART)
    retry_seconds: tuple[Annotated[float, Field(ge=0)], ...] = Field(
        (1, 4, 15),
        description="waits before a call is tried again after too many calls, a time-out or an error of the endpoint; "
        "a longer wait that the server asks for takes precedence, up to max_wait_seconds",
        json_schema_extra=APART,
    )
    max_wait_seconds: float = Field(
        120,
        ge=0,
        description="longest wait that an endpoint may ask for; if it asks for more, the call fails",
        json_schema_extra=APART,
    )


class EmbedOptions(EndpointOptions):
    """How chunks become vectors."""

    provider: Literal["local", "endpoint"] = Field(
        "local",
        description="local: a transformer, or static vectors (model2vec, wordllama), from a directory or the hub; "
        "endpoint: the model behind base_url",
    )
    model: str = Field(
        "all-MiniLM-L6-v2",
        description="name of the model: all-MiniLM-L6-v2 (from its package), a directory, or a hub id with a /; "
        "with an endpoint its own name for the model",
    )
    dimensions: int | None = Field(
        None,
        ge=1,
        description="length of the vectors, for models whose first numbers suffice (Matryoshka); an endpoint is asked for it; "
        "by default the model's own",
    )
    query_prompt: str | None = Field(
        None,
        description="what is put before a question, such as 'query: '; by default what the model's files say",
        json_schema_extra=APART,
    )
    document_prompt: str | None = Field(
        None,
        description="what is put before a chunk, such as 'passage: '; by default what the model's files say",
        json_schema_extra=APART,
    )
    tokenizer: str = Field(
        "",
        description="with an endpoint: the model, as a directory or a hub id, whose tokenizer counts tokens; "
        "by default that of all-MiniLM-L6-v2",
    )
    max_tokens: int | None = Field(
        None, ge=16, description="longest input; by default the model's own setting, and 512 with an endpoint"
    )
    too_long: TooLong = Field(
        "error",
        description="what happens to longer chunks: error; truncate, only their first max_tokens are embedded; mean of windows",
    )
    engine: Engine = Field(
        "auto",
        description="torch; openvino: in 8 bits, several times as fast on a CPU; auto: the one the corpus was built with; for a "
        "new one openvino on CPUs with VNNI, if the model's vectors stay alike; for local transformers only",
        json_schema_extra=APART,
    )
    batch_tokens: int = Field(
        4096, ge=64, description="tokens in one batch of a local transformer, padding included", json_schema_extra=APART
    )
    device: Literal["auto", "cpu", "cuda"] = Field(
        "auto", description="auto: CUDA when there is one, and the CPU for what it cannot take", json_schema_extra=APART
    )
    dtype: Literal["auto", "float32", "bfloat16"] = Field(
        "auto",
        description="type of matrix products; auto: on a CPU the fastest, which is measured once per machine, else 16 bits",
        json_schema_extra=APART,
    )

    @model_validator(mode="after")
    def _provider_and_its_options_agree(self) -> Self:
        if self.provider == "local" and (self.base_url or self.tokenizer):
            raise ValueError("base_url and tokenizer are for an endpoint: set provider to endpoint, or leave them out")
        if self.provider == "endpoint" and self.engine != "auto":
            raise ValueError(f"engine is {self.engine}, which computes local models: leave it out with provider endpoint")
        if self.provider == "endpoint" and not self.model.strip():
            raise ValueError("name the model that the endpoint shall use: model is blank")
        return self

    def facts(self) -> dict[str, JsonValue]:
        """Return the options that change vectors, as JSON values. Prompts stand in a recipe as they were settled."""
        return {name: value for name, value in super().facts().items() if name not in SILENT or value != SILENT[name]}
