"""The Prefect task that delivers. It is not cached, because what a destination holds is asked there every time."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from schemas.corpus import Corpus
from schemas.options.delivering import DestinationOptions
from tasks.deliver.io.deliver import Outcome, deliver_live_generation


@task(task_run_name="deliver {title} to {name}", cache_policy=NO_CACHE)
def deliver_to_destination(title: str, corpus: Corpus, name: str, options: DestinationOptions) -> Outcome:
    """Bring the destination `name` to the live generation of the corpus; see `deliver_live_generation`."""
    return deliver_live_generation(corpus, name, options)
