"""The model of nights: what lies in a source, and what every generation of its corpus must hold, as plain values.

It follows the documentation, not the code: a changed document replaces its rows; one that is rejected keeps its last good rows,
marked stale; what left the source goes; what is unchanged stays. An unreadable file may pass for unchanged, for a file whose size
and time stay is not read again: then the model takes what it sees, if that is allowed.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tests.soak.state import State, metadata_json

SIZES = (48, 32)
"""Longest chunks in tokens. Every sentence of the texts is longer than the second and shorter than the first."""
KEPT = 3
UNREADABLE = "\0unreadable"
MOST_LOST = 0.2


class File(NamedTuple):
    """A file of the source; the text of a broken one holds a zero, or nothing."""

    text: str
    shelf: str = ""
    readable: bool = True

    @property
    def good(self) -> bool:
        """Return whether a document can be made of it."""
        return bool(self.text) and "\0" not in self.text and self.readable

    @property
    def known(self) -> str:
        """What a refresh can know of its content."""
        return self.text if self.readable else UNREADABLE


class Document(NamedTuple):
    """A published document, and the size of the chunks that it was cut into."""

    text: str
    shelf: str
    size: int
    state: str = "current"


class Entry(NamedTuple):
    """What a generation holds of a path: a document, and the content and size at which it was last rejected."""

    document: Document | None = None
    rejected: tuple[str, int] | None = None


class How(NamedTuple):
    """The options of a refresh."""

    size: int = SIZES[0]
    rebuild: bool = False
    release: bool = False
    drop: bool = False
    strict: bool = False
    careful: bool = False
    nothing: bool = False
    """Leave out all files, which is refused."""
    verify: bool = False


class Generation(NamedTuple):
    """A published generation, by path."""

    entries: Mapping[str, Entry]
    size: int
    held: bool = False


def kind_of(entry: Entry, file: File, how: How) -> str:
    """Return what a refresh has to do for a file."""
    document, rejected = entry
    if rejected:
        same = rejected == (file.known, how.size)
        kind = "unchanged" if same else "changed" if document else "added"
    elif document is None:
        kind = "added"
    elif (document.text, document.size) != (file.known, how.size):
        kind = "changed"
    else:
        kind = "unchanged" if document.shelf == file.shelf else "metadata"
    return "changed" if how.rebuild and kind != "added" else kind


def after(entry: Entry, file: File, how: How) -> Entry:
    """Return what a path's entry becomes in a refresh."""
    if kind_of(entry, file, how) == "unchanged":
        return entry
    if file.good:
        return Entry(Document(file.text, file.shelf, how.size))
    kept = entry.document._replace(state="stale") if entry.document and not how.drop else None
    return Entry(kept, (file.known, how.size))


def allowed(entry: Entry, file: File, how: How) -> list[Entry]:
    """Return what a path's entry may become: a file that cannot be read may be known from before."""
    unread = after(entry, file, how)
    return [unread] if file.readable else [unread, after(entry, file._replace(readable=True), how)]


def refusal(live: Generation, source: Mapping[str, File], how: How) -> str:
    """Return the words by which a refresh must be refused; none if it must not."""
    if how.nothing:
        return "the source holds"
    if live.held and not how.release:
        return "is held by a rollback"
    if how.size != live.size and not how.rebuild:
        return "was built with another recipe"
    if how.careful and lost(live, source, how) > MOST_LOST * len(live.entries):
        return "documents left the source"
    entries = {path: after(live.entries.get(path, Entry()), file, how) for path, file in source.items()}
    rejects = any(entry.rejected for entry in entries.values())
    return "the draft was refused" if how.strict and rejects and not is_nothing(live, source, how) else ""


def is_nothing(live: Generation, source: Mapping[str, File], how: How) -> bool:
    """Return whether a refresh has nothing to do."""
    kinds = {kind_of(live.entries.get(path, Entry()), file, how) for path, file in source.items()}
    return kinds <= {"unchanged"} and live.entries.keys() <= source.keys()


