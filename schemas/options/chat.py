"""Options of calls to a language model behind an OpenAI-compatible endpoint. API keys are never options: see `KEY_VARIABLES`."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from schemas.options.frozen import APART, Options

KEY_VARIABLES = ("PAGEMILL_API_KEY", "OPENAI_API_KEY")
"""Environment variables that may hold the API key; the first that is set counts."""


class ChatOptions(Options):
    """Which model is asked, how long it may take, and what it may cost."""

    base_url: str = Field(
        "",
        pattern=r"^$|^https?://[^\s/@?#]+(/[^\s?#@]*)?$",
        description="address of the endpoint, such as http://127.0.0.1:8000/v1; blank: no model is asked",
    )
    model: str = Field("", description="name of the model, as the endpoint calls it")
    timeout_seconds: float = Field(60, gt=0, description="longest time for one answer", json_schema_extra=APART)
    retry_seconds: tuple[Annotated[float, Field(ge=0)], ...] = Field(
        (1, 4, 15, 60),
        description="waits before a call is tried again after too many calls, a time-out or an error of the server; "
        "a longer wait that the server asks for takes precedence, up to max_wait_seconds",
        json_schema_extra=APART,
    )
    max_wait_seconds: float = Field(
        120,
        ge=0,
        description="longest wait that a server may ask for; if it asks for more, the call fails",
        json_schema_extra=APART,
    )
    max_tokens: int = Field(1024, ge=1, description="longest answer, in tokens of the model")
    calls_at_once: int = Field(4, ge=1, description="most calls under way at the same time", json_schema_extra=APART)
    input_price: float = Field(0, ge=0, description="dollars for a million tokens of questions", json_schema_extra=APART)
    output_price: float = Field(0, ge=0, description="dollars for a million tokens of answers", json_schema_extra=APART)
    max_cost: float | None = Field(None, gt=0, description="most dollars that one run may spend", json_schema_extra=APART)

    @model_validator(mode="after")
    def _can_be_used(self) -> Self:
        if self.base_url and not self.model.strip():
            raise ValueError("name the model that the endpoint shall use: model is blank")
        if self.max_cost is not None and not (self.input_price or self.output_price):
            raise ValueError("max_cost needs prices: set input_price and output_price, in dollars for a million tokens")
        return self
