"""The probe of a store: if two writers are both told that they made one object, commits get lost without an error."""

from pathlib import Path
from uuid import uuid4

from schemas.errors import StoreError
from tasks.store.objects import client
from tasks.store.objects.place import StorePath

PROBED = "store.json"
"""The marker that a store was probed for a corpus."""


def check_conditional_writes(private: Path) -> None:
    """Refuse a store that does not keep conditions on writes, unless it was probed for this corpus, given by its private folder.

    Raises:
        StoreError: the store accepts two objects of one name, or refuses, or does not answer.
    """
    if not isinstance(private, StorePath) or (private / PROBED).is_file():
        return
    bucket, key = private.bucket, f"{private.key}/probe-{uuid4().hex}"
    first = client.put_if(bucket, key, b"first", None)
    try:
        second = client.put_if(bucket, key, b"second", None)
        stale = client.put_if(bucket, key, b"third", '"0123456789abcdef0123456789abcdef"')
        kept = client.put_if(bucket, key, b"fourth", first) if first else None
    finally:
        client.delete(private.bucket, [key])
    if first is None or second is not None or stale is not None or kept is None:
        raise StoreError(
            f"s3://{bucket}: the store does not keep the conditions If-None-Match and If-Match of a write, so that two runs "
            "could overwrite each other's work: use a store that does, see docs/stores.md"
        )
    client.put(bucket, f"{private.key}/{PROBED}", b'{"conditional": true}')
