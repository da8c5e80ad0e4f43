"""What a destination is: a place that holds the tables of one generation, and says of which."""

from typing import NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict

from schemas.corpus import Corpus
from tasks.deliver.io.changes import Changes
from tasks.store.published import Generation


class Delivered(BaseModel):
    """Which generation of which corpus a destination holds, and which of its tables.

    A generation is known by its run too: a corpus that was built anew counts from 1 again. `begun` is a later generation of which
    a part may be there, 0 for none.
    """

    model_config = ConfigDict(frozen=True)
    corpus: str
    generation: int
    run_id: str
    tables: tuple[str, ...]
    begun: int = 0


class Delivery(NamedTuple):
    """What is to be delivered: the changes, rows included, to a generation of a corpus, and what is to be said of it then."""

    corpus: Corpus
    generation: Generation
    changes: Changes
    said: Delivered


class Destination(Protocol):
    """A place that changes are delivered to."""

    def read_delivered(self) -> Delivered | None:
        """Return what the place holds; None: nothing that is whole.

        Raises:
            StoreError: the place refuses, or does not answer.
        """

    def apply(self, delivery: Delivery) -> None:
        """Bring the place to the generation of a delivery; where its changes are from nothing, replace what is there.

        A process that is killed meanwhile leaves what was there, or what is delivered, and nothing between that counts as either.

        Raises:
            StoreError: the place refuses, or does not answer.
        """
