"""Listing: the source as it lies there, before a file of it is read."""

import hashlib
import os
import time
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import PurePath
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from pathspec import PathSpec

from schemas.errors import InputError
from schemas.ids import json_digest, normal_path
from schemas.media_types import (
    ADDED,
    FORMATS,
    MAILS,
    PAGES,
    PICTURES,
    USUAL_SUFFIXES,
    chooses_format,
    container_type_of,
    find_added_formats,
    is_part_of_page,
    lacks_suffix,
    media_type_of,
)
from schemas.options.sections import RefreshOptions
from schemas.references import Content, SourcePlace
from schemas.types import integers
from tasks.parse.io.missing_readers import find_missing_readers
from tasks.refresh.io.source import sidecars
from tasks.refresh.io.source.kinds import NO_KINDS, tell_kinds
from tasks.refresh.io.source.memory import make_stamps
from tasks.refresh.planning import SourceFile, are_trusted
from tasks.store.documents import ContainerCopies
from tasks.store.sources.folder import FolderSource
from tasks.store.sources.source import ListedFile, Source


class Recalled(NamedTuple):
    """What a listing knows of the last one: what the source wanted to know, and KINDS of its files without a suffix."""

    of_source: bytes = b""
    kinds: pa.Table = NO_KINDS


NOTHING = Recalled()


