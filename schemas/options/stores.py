"""Options of object stores: where they are. Keys are never options: they stand in the environment."""

from pydantic import Field

from schemas.options.frozen import Options


class StoreOptions(Options):
    """The section `store` of `pagemill.toml`."""

    endpoint: str = Field(
        "", pattern=r"^$|^https?://[^/@]+/?$", description="address of the store; blank: AWS_ENDPOINT_URL, or AWS"
    )
    region: str = Field("", pattern=r"^[a-z0-9-]*$", description="region of its buckets; blank: AWS_REGION")