def lost(live: Generation, source: Mapping[str, File], how: How) -> int:
    """Return how many documents would go, those that moved apart."""
    gone = [entry.document for path, entry in live.entries.items() if path not in source]
    homes = {(document.text, document.shelf) for document in gone if document}
    added = [file for path, file in source.items() if kind_of(live.entries.get(path, Entry()), file, how) == "added"]
    return len(gone) - len(homes & {(file.text, file.shelf) for file in added if file.readable})


def is_unsure(live: Generation, source: Mapping[str, File]) -> bool:
    """Return whether files that cannot be read, or could not, leave open what a refresh does."""
    unread = any(entry.rejected and entry.rejected[0] == UNREADABLE for entry in live.entries.values())
    return unread or not all(file.readable for file in source.values())


class Model:
    """Generations by number, which of them can be restored, and the source."""

    def __init__(self) -> None:
        self.source: dict[str, File] = {}
        self.generations: dict[int, Generation] = {}
        self.kept: set[int] = set()

    @property
    def last(self) -> int:
        """The number of the live generation."""
        return max(self.generations, default=0)

    @property
    def live(self) -> Generation:
        """The live generation."""
        return self.generations[self.last]

    def refresh(self, how: How, observed: State | None) -> None:
        """Publish what a refresh publishes; where several outcomes are allowed, the one that was `observed`."""
        before = self.live.entries if self.generations else {}
        found = seen(observed) if observed else {}
        entries = {}
        for path, file in self.source.items():
            choices = allowed(before.get(path, Entry()), file, how)
            matching = [entry for entry in choices if visible(entry) == found.get(path)]
            entries[path] = [*matching, *choices][0]
        self._publish(Generation(entries, how.size))

    def roll_back(self, number: int) -> None:
        """Publish an older generation's state, held."""
        self._publish(self.generations[number]._replace(held=True))

    def release(self) -> None:
        """End the hold."""
        self._publish(self.live._replace(held=False))

    def purge(self, path: str) -> None:
        """Remove a path from every generation; publish what is left of the live one."""
        for number in self.kept:
            found = self.generations[number]
            entries = {name: entry for name, entry in found.entries.items() if name != path}
            self.generations[number] = found._replace(entries=entries)
        self._publish(self.live)

    def knows(self, path: str) -> bool:
        """Return whether a generation that can be restored holds a path."""
        return any(path in self.generations[number].entries for number in self.kept)

    def _publish(self, generation: Generation) -> None:
        self.generations[self.last + 1] = generation
        self.kept.add(self.last)

    def may_keep(self, observed: Iterable[int], cleaned: bool) -> bool:
        """Return whether just these generations may be restorable, after a clean-up or one that was perhaps killed."""
        newest = set(sorted(self.kept)[-KEPT:])
        return newest == set(observed) if cleaned else newest <= set(observed) <= self.kept


Seen = tuple[tuple[str, str, str, int] | None, bool]
"""What readers see of a path: text, state, metadata and size of chunks; and whether there is a reject."""


def visible(entry: Entry) -> Seen:
    """Return what readers must see of an entry."""
    document = entry.document
    if document is None:
        return None, entry.rejected is not None
    shelf = {"shelf": document.shelf} if document.shelf else {}
    return (document.text, document.state, metadata_json(shelf), document.size), entry.rejected is not None


def seen(state: State) -> dict[str, Seen]:
    """Return what readers see, by path."""
    found: dict[str, Seen] = {path: (None, True) for path in state.rejects}
    for path, it in state.documents.items():
        assert it.longest <= SIZES[0], f"{path} has a chunk of {it.longest} tokens"
        size = SIZES[1] if it.longest <= SIZES[1] else SIZES[0]
        found[path] = ((it.text, it.state, it.metadata, size), path in state.rejects)
    return found


def expected(generation: Generation) -> dict[str, Seen]:
    """Return what readers must see of a generation, by path."""
    return {path: visible(entry) for path, entry in generation.entries.items()}
