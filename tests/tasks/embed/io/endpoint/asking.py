"""How the tests ask an endpoint, and what it answers."""

from typing import Any

import numpy as np

from schemas.options.sections import EmbedOptions
from tests.vector_endpoint import VectorEndpoint, vector_of


def options(endpoint: VectorEndpoint, **own: Any) -> EmbedOptions:
    given = {"provider": "endpoint", "model": "mill-embed", "base_url": endpoint.url, "retry_seconds": (0, 0), **own}
    return EmbedOptions.model_validate(given)


def unit(text: str, dimension: int = 8) -> Any:
    row = np.array(vector_of(text, dimension))
    return row / np.linalg.norm(row)
