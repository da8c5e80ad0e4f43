"""Objects of an S3 store, by bucket and key. Every request is counted, and every refusal is told in words.

Credentials, endpoint and region come from the environment (AWS_…), here and in Lance: nothing of them is kept or passed on.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import lru_cache
from types import ModuleType
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from schemas.errors import InputError, StoreError

if TYPE_CHECKING:
    from obstore import ObjectMeta
    from obstore.fsspec import FsspecStore
    from obstore.store import ClientConfig, RetryConfig, S3Store

CONNECT_SECONDS, REQUEST_SECONDS, RETRY_SECONDS = 5, 20, 15
"""Longest wait for a connection and for one answer; no new attempt begins later than RETRY_SECONDS after the first."""
RETRIES = 5
AT_ONCE = 16
"""Requests that are under way together where many are needed."""

requests: Counter[str] = Counter()
"""The requests of this process by kind; those of Lance are not among them."""

REASONS = {
    "NoSuchBucket": "bucket {bucket} does not exist: create it, or correct its name",
    "InvalidBucketName": "{bucket} is no name for a bucket: names have 3 to 63 lower-case letters, digits, dots and dashes",
    "InvalidAccessKeyId": "the store does not know this access key: correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "SignatureDoesNotMatch": "the store refuses this secret key: correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "ExpiredToken": "the credentials have expired: renew AWS_SESSION_TOKEN and the keys that belong to it",
    "RequestTimeTooSkewed": "the clock of this machine differs too much from the store's: set it by NTP",
    "RequestExpired": "the clock of this machine differs too much from the store's: set it by NTP",
    "NotImplemented": "the store cannot do what is asked of it: see docs/stores.md for what a store needs",
    "403": (
        "the store refuses these credentials: correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, "
        "and grant them to list, read, write and delete in bucket {bucket}"
    ),
    "AccessDenied": "these credentials may not do that in bucket {bucket}: grant them to list, read, write and delete there",
    "SlowDown": "the store asks for fewer requests: run this again later",
}
"""What to do, by the code of an answer."""

NO_CREDENTIALS = re.compile(
    r"latest/(api/token|meta-data)|169\.254\.170\.2|CredentialsNotLoaded|no providers in chain|[Cc]redential"
)

NO_ANSWER = re.compile(
    r"error sending request|operation timed out|HTTP error|connection (?:closed|reset|refused)|request or response body"
)

IS_OF_STORE = re.compile(r"Generic S3 error|<Code>|Server returned non-2xx|CredentialsNotLoaded")


class ObjectInfo(NamedTuple):
    """An object: its key, size in bytes, time (ns of the epoch, in the store's own clock and resolution) and ETag."""

    key: str
    size: int
    mtime_ns: int
    etag: str


def prepare_environment() -> None:
    """Set what Lance and this client need beside what people set: plain HTTP for such an endpoint, and some region."""
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL") or os.environ.get("AWS_ENDPOINT")
    if endpoint:
        os.environ.setdefault("AWS_ENDPOINT_URL", endpoint)
        os.environ.setdefault("AWS_REGION", os.environ.get("AWS_DEFAULT_REGION", "us-east-1"))
        if endpoint.startswith("http://"):
            os.environ.setdefault("AWS_ALLOW_HTTP", "true")


def find_store_endpoint() -> str:
    """Return the address of the store; blank for AWS."""
    return os.environ.get("AWS_ENDPOINT_URL", "")


def get_object(bucket: str, key: str) -> bytes:
    """Return the bytes of an object.

    Raises:
        FileNotFoundError: there is no such object.
        StoreError: the store refuses, or does not answer.
    """
    with _translate_errors(bucket, "get"):
        return bytes(_import_obstore().get(_find_bucket_client(bucket), key).bytes())


def get_object_with_info(bucket: str, key: str) -> tuple[bytes, ObjectInfo]:
    """Return the bytes of an object, and what it is.

    Raises:
        FileNotFoundError: there is no such object.
        StoreError: the store refuses, or does not answer.
    """
    with _translate_errors(bucket, "get"):
        answer = _import_obstore().get(_find_bucket_client(bucket), key)
        return bytes(answer.bytes()), _parse_object_info(answer.meta)


def stream_object(bucket: str, key: str) -> Iterator[bytes]:
    """Yield the bytes of an object in parts.

    Raises:
        FileNotFoundError: there is no such object.
        StoreError: the store refuses, or does not answer.
    """
    with _translate_errors(bucket, "get"):
        yield from map(bytes, _import_obstore().get(_find_bucket_client(bucket), key))


def get_object_range(bucket: str, key: str, start: int, end: int) -> bytes:
    """Return the bytes of an object from `start` to before `end`; raises as `get_object`."""
    with _translate_errors(bucket, "get"):
        return bytes(_import_obstore().get_range(_find_bucket_client(bucket), key, start=start, end=end))


def read_object_info(bucket: str, key: str) -> ObjectInfo | None:
    """Return size, time and ETag of an object, None if there is no such object.

    Raises:
        StoreError: the store refuses, or does not answer.
    """
    try:
        with _translate_errors(bucket, "head"):
            return _parse_object_info(_import_obstore().head(_find_bucket_client(bucket), key))
    except FileNotFoundError:
        return None


def put_object(bucket: str, key: str, content: bytes | IO[bytes]) -> str:
    """Write an object at once, in parts if it is large, in the place of one that is there; return its ETag.

    Raises:
        StoreError: the store refuses, or does not answer.
    """
    with _translate_errors(bucket, "put"):
        return str(_import_obstore().put(_find_bucket_client(bucket), key, content)["e_tag"])


def put_object_if_unchanged(bucket: str, key: str, content: bytes, etag: str | None) -> str | None:
    """Write an object if its ETag is `etag`, or, for None, if it does not exist. Return its new ETag; None if it was not written.

    Raises:
        StoreError: the store refuses, or does not answer; the object may have been written.
    """
    from obstore.exceptions import AlreadyExistsError, PreconditionError

    mode: Any = "create" if etag is None else {"e_tag": etag}
    try:
        with _translate_errors(bucket, "put"):
            return str(_import_obstore().put(_find_bucket_client(bucket), key, content, mode=mode, use_multipart=False)["e_tag"])
    except (AlreadyExistsError, PreconditionError, FileNotFoundError):
        return None


def copy_object(bucket: str, source: str, key: str) -> None:
    """Copy an object within its bucket, in the store; raises as `get_object`."""
    with _translate_errors(bucket, "copy"):
        _import_obstore().copy(_find_bucket_client(bucket), source, key)


def delete_objects(bucket: str, keys: Sequence[str]) -> None:
    """Delete objects, up to 1000 with one request; what is gone already stays gone.

    Raises:
        StoreError: the store refuses, or does not answer.
    """
    with _translate_errors(bucket, "delete", -(-len(keys) // 1000)):
        if keys:
            _import_obstore().delete(_find_bucket_client(bucket), list(keys))


def list_objects(bucket: str, prefix: str) -> Iterator[ObjectInfo]:
    """Yield the objects below a prefix that ends where a part of keys ends, in order of keys, a thousand with each request.

    Raises:
        StoreError: the store refuses, or does not answer.
    """
    with _translate_errors(bucket, "list", 0):
        for page in _import_obstore().list(_find_bucket_client(bucket), prefix or None, chunk_size=1000):
            requests["list"] += 1
            yield from map(_parse_object_info, page)
        requests["list"] += 1


@contextmanager
def _translate_errors(bucket: str, kind: str, n: int = 1) -> Iterator[None]:
    requests[kind] += n
    from obstore.exceptions import AlreadyExistsError, BaseError, PreconditionError

    try:
        yield
    except (AlreadyExistsError, PreconditionError):
        raise
    except FileNotFoundError as error:
        if "NoSuchBucket" in str(error):
            raise make_store_error(bucket, str(error), find_store_endpoint()) from error
        raise
    except BaseError as error:
        raise make_store_error(bucket, str(error), find_store_endpoint()) from error


def _parse_object_info(meta: "ObjectMeta") -> ObjectInfo:
    return ObjectInfo(meta["path"], meta["size"], int(meta["last_modified"].timestamp() * 1e9), meta["e_tag"] or "")


def _import_obstore() -> ModuleType:
    try:
        import obstore
    except ImportError as error:
        raise InputError("object storage needs the package obstore: pip install 'pagemill[s3]'") from error
    return obstore


def _find_bucket_client(bucket: str) -> "S3Store":
    prepare_environment()
    _import_obstore()
    return _open_client(
        bucket, *(os.environ.get(name, "") for name in ("AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "AWS_SESSION_TOKEN"))
    )


@lru_cache(maxsize=8)
def _open_client(bucket: str, *environment: str) -> "S3Store":
    """Return the store's client for a bucket; another environment gets another one."""
    from obstore.store import S3Store

    seconds, retries = _make_client_options(environment[0])
    return S3Store(bucket, client_options=seconds, retry_config=retries)


def _make_client_options(endpoint: str) -> tuple["ClientConfig", "RetryConfig"]:
    plain = endpoint.startswith("http://")
    seconds: ClientConfig = {"connect_timeout": f"{CONNECT_SECONDS}s", "timeout": f"{REQUEST_SECONDS}s", "allow_http": plain}
    return seconds, {"max_retries": RETRIES, "retry_timeout": timedelta(seconds=RETRY_SECONDS)}


def open_file_system() -> "FsspecStore":
    """Return the store as a file system of fsspec, whose paths begin with the bucket.

    Raises:
        InputError: the package obstore is missing.
    """
    prepare_environment()
    _import_obstore()
    from obstore.fsspec import FsspecStore

    seconds, retries = _make_client_options(find_store_endpoint())
    return FsspecStore("s3", client_options=seconds, retry_config=retries)


def make_store_error(bucket: str, said: str, endpoint: str) -> StoreError:
    """Return the error for what a store or its client said of a request to a bucket; `find_store_endpoint` is blank for AWS."""
    return StoreError(f"s3://{bucket}: {explain_store_refusal(said, endpoint, bucket)}")


def explain_store_refusal(said: str, endpoint: str = "", bucket: str = "the bucket") -> str:
    """Return why a store does not do what was asked, and what to do.

    >>> explain_store_refusal("403 Forbidden: <Error><Code>SignatureDoesNotMatch</Code></Error>")
    'the store refuses this secret key: correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
    >>> explain_store_refusal("Error performing GET http://127.0.0.1:9/abc: HTTP error: error sending request", "http://127.0.0.1:9")
    'http://127.0.0.1:9 does not answer: check AWS_ENDPOINT_URL and the network, then run this again'
    """
    code = re.search(r"<Code>(\w+)</Code>", said)
    if code and code[1] in REASONS:
        return REASONS[code[1]].format(bucket=bucket)
    if not code and NO_CREDENTIALS.search(said):
        return "no credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    status = re.search(r"status code: (\d{3})", said)
    if status and status[1] in ("401", "403"):
        return REASONS["AccessDenied" if code else "403"].format(bucket=bucket)
    if status:
        return f"the store answers {status[1]}{f' ({code[1]})' if code else ''}: look at its log, then run this again"
    if NO_ANSWER.search(said):
        return f"{endpoint or 'the store'} does not answer: check AWS_ENDPOINT_URL and the network, then run this again"
    return f"the store failed ({said.splitlines()[0][:200]}): run this again"


def is_store_error(said: str) -> bool:
    """Return whether an error of Lance's is what a store said."""
    return bool(IS_OF_STORE.search(said))
