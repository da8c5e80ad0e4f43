"""Options of deployments: which corpora are brought up to date when, and who is told if something is wrong."""

from pydantic import Field

from schemas.options.frozen import Options


class DeployOptions(Options):
    """What all corpora have in common: the section `deploy` of `pagemill.toml`."""

    schedule: str = Field("0 2 * * *", description="when refresh-nightly runs, as a cron expression")
    timezone: str = Field("UTC", description="time zone of the schedule, such as Europe/Berlin")
    pool: str = Field("pagemill", min_length=1, description="work pool whose workers run it; `make up` starts one of pagemill")
    notify: str = Field(
        "",
        pattern=r"^$|^[a-z0-9-]+/[a-z0-9-]+$",
        description="Prefect block that alarms are sent by, as type/name, such as slack-webhook/night-watch; "
        "blank: the address in PAGEMILL_NOTIFY_URL, if it is set",
    )
    allowed_folders: tuple[str, ...] = Field(
        (),
        description="folders, buckets and URLs that runs may be given as source, corpus, questions or results, besides those of "
        "their deployment; relative to this file",
    )
    allowed_endpoints: tuple[str, ...] = Field(
        (), description="addresses of models and schedulers that runs may be given, besides those in force when it was deployed"
    )


class CorpusOptions(Options):
    """One corpus: a section `corpora.NAME` of `pagemill.toml`. Paths are relative to this file."""

    source: str = Field(min_length=1, description="folder of documents, or the URL of a source")
    corpus: str = Field(min_length=1, description="folder of the corpus")
    questions: str = Field("", description="JSON-lines file of questions that evaluations ask; blank: no evaluations")
    schedule: str | None = Field(None, description="cron expression; by default that of the section deploy")
    timezone: str | None = Field(None, description="time zone; by default that of the section deploy")
    pool: str | None = Field(None, description="work pool; by default that of the section deploy")
    config: str = Field("", description="file of options for this corpus alone, instead of pagemill.toml")
