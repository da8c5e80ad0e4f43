"""Data Docs: what the gate found in each run, as Great Expectations' own pages. They are made from the log of validations."""

import html
import json
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import great_expectations
from great_expectations.core import (
    ExpectationSuite,
    ExpectationSuiteValidationResult,
    ExpectationValidationResult,
    RunIdentifier,
)
from great_expectations.data_context.types.base import DataContextConfig, InMemoryStoreBackendDefaults
from great_expectations.data_context.types.resource_identifiers import ExpectationSuiteIdentifier, ValidationResultIdentifier
from great_expectations.expectations.expectation_configuration import ExpectationConfiguration
from great_expectations.expectations.registry import get_expectation_impl

from expectations.expected import MEAN, Finding, read_finding
from expectations.sentences import describe_finding
from schemas.corpus import Corpus
from schemas.errors import InputError
from schemas.shown import plain
from tasks.publish.io.reports.names import name_corpus
from tasks.store import published

SITE = {
    "class_name": "SiteBuilder",
    "show_how_to_buttons": False,
    "site_index_builder": {"class_name": "DefaultSiteIndexBuilder"},
}
RUN = ("validated_at", "run_id", "suite")
"""What names a suite of one run, in order of time."""


def write_data_docs(corpus: Corpus, folder: Path) -> Path:
    """Write the pages of all runs of a corpus into a folder, which must be new or empty; return the first page.

    Raises:
        InputError: the folder holds something: it might be lost, or be pages of documents that a purge has removed since.
        CorpusError: the log cannot be read.
    """
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise InputError(f"{folder} is no empty folder: name another for the pages, or delete it")
    backend = {"class_name": "TupleFilesystemStoreBackend", "base_directory": str(folder.resolve())}
    context = great_expectations.get_context(
        mode="ephemeral",
        project_config=DataContextConfig(
            store_backend_defaults=InMemoryStoreBackendDefaults(),
            data_docs_sites={"pagemill": {**SITE, "store_backend": backend}},
            analytics_enabled=False,
        ),
    )
    rows = published.read_log(corpus, "validations").sort_by([(name, "ascending") for name in (*RUN, "position")])
    suites: dict[str, list[Finding]] = {}
    for (time, run_id, suite), found in groupby(rows.to_pylist(), key=itemgetter(*RUN)):
        suites[suite] = [read_finding(row) for row in found]
        run = RunIdentifier(run_name=run_id, run_time=time)
        place = ValidationResultIdentifier(ExpectationSuiteIdentifier(suite), run, "draft")
        context.validation_results_store.set(place, make_suite_result(corpus, suite, suites[suite], run))
    for suite, findings in suites.items():
        context.suites.add(ExpectationSuite(suite, [_configure_expectation(one).to_domain_obj() for one in findings]))
    context.build_data_docs(site_names=["pagemill"])
    return folder / "index.html"


def make_suite_result(
    corpus: Corpus, suite: str, findings: list[Finding], run: RunIdentifier
) -> ExpectationSuiteValidationResult:
    """Return what a suite found in one run of a corpus as Great Expectations keeps it."""
    held = sum(found.success for found in findings)
    return ExpectationSuiteValidationResult(
        success=held == len(findings),
        results=[_make_result(found) for found in findings],
        suite_name=suite,
        statistics={
            "evaluated_expectations": len(findings),
            "successful_expectations": held,
            "unsuccessful_expectations": len(findings) - held,
            "success_percent": 100 * held / len(findings),
        },
        meta={
            "run_id": run,
            "great_expectations_version": great_expectations.__version__,
            "batch_kwargs": {"data_asset_name": _escape(name_corpus(corpus.uri))},
        },
    )


def _make_result(found: Finding) -> ExpectationValidationResult:
    observed = json.loads(found.observed)
    counted: dict[str, Any] = {"observed_value": observed}
    if isinstance(observed, dict) and "unexpected" in observed:
        counted = {
            "element_count": observed["of"],
            "unexpected_count": observed["unexpected"],
            "unexpected_percent": 100 * observed["unexpected"] / max(1, observed["of"]),
            "partial_unexpected_list": [_escape(json.dumps(one, ensure_ascii=False)) for one in observed.get("examples", [])],
        }
    return ExpectationValidationResult(success=found.success, expectation_config=_configure_expectation(found), result=counted)


def _configure_expectation(found: Finding) -> ExpectationConfiguration:
    """Return the expectation of a finding, with its sentence, which is what a page shows.

    What was measured by searches, for which Great Expectations has no expectation, stands as that of a mean.
    """
    measured = not found.column and not found.expectation.startswith("expect_table_")
    kind = MEAN if measured else found.expectation
    column = {"column": found.column or "recall"} if measured or found.column else {}
    arguments = get_expectation_impl(kind).__fields__
    allowed = {} if measured else {name: value for name, value in json.loads(found.allowed).items() if name in arguments}
    return ExpectationConfiguration(
        type=kind,
        kwargs={**allowed, **column},
        severity=found.severity,
        description=_escape(describe_finding(found)),
    )


def _escape(text: str) -> str:
    """Return a text as pages have to be given it: they do not escape what they show."""
    return html.escape(plain(text))
