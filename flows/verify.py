"""Verify: check that all files of a corpus are there and as they were written; a damaged one raises an alarm."""

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed

from flows.allowed import check_run_parameters
from flows.logs import send_logs_to_flow_run
from flows.settings import configure_object_store
from flows.ui import name_verification_run, tag_run_with_corpus
from schemas.corpus import Corpus
from schemas.events import DAMAGED
from tasks.publish.io.reports.names import name_corpus
from tasks.publish.tasks import verify_corpus


@flow(name="verify", flow_run_name=name_verification_run)
def verify(corpus: str, deep: bool = True) -> State[None]:
    """Check the files of `corpus` and of its candidates; the run fails as damaged, with what is wrong, if one is not whole.

    Args:
        corpus: folder of the corpus
        deep: read all bytes, and check keys, texts, vectors and indexes; otherwise names and sizes only
    """
    check_run_parameters(corpus=corpus)
    configure_object_store(corpus)
    with send_logs_to_flow_run(), tag_run_with_corpus(corpus):
        whole, said = verify_corpus(name_corpus(corpus), Corpus(corpus), deep)
    return Completed(message=said) if whole else Failed(name=DAMAGED, message=said)
