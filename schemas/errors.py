"""The error tree. Every message says what, where and what to do.

PagemillError
├── InputError        the call is wrong: options, paths, URIs; fix the call
├── DocumentError     one document cannot be handled; final, becomes a row of rejects
│   └── EmptyDocument    nothing to index in it
├── LimitError        a worker exceeded a limit or died; retried by the next refresh
├── WorkerError       a worker's code failed in a way that nobody foresaw; a note holds its traceback
├── ServiceError      something outside failed for the moment; asked again at once, and by the next refresh
├── ChangedError      a file is no longer what the plan saw; the next refresh plans it anew
├── CorpusError       the corpus cannot be used as it is: format, embedder, recipe, held
│   ├── ConflictError    another run got there first, or holds the lock
│   └── UnknownDocument  no generation that is kept holds it
├── WriteError        a file or folder cannot be written: a full disk, a read-only or forbidden folder; also an OSError
├── GateError         the draft failed its expectations; nothing was written
└── SchemaError       a step broke its contract; a bug of ours
"""

NO_MEMORY = "the machine is out of memory: lower limits.workers, or raise limits.memory_mb"
"""What a LimitError says when the machine gave no memory."""


class PagemillError(Exception):
    """Base of all errors that Pagemill raises on purpose."""


class InputError(PagemillError):
    """The call is wrong: an option, a path, a URI."""


class DocumentError(PagemillError):
    """One document cannot be handled; trying again cannot help."""


class EmptyDocument(DocumentError):
    """A document holds nothing that could be indexed."""


class LimitError(PagemillError):
    """A document exceeded a limit of time or memory, or crashed its worker."""


class WorkerError(PagemillError):
    """A worker's code failed on one item in a way that nobody foresaw; `__notes__` holds its traceback."""


class ServiceError(PagemillError):
    """Something outside failed for the moment."""


class ChangedError(PagemillError):
    """A file is no longer what the plan saw."""


class CorpusError(PagemillError):
    """The corpus cannot be used as it is."""


class ConflictError(CorpusError):
    """Another run got there first, or holds the lock."""


class UnknownDocument(CorpusError):
    """No generation that is kept holds the document."""


class WriteError(PagemillError, OSError):
    """A file or folder cannot be written; made of the error number, the reason in words, and the path."""

    def __str__(self) -> str:
        return f"{self.filename} cannot be written: {self.strerror}"


class GateError(PagemillError):
    """The draft failed its expectations."""


class SchemaError(PagemillError):
    """A step's output is not what its schema says."""
