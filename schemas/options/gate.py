"""Options of the gate: what a draft must be like to be published."""

from pydantic import Field

from schemas.options.frozen import APART, Options, Share


class GateOptions(Options):
    """What must be true before a draft is published; never part of a recipe."""

    min_chunk_chars: int = Field(1, ge=1, description="shortest chunk", json_schema_extra=APART)
    tiny_tokens: int = Field(8, ge=1, description="a chunk of fewer tokens is tiny", json_schema_extra=APART)
    max_tiny_share: Share = Field(0.5, description="largest share of tiny chunks", json_schema_extra=APART)
    min_mean_tokens: float = Field(10, ge=0, description="smallest mean length, from 200 chunks on", json_schema_extra=APART)
    max_kl_divergence: float = Field(
        0.25,
        ge=0,
        description="largest drift of lengths from the recipe's last profile, in nats",
        json_schema_extra=APART,
    )
    min_profile_chunks: int = Field(200, ge=1, description="with fewer chunks, drift is not checked", json_schema_extra=APART)
    min_coverage: Share = Field(
        0.98,
        description="smallest share of a document's characters, white space aside, that its chunks cover",
        json_schema_extra=APART,
    )
    max_reject_share: Share = Field(
        0.3, description="largest share of the source's documents that may be rejected", json_schema_extra=APART
    )
    alarm_reject_share: Share = Field(
        0.1,
        description="a refresh that publishes while a larger share of the source's documents is rejected raises an alarm",
        json_schema_extra=APART,
    )
    min_recall: Share = Field(
        0.95,
        description="smallest share of the ten nearest chunks that the index of vectors finds for 100 of the corpus's own; "
        "an index that finds less is built anew first",
        json_schema_extra=APART,
    )
    questions: str = Field(
        "",
        description="JSON-lines file of questions that a draft is searched with before it is published; blank: none",
        json_schema_extra=APART,
    )
    metric: str = Field(
        "recall@5",
        pattern=r"^[a-z_]+@[1-9][0-9]*$",
        description="what must not fall: a metric of an evaluation with its cutoff, such as document_recall@5",
        json_schema_extra=APART,
    )
    max_drop: Share = Field(
        0.02,
        description="largest fall of the metric; a draft is refused if the fall is larger with the confidence of an evaluation",
        json_schema_extra=APART,
    )
    accept_drift: bool = Field(
        False, description="publish this once although chunk lengths drifted, and record it", json_schema_extra=APART
    )
