"""Options of generating questions."""

from pydantic import Field

from schemas.options.frozen import Options


class GenerateOptions(Options):
    """How many questions are made, and from what."""

    per_document: int = Field(10, ge=1, description="most questions about one document")
    documents: int | None = Field(None, ge=1, description="how many documents are drawn; by default all")
    passage_chars: int = Field(1500, ge=200, description="length of a passage that a model is asked about, in characters, about")
    least_alike: float = Field(
        0.95, gt=0, le=1, description="questions whose vectors have at least this cosine ask the same; only the first stays"
    )
    split: str = Field("test", min_length=1, description="split of the questions")
    seed: int = Field(0, description="another seed draws other documents and passages")
