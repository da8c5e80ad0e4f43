"""The corpora to deploy: from `make deploy NAME=… PAGEMILL_SOURCE=…`, or from `pagemill.toml`, or those of the demo."""

import difflib
import os
import re
import zoneinfo
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from flows.settings import find_config_file, merge_options, read_config_section
from schemas.errors import InputError
from schemas.options.deploying import CorpusOptions, DeployOptions
from schemas.shown import plain
from tasks.store.objects.paths import resolve_place
from tasks.store.sources.places import resolve_source

NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
DEMO = {"source": "demo-corpus/source", "corpus": "demo-corpus/corpus", "questions": "demo-corpus/questions.jsonl"}
SOURCE, CORPUS, QUESTIONS, CHOSEN = "PAGEMILL_SOURCE", "PAGEMILL_CORPUS", "PAGEMILL_QUESTIONS", "PAGEMILL_NAME"


class DeployedCorpus(NamedTuple):
    """A corpus to deploy. Paths are absolute; `suffix` ends the names of its deployments, and `tag` is their tag."""

    suffix: str
    tag: str
    source: str
    corpus: str
    questions: str
    schedule: str
    timezone: str
    pool: str
    config: str
    allowed_folders: tuple[str, ...] = ()
    allowed_endpoints: tuple[str, ...] = ()


def read_deployed_corpora() -> list[DeployedCorpus]:
    """Return the corpora that the environment chooses.

    Raises:
        InputError: something is missing, or is not what it should be.
    """
    environment, listed = os.environ, read_config_section("corpora")
    for entry, section in listed.items():
        if not isinstance(section, Mapping):
            raise InputError(f"{find_config_file()}: corpora.{entry} must be a section: write a line [corpora.{entry}]")
    common, name = merge_options(DeployOptions, read_config_section("deploy"), {}, "deploy"), environment.get(CHOSEN, "")
    if name:
        _check_corpus_name(name, f"NAME={name}")
    if environment.get(SOURCE) or environment.get(CORPUS):
        return [_read_corpus_from_variables(name, common)]
    if name and name not in listed:
        close = difflib.get_close_matches(name, list(listed), n=1)
        hint = f"did you mean {close[0]}?" if close else f"give {SOURCE} and {CORPUS}, or write a section [corpora.{name}]"
        raise InputError(f"NAME={name}: {find_config_file()} has no such corpus; {hint}")
    if listed:
        return [_read_corpus_from_section(entry, dict(listed[entry]), common) for entry in ([name] if name else listed)]
    if not Path(DEMO["source"]).is_dir():
        raise InputError(f"nothing to deploy: run make demo first, or make deploy {SOURCE}=… {CORPUS}=…")
    demo = CorpusOptions(**{**DEMO, "questions": environment.get(QUESTIONS, DEMO["questions"])})
    return [_resolve_corpus("", demo, common, Path.cwd())]


def _read_corpus_from_variables(name: str, common: DeployOptions) -> DeployedCorpus:
    """Return the corpus of the variables."""
    environment = os.environ
    if not (environment.get(SOURCE) and environment.get(CORPUS)):
        raise InputError(f"give both a source and a corpus: make deploy {SOURCE}=… {CORPUS}=…")
    options = CorpusOptions(source=environment[SOURCE], corpus=environment[CORPUS], questions=environment.get(QUESTIONS, ""))
    return _resolve_corpus(name, options, common, Path.cwd())


def _read_corpus_from_section(name: str, section: Mapping[str, object], common: DeployOptions) -> DeployedCorpus:
    """Return the corpus of a section of `pagemill.toml`."""
    _check_corpus_name(name, f"{find_config_file()}: the corpus {plain(name)}")
    try:
        options = merge_options(CorpusOptions, section, {})
    except InputError as error:
        raise InputError(f"{find_config_file()}: corpora.{name}: {error}") from error
    return _resolve_corpus(name, options, common, find_config_file().parent)


def _resolve_corpus(name: str, options: CorpusOptions, common: DeployOptions, folder: Path) -> DeployedCorpus:
    schedule = os.environ.get("PAGEMILL_SCHEDULE") or options.schedule or common.schedule
    timezone = os.environ.get("PAGEMILL_TIMEZONE") or options.timezone or common.timezone
    check_schedule(schedule, timezone)
    config = options.config or os.environ.get("PAGEMILL_CONFIG", "")
    corpus = make_path_absolute(options.corpus, folder)
    return DeployedCorpus(
        suffix=f"-{name}" if name else "",
        tag=name or Path(corpus).name,
        source=resolve_source(options.source, str(folder)),
        corpus=corpus,
        questions=make_path_absolute(options.questions, folder),
        schedule=schedule,
        timezone=timezone,
        pool=options.pool or common.pool,
        config=_check_file_exists(make_path_absolute(config, folder if options.config else Path.cwd())),
        allowed_folders=tuple(resolve_source(place, str(find_config_file().parent)) for place in common.allowed_folders),
        allowed_endpoints=common.allowed_endpoints,
    )


def check_schedule(cron: str, timezone: str) -> None:
    """Check that Prefect, which would print a traceback, accepts a schedule: a cron expression of five fields, an IANA time zone.

    Raises:
        InputError: the schedule is not valid.
    """
    from prefect.client.schemas.schedules import CronSchedule
    from pydantic import ValidationError

    try:
        CronSchedule(cron=cron, timezone=timezone)
    except ValidationError as error:
        if {item["loc"] for item in error.errors()} == {("timezone",)}:
            close = difflib.get_close_matches(timezone, zoneinfo.available_timezones(), n=1)
            hint = f"did you mean {close[0]}?" if close else "write a name such as Europe/Berlin"
            raise InputError(f"PAGEMILL_TIMEZONE={timezone} is not a time zone: {hint}") from error
        raise InputError(
            f'PAGEMILL_SCHEDULE="{cron}" is not a cron expression: write minute, hour, day of the month, month, day of the week, '
            'such as "0 2 * * *" for every night at two'
        ) from error


def _check_file_exists(config: str) -> str:
    if config and not Path(config).is_file():
        raise InputError(f"the file of options {config} does not exist: correct config, or PAGEMILL_CONFIG")
    return config


def _check_corpus_name(name: str, shown: str) -> None:
    if not NAME.fullmatch(name):
        raise InputError(f"{shown}: use letters, digits, points, dashes and underscores, at most 64 characters")


def make_path_absolute(place: str, folder: Path) -> str:
    """Return a path made absolute from `folder`, because flows run in another one; a URI, or nothing, as it is.

    >>> [make_path_absolute(place, Path("/data")) for place in ("in/../reports", "s3://bucket/corpus", "")]
    ['/data/reports', 's3://bucket/corpus', '']
    """
    return resolve_place(place, str(folder)) if place else ""
