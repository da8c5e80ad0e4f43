"""Fine-tune: let the embedder of a corpus learn from questions with known answers, as a new model that nothing uses by itself."""

from uuid import uuid4

from prefect import flow
from prefect.runtime import flow_run

from flows.logs import send_logs_to_flow_run
from flows.settings import read_finetune_options
from flows.ui import name_finetuning_run, tag_run_with_corpus
from schemas.access import OWNER
from schemas.corpus import Corpus
from schemas.options.finetune import FinetuneOptions
from tasks.finetune.io.collect import start_finetuning
from tasks.finetune.tasks import collect_examples, compare_and_write_model, learn_model, mine_negatives, report_model
from tasks.publish.io.reports.names import name_corpus


@flow(name="finetune", flow_run_name=name_finetuning_run)
def finetune(corpus: str, questions: str, out: str, options: FinetuneOptions | None = None) -> dict[str, object]:
    """Tune the embedder of the live generation of `corpus` with the JSON-lines file `questions`; write the model to `out`.

    Options that are set here take precedence over PAGEMILL_ variables, and these over pagemill.toml. Questions of one split are
    learnt from, those of another show whether it helped. Returns the model's card. The corpus stays as it is.
    """
    settings = read_finetune_options(options.model_dump(exclude_unset=True) if options else {})
    name = name_corpus(corpus)
    job = start_finetuning(flow_run.get_id() or uuid4().hex, Corpus(corpus), questions, out, settings, OWNER)
    with send_logs_to_flow_run(), tag_run_with_corpus(corpus):
        collected = collect_examples(name, job)
        mined = mine_negatives(name, job, collected)
        learnt = learn_model(name, job, collected, mined)
        card = compare_and_write_model(name, job, collected, mined, learnt)
        report_model(name, job, card)
    return card.model_dump(mode="json")
