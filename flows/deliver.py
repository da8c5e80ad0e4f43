"""Deliver: bring the destinations of pagemill.toml to the live generation of a corpus, whenever one may be new."""

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.futures import wait
from prefect.states import Completed, Failed

from flows.allowed import check_run_parameters
from flows.logs import send_logs_to_flow_run
from flows.settings import choose_destinations, configure_object_store
from flows.ui import name_delivery_run, tag_run_with_corpus
from schemas.corpus import Corpus
from tasks.deliver.tasks import deliver_to_destination
from tasks.publish.io.reports.names import name_corpus


@flow(name="deliver", flow_run_name=name_delivery_run)
def deliver(corpus: str, name: str = "") -> State[None]:
    """Deliver the live generation of `corpus`; one destination that fails keeps no other from it.

    Args:
        corpus: folder of the corpus
        name: the destination, as pagemill.toml calls it; blank: all of them
    """
    check_run_parameters(corpus=corpus)
    destinations = choose_destinations(name)
    configure_object_store(corpus, *(options.to for options in destinations.values()))
    with send_logs_to_flow_run(), tag_run_with_corpus(corpus):
        runs = [
            deliver_to_destination.submit(name_corpus(corpus), Corpus(corpus), destination, options)
            for destination, options in destinations.items()
        ]
        wait(runs)
        outcomes = dict(zip(destinations, (run.result(raise_on_failure=False) for run in runs), strict=True))
    if failed := [f"{destination}: {error}" for destination, error in outcomes.items() if isinstance(error, Exception)]:
        return Failed(message="; ".join(failed))
    said = ", ".join(f"{destination} holds generation {outcome.generation}" for destination, outcome in outcomes.items())
    return Completed(message=said or "no destinations: pagemill.toml has no section [deliver.NAME]")