class Listing:
    """Documents and files that hold some, sidecars, what is skipped for its kind or as a link, paths that only sidecars name."""

    def __init__(self, source: Source, options: RefreshOptions, recalled: Recalled = NOTHING) -> None:
        """List `source`; `options.plan` chooses the files. Those without a suffix are read, unless they are `recalled`."""
        self.source, self._options, self._name = source, options.source, options.plan.source_name
        self.listed_at_ns = time.time_ns()
        self._formats = options.plan.formats
        self._include, self._exclude = _compile_globs(options.plan.include), _compile_globs(options.plan.exclude)
        self._chooses_all = options.plan.include == ("**",) and not options.plan.exclude and not self._formats
        if options.source.rights and not source.tells_rights:
            raise InputError(
                f"source {source.uri} does not tell who may read its documents: leave out source.rights, and name groups in "
                f"{' or '.join(sidecars.NAMES)}; a database may have them in a column of source.metadata"
            )
        seen, self.incomplete, of_source = source.list_files(recalled.of_source)
        kinds = list(map(find_media_type, seen))
        found, told = self._tell_kinds(seen, kinds, recalled.kinds)
        self.recalled, self.memory = recalled, Recalled(of_source, told)
        listed = found if self._chooses_all else [file for file in found if self.chooses(file.path, file.media_type)]
        kinds = kinds if listed is seen else list(map(find_media_type, listed))
        self.n_excluded = len(found) - len(listed)
        self.sidecars, self.documents, self._others = list[ListedFile](), list[ListedFile](), list[ListedFile]()
        beside = list[ListedFile]()
        of_documents, of_beside = list[str](), list[str]()
        pages = {os.path.splitext(file.path)[0] for file, kind in zip(listed, kinds, strict=True) if kind in PAGES}
        for file, kind in zip(listed, kinds, strict=True):
            if _is_sidecar(file.path):
                self.sidecars.append(file)
            elif (kind or container_type_of(file.path)) and not (pages and is_part_of_page(file.path, pages)):
                self.documents.append(file)
                of_documents.append(kind)
            elif kind in PICTURES and not file.refused:
                beside.append(file)
                of_beside.append(kind)
            else:
                self._others.append(file)
        self.files = [*self.documents, *beside]
        """The documents, and behind them the pictures that browsers saved with pages."""
        self.media_types = [*of_documents, *of_beside]
        """Those of the files, in their order; blank for containers."""
        self._refuse_equal_names()
        self.nameless: list[str] = []
        self.n_documents = len(self.documents)
        """How many documents there are, those in archives, mailboxes and mails included, once a plan is made."""
        self.copies = ContainerCopies()
        self.left_out: list[str] = []
        """What is no document in archives, mailboxes and mails, once these are opened."""

    def _tell_kinds(self, found: list[ListedFile], kinds: Sequence[str], recalled: pa.Table) -> tuple[list[ListedFile], pa.Table]:
        """Return files of some `kinds`, those without a suffix with those that their contents tell, and KINDS of these."""
        nameless = [
            file
            for file, kind in zip(found, kinds, strict=True)
            if not (kind or file.refused) and lacks_suffix(file.path) and self._matches_globs(file.path)
        ]
        told, kinds = tell_kinds(self.source, nameless, recalled, self.listed_at_ns)
        by_path = {file.path: file for file in told}
        return [by_path.get(file.path, file) for file in found] if told else found, kinds

    def _matches_globs(self, path: str) -> bool:
        return self._chooses_all or (self._include.match_file(path) and not self._exclude.match_file(path))

    def chooses(self, path: str, media_type: str = "") -> bool:
        """Return whether the globs and the formats choose a path; its media type is told by its name if it is blank."""
        if self._chooses_all:
            return True
        named = path + FORMATS[media_type].suffixes[0] if media_type in FORMATS else path
        return self._matches_globs(path) and (not self._formats or _is_sidecar(path) or chooses_format(named, self._formats))

    @property
    def skipped(self) -> list[str]:
        """The paths of what is no document, each with the reason if it is not its kind."""
        return [*(f"{file.path} ({file.refused})" if file.refused else file.path for file in self._others), *self.left_out]

    @property
    def why_empty(self) -> str:
        """What there is in a source without documents, for people: "3 .xls, 2 .zip"; blank if there is nothing."""
        told = [file.refused.removeprefix("a ") or PurePath(file.path).suffix.lower() for file in self._others]
        kinds = Counter(kind or "without a suffix" for kind in told)
        named = ", ".join(f"{n} {kind}" for kind, n in kinds.most_common())
        if named:
            return f"no documents that Pagemill reads: {named}; it reads {', '.join(USUAL_SUFFIXES)}"
        return f"{self.n_excluded} files, but the globs or formats exclude all of them" if self.n_excluded else ""

    @cached_property
    def stamps(self) -> pa.Table:
        """What is seen of the files without reading them."""
        return make_stamps(self.files)

    def _refuse_equal_names(self) -> None:
        """Refuse two documents of one name. Of paths in ASCII without backslashes it is enough that they differ."""
        paths = [file.path for file in self.documents]
        letters = "".join(paths)
        if letters.isascii() and "\\" not in letters and len({*paths}) == len(paths):
            return
        seen: dict[str, ListedFile] = {}
        for file in self.documents:
            twin = seen.setdefault(normal_path(file.path), file)
            if twin is not file:
                raise InputError(f"{twin.path!r} and {file.path!r} have the same name in two Unicode forms: rename one of them")

    def make_content(self, file: SourceFile) -> Content:
        """Return the content of a document of the source."""
        facts: dict[str, Any] = {name: getattr(file, name) for name in ("sha256", "media_type", "size", "compound")}
        if isinstance(self.source, FolderSource):
            folder = self.source.place
            held = file.inside and file.inside._replace(container=str(folder / file.inside.container))
            if file.compound:
                here = (one._replace(path=str(folder / one.path)) for one in file.compound.pictures)
                facts["compound"] = file.compound._replace(pictures=tuple(here))
            return Content(path=str(folder / file.path), inside=held, **facts)
        place = SourcePlace(url=self.source.uri, options=self._options, name=self._name)
        return Content(path=file.path, inside=file.inside, source=place, **facts)

    def fingerprint(self, options: RefreshOptions) -> str:
        """Return a digest of all names, sizes and times, and of the options that plan."""
        planning = [
            self.source.uri,
            options.source.model_dump(),
            options.plan.model_dump(),
            options.columns,
            options.access.model_dump(),
            options.limits.model_dump(),
            self._find_readers(),
        ]
        return json_digest([*planning, self._digest])

    @cached_property
    def _digest(self) -> str:
        """A digest of what is seen of all files and sidecars without reading them."""
        seen = hashlib.sha256()
        for column in self.stamps.columns:
            for buffer in filter(None, column.combine_chunks().buffers()):
                seen.update(buffer)
        told = [[*file[:4], [*file.metadata.items()]] for file in self.files if file.refused or file.metadata]
        seen.update(json_digest([told, [file[:4] for file in self.sidecars]]).encode())
        return seen.hexdigest()

    def _find_readers(self) -> list[str]:
        """Return the packages that may read documents of this listing, with their versions, and what is missing to read some."""
        kinds = {*self.media_types}
        may_hold_any = not kinds.isdisjoint(("", *MAILS)) or any(kind.startswith(ADDED) for kind in kinds)
        packages = [added.package for added in find_added_formats().values()] if may_hold_any else []
        return sorted({*packages, *(f"no {missing}" for missing in find_missing_readers().values())})

    def trusts(self, read_at_ns: int) -> bool:
        """Return whether no file can have changed since it was read at that time, if all sizes and times are the same."""
        times = (self.stamps["mtime_ns"], integers(file.mtime_ns for file in self.sidecars))
        return all(pc.all(are_trusted(of, read_at_ns, self.listed_at_ns)).as_py() is not False for of in times)

    @property
    def is_stable(self) -> bool:
        """Return whether every file's time can be trusted: a file that is being written may change again without a new one."""
        return self.trusts(self.listed_at_ns)


def find_media_type(file: ListedFile) -> str:
    """Return the media type of a file, as its source or its name tells it; blank if Pagemill cannot read such files."""
    return file.media_type or media_type_of(file.path) or ""


def _is_sidecar(path: str) -> bool:
    return path.rpartition("/")[2] in sidecars.NAMES


def _compile_globs(patterns: Sequence[str]) -> PathSpec[Any]:
    try:
        return PathSpec.from_lines("gitignore", patterns)
    except ValueError as error:
        raise InputError(f"{error}: write globs as in a .gitignore file") from error
