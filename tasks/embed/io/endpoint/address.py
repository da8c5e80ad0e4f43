"""The address of a corpus's endpoint: the one that the environment names, or the one that the corpus was built with."""

import os
from collections.abc import Mapping

from pydantic import ValidationError

from schemas.errors import InputError
from schemas.options.embedding import EndpointOptions
from schemas.options.sections import EmbedOptions

VARIABLE = "PAGEMILL_EMBED_BASE_URL"


def with_address(options: EmbedOptions, recorded: Mapping[str, object]) -> EmbedOptions:
    """Return `options` with how their endpoint is reached; `recorded` are the options that a generation was made with.

    Raises:
        InputError: the environment names what is no address.
    """
    if options.provider != "endpoint":
        return options
    known = {name: value for name, value in recorded.items() if name in EndpointOptions.model_fields}
    named = os.environ.get(VARIABLE, "")
    try:
        reached = EndpointOptions.model_validate({**known, **({"base_url": named} if named else {})})
    except ValidationError as error:
        raise InputError(
            f"{VARIABLE} is {named!r}, which is no address: set it to one such as http://127.0.0.1:11434/v1"
        ) from error
    return options.model_copy(update=reached.model_dump())
