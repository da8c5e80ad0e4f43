"""Refusals: what an object store said, in words, and what to do about it."""

import re

from schemas.errors import StoreError

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


def store_error(bucket: str, said: str, endpoint: str) -> StoreError:
    """Return the error for what a store or its client said of a request to a bucket; `endpoint` is blank for AWS."""
    return StoreError(f"s3://{bucket}: {explain_refusal(said, endpoint, bucket)}")


def explain_refusal(said: str, endpoint: str = "", bucket: str = "the bucket") -> str:
    """Return why a store does not do what was asked, and what to do.

    >>> explain_refusal("403 Forbidden: <Error><Code>SignatureDoesNotMatch</Code></Error>")
    'the store refuses this secret key: correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
    >>> explain_refusal("Error performing GET http://127.0.0.1:9/abc: HTTP error: error sending request", "http://127.0.0.1:9")
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
