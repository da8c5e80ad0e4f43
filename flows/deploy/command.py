"""`make deploy`: say what is deployed, and what is wrong in one line."""

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from flows.allowed import VARIABLE
from flows.cli.output import print_line
from flows.cli.server import get_address_file
from flows.deploy.corpora import DeployedCorpus, read_deployed_corpora
from flows.deploy.table import read_job_variables
from schemas.errors import PagemillError

CONFIG, LOCK_WAIT = "PAGEMILL_CONFIG", "PAGEMILL_PUBLISH_LOCK_WAIT_SECONDS"


def main() -> None:
    """Deploy; exit with 1 and one line on stderr if that cannot be done."""
    try:
        deploy_corpora()
    except PagemillError as error:
        sys.exit(str(error))


def deploy_corpora() -> None:
    """Make the deployments of all chosen corpora, and the alarms.

    Raises:
        InputError: something is wrong with the settings; nothing is deployed.
        ServiceError: the server refuses.
    """
    chosen = read_deployed_corpora()
    variables = [collect_run_variables(corpus) for corpus in chosen]
    from flows.deploy.server import Server  # Prefect takes seconds to import

    with Server() as server:
        for corpus, environment in zip(chosen, variables, strict=True):
            with set_environment_variables(environment):
                names = server.deploy(corpus, environment)
            print_line(f'{corpus.tag}: {corpus.source} into {corpus.corpus}, every "{corpus.schedule}" {corpus.timezone}')
            print_line(f"  {', '.join(names)}")
            if not corpus.questions:
                print_line("  without questions: evaluations and experiments are not deployed")
        if others := server.list_other_deployments({corpus.tag for corpus in chosen}):
            print_line(f"also deployed, and left as they are: {', '.join(others)}")
        server.set_alarms(chosen, print_line)
    api = os.environ.get("PREFECT_API_URL", "")
    print_line(f"see {api.removesuffix('/api')}/deployments, or run it now:")
    address = get_address_file()
    logged_in = f". {shlex.quote(str(address))} &&" if address.exists() else f"PREFECT_API_URL={api}"
    print_line(f"{logged_in} .venv/bin/prefect deployment run refresh/refresh-on-demand{chosen[0].suffix} --watch")


def collect_run_variables(corpus: DeployedCorpus) -> dict[str, str]:
    """Return the variables of all runs of a corpus: those of the file of deployments, but for what runs may be given."""
    common = {name: value for name, value in read_job_variables()["env"].items() if name != VARIABLE}
    own = {name: os.environ[name] for name in (LOCK_WAIT,) if name in os.environ}
    return {**common, **own, **({CONFIG: corpus.config} if corpus.config else {})}


@contextmanager
def set_environment_variables(variables: dict[str, str]) -> Iterator[None]:
    """Set variables of this process during the block."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
