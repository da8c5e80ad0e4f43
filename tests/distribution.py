"""Distribution: which tests one process runs one after the other, and which come first.

Left to itself, pytest-xdist begins with the files that have most tests, and ends with the few that take minutes.
"""

from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

TOGETHER = {
    "nights": ("tests/soak/",),
    "store": (
        "tests/flows/stores/",
        "tests/tasks/deliver/io/test_places.py",
        "tests/tasks/serve/io/test_pictures.py",
        "tests/tasks/store/objects/",
    ),
    "deployments": ("tests/deployments/",),
    "prefect": (
        "tests/flows/candidates/test_in_prefect.py",
        "tests/flows/cli/test_purge_command.py",
        "tests/flows/dask/test_lost_machines.py",
        "tests/flows/dask/test_newcomers.py",
        "tests/flows/dask/test_only_a_store.py",
        "tests/flows/faults/test_idempotence.py",
        "tests/flows/faults/test_kill.py",
        "tests/flows/faults/test_ranges_left.py",
        "tests/flows/faults/test_refusals.py",
        "tests/flows/faults/test_retrieval_gate.py",
        "tests/flows/faults/test_staged_files.py",
        "tests/flows/faults/test_steps.py",
        "tests/flows/faults/test_two_at_once.py",
        "tests/flows/test_assets.py",
        "tests/flows/test_containers.py",
        "tests/flows/test_deliver.py",
        "tests/flows/test_evaluate.py",
        "tests/flows/test_experiment.py",
        "tests/flows/test_generate_questions.py",
        "tests/flows/test_ui.py",
        "tests/interrupts/test_interrupts.py",
        "tests/pagemill/test_refresh.py",
    ),
}
"""Files, by what they share: a process that forks and a corpus with a history, a Prefect server, or an object store."""

LONGEST = (
    "prefect",
    "deployments",
    "nights",
    "store",
    "tests/demo/test_readme.py",
    "tests/traces/test_traces.py",
    "tests/benchmarks/cuda/test_cuda.py",
    "tests/tasks/workers/test_pool.py",
    "tests/flows/serving/test_server.py",
    "tests/tasks/embed/io/test_model_folders.py",
    "tests/tasks/experiment/io/test_run.py",
    "tests/interrupts/test_full_disk.py",
    "tests/flows/test_generations.py",
    "tests/flows/test_figures.py",
    "tests/tasks/workers/test_pool_processes.py",
    "tests/benchmarks/parsing/test_run.py",
    "tests/tasks/workers/test_pool_limits.py",
    "tests/flows/access/test_rights.py",
    "tests/flows/serving/test_latencies.py",
    "tests/flows/serving/test_malice.py",
    "tests/flows/cli/test_environments.py",
    "tests/flows/cli/test_main.py",
    "tests/flows/cli/test_output.py",
    "tests/tasks/experiment/io/test_judging.py",
    "tests/flows/faults/test_bad_documents.py",
    "tests/tasks/refresh/io/test_judge.py",
    "tests/flows/dask/test_dask.py",
    "tests/flows/whole/test_damage.py",
    "tests/flows/whole/test_backup.py",
    "tests/flows/whole/test_repair.py",
    "tests/flows/whole/test_whole.py",
)
"""What takes longest, the longest first, as `pytest --durations` tells it."""


class LongestFirst(LoadScopeScheduling):  # type: ignore[misc]
    """Gives each process whole files, and together what belongs together, in the order of `place_of`."""

    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid)


def unit_of(nodeid: str) -> str:
    """Return the unit of a test: its file, or a name of TOGETHER. One process runs all of a unit."""
    file = nodeid.partition("::")[0]
    return next((name for name, files in TOGETHER.items() if file.startswith(files)), file)


def place_of(nodeid: str) -> int:
    """Return the place of a test's unit in the order of starts: units that are not known to be long come last, in any order."""
    unit = unit_of(nodeid)
    return LONGEST.index(unit) if unit in LONGEST else len(LONGEST)
