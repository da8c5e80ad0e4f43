"""The error tree. Every message says what is wrong, where, and what to do.

PagemillError
├── InputError        the call is wrong: options, paths, URIs; fix the call
├── AccessError       who asks may not, or does not say who it is, or the corpus does not say who may
├── DocumentError     one document cannot be handled; final, becomes a row of rejects
│   └── EmptyDocument    the document has nothing to index
├── LimitError        a worker exceeded a limit or died; the next refresh tries again
├── WorkerError       a worker's code failed in an unexpected way; a note holds the traceback
├── ServiceError      an outside service failed for now; retried at once, and by the next refresh
├── AnswerError       a model's answer is of no use: prose instead of JSON, a refusal, cut off; asking again gives the same
├── CostError         another paid call could cost more than allowed; what was answered is kept
├── ChangedError      a file has changed since the plan was made; the next refresh plans it again
├── CorpusError       the corpus cannot be used as it is: its format, embedder or recipe differs, or it is held
│   ├── DamageError      files are lost or not as they were written
│   ├── ConflictError    another run was faster, or has the lock
│   ├── UnknownDocument  no kept generation has the document
│   └── NoPicture        the picture of a page is not to be had; the corpus keeps texts, not pictures of pages
├── StoreError        an object store refuses or does not answer: endpoint, credentials, bucket, rights; also an OSError
├── WriteError        a file or folder cannot be written: a full disk, a read-only or forbidden folder; also an OSError
├── GateError         the draft failed its expectations; nothing was written
└── SchemaError       a step's output does not follow its schema; a bug in Pagemill
"""

NO_MEMORY = "the machine is out of memory: lower limits.workers, or raise limits.memory_mb"
"""The message of a LimitError when the machine has no memory left."""

FLOW_FULL = (
    "the flow's process, which limits.memory_mb does not bound, is out of memory: lower limits.workers or split the document"
)
"""The message where it was the process of the flow itself."""


class PagemillError(Exception):
    """Base of all errors that Pagemill raises on purpose."""


class InputError(PagemillError):
    """The call is wrong: an option, a path, a URI."""


class AccessError(PagemillError):
    """Who asks may not be answered, or it is not known who asks."""


class DocumentError(PagemillError):
    """One document cannot be handled; trying again cannot help."""


class EmptyDocument(DocumentError):
    """A document has nothing to index."""


class LimitError(PagemillError):
    """A document exceeded a limit of time or memory, or crashed its worker."""


class WorkerError(PagemillError):
    """A worker's code failed on one item in an unexpected way; `__notes__` holds the traceback."""


class ServiceError(PagemillError):
    """An outside service failed for now; trying again can help."""


class AnswerError(PagemillError):
    """A language model answered, but the answer is of no use; asking again gives the same."""


class CostError(PagemillError):
    """Another paid call could cost more than the caller allows."""


class ChangedError(PagemillError):
    """A file has changed since the plan was made."""


class CorpusError(PagemillError):
    """The corpus cannot be used as it is."""


class DamageError(CorpusError):
    """Files of the corpus are lost, or not as they were written."""


class ConflictError(CorpusError):
    """Another run was faster, or has the lock."""


class UnknownDocument(CorpusError):
    """No kept generation has the document."""


class NoPicture(CorpusError):
    """The picture of a page is not to be had."""


class StoreError(PagemillError, OSError):
    """An object store refuses, or does not answer."""


class WriteError(PagemillError, OSError):
    """A file or folder cannot be written. The arguments are the error number, the reason in words, and the path."""

    def __str__(self) -> str:
        return f"{self.filename} cannot be written: {self.strerror}"


class GateError(PagemillError):
    """The draft failed its expectations."""


class SchemaError(PagemillError):
    """A step's output does not follow its schema."""
