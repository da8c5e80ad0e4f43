"""A run: what every step of one refresh needs to know, as a reference that travels as JSON."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from schemas.corpus import Corpus
from schemas.options.sections import RefreshOptions
from tasks.refresh.recipes import Recipes


class Run(BaseModel):
    """One refresh of one corpus from one source; `base` is the generation that it builds on, 0 if there is none.

    `listed_at_ns` is when its source was listed, in ns of the epoch.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    run_id: str
    source: str
    corpus: Corpus
    options: RefreshOptions
    recipes: Recipes
    base: int
    listed_at_ns: int

    @property
    def folder(self) -> Path:
        """Where the run keeps its draft until it is published."""
        return self.corpus.drafts / self.run_id
