"""Alarms: automations of the Prefect server that notify somebody when a run fails, or when a corpus gets worse.

They are made when there is somebody to notify: by the block that `deploy.notify` names, or by a webhook whose address is in
PAGEMILL_NOTIFY_URL. Such addresses hold secrets, so they are kept in a block, where the server encrypts them. Without either,
alarms of an earlier deployment stay as they are: nobody loses them by leaving out a variable.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from prefect.blocks.core import Block
from prefect.blocks.notifications import CustomWebhookNotificationBlock, SlackWebhook
from prefect.client.orchestration import SyncPrefectClient
from prefect.events import AutomationCore, EventTrigger, Posture
from prefect.events.actions import ChangeFlowRunState, SendNotification
from prefect.events.schemas.events import ResourceSpecification
from prefect.exceptions import ObjectNotFound
from prefect.types import SecretDict
from pydantic import SecretStr

from flows.deploy.silence import NO_RUN, make_silence_alarm
from flows.deploy.table import TAG
from flows.settings import merge_options, read_config_section
from schemas.errors import InputError
from schemas.events import DAMAGED, RECALL_FELL, REFUSED, REJECTS
from schemas.options.deploying import DeployOptions

URL = "PAGEMILL_NOTIFY_URL"
BLOCK = "pagemill-alarms"
"""Name of the block that is made from PAGEMILL_NOTIFY_URL."""

SLACK = "hooks.slack.com"
OF_A_RUN = "{{ flow_run.name }} ({{ deployment.name }}): {{ flow_run.state.message }}\n{{ flow_run|ui_url }}"
OF_A_CORPUS = "{{ event.payload.message }}\n{{ flow_run|ui_url }}"
HEARTBEAT, SILENT_SECONDS = "prefect.flow-run.heartbeat", 300
BEGUN = ("Running", "Scheduled", "Late", "AwaitingRetry", "AwaitingConcurrencySlot")
"""States that follow the one in which a worker has taken a run: it begins, or waits again."""
ENDS = ("Completed", "nothing changed", "Failed", REFUSED, DAMAGED, "Crashed", "Cancelled", "Cancelling")


class Alarm(NamedTuple):
    """One alarm: the event that raises it, its subject, and its text as a template of the server."""

    name: str
    event: str
    subject: str
    body: str = OF_A_RUN


ALARMS = (
    Alarm("failed", "prefect.flow-run.Failed", "Pagemill: a run failed"),
    Alarm("crashed", "prefect.flow-run.Crashed", "Pagemill: a run crashed"),
    Alarm("late", "prefect.flow-run.Late", "Pagemill: a run is late", f"{OF_A_RUN}\nIt has not begun: does the worker run?"),
    Alarm("refused by the gate", f"prefect.flow-run.{REFUSED}", "Pagemill: a draft was refused"),
    Alarm("damaged", f"prefect.flow-run.{DAMAGED}", "Pagemill: a corpus is damaged"),
    Alarm("many rejects", REJECTS, "Pagemill: many documents are rejected", OF_A_CORPUS),
    Alarm("recall fell", RECALL_FELL, "Pagemill: recall fell", OF_A_CORPUS),
)
"""All alarms; docs/operations.md says what each means, and what to do."""


def create_alarms(client: SyncPrefectClient, say: Callable[[str], None], nightly: Mapping[str, timedelta]) -> None:
    """Make the alarms, if there is somebody to notify. Count runs that died silently, or were never begun, as crashed.

    `nightly` gives the longest time between two runs of each deployment that has a schedule, by its name.

    Raises:
        InputError: the block that `deploy.notify` names does not exist, or the address is none.
    """
    for ended in (_make_crash_of_silent_runs(), _make_crash_of_pending_runs()):
        _create_or_replace_automation(client, ended)
    block = find_notification_block(client)
    if block is None:
        kept = client.read_automations_by_name(_make_alarm_title(ALARMS[0]))
        if not kept:
            say(f"alarms: none; set deploy.notify in pagemill.toml, or {URL}, to be told when a run fails")
            return
        block = next(action.block_document_id for action in kept[0].actions if isinstance(action, SendNotification))
        say("alarms: as an earlier deployment made them")
    else:
        for alarm in ALARMS:
            _create_or_replace_automation(client, _make_notification(alarm, block))
        say(f"alarms: {', '.join([*(alarm.name for alarm in ALARMS), NO_RUN])}")
    ends = _name_state_events(ENDS)
    for name, gap in nightly.items():
        _create_or_replace_automation(
            client, make_silence_alarm(name, client.read_deployment_by_name(f"refresh/{name}").id, gap, ends, block)
        )


def find_notification_block(client: SyncPrefectClient) -> Any | None:
    """Return the id of the block that alarms are sent by, or None if there is nobody to notify."""
    address = os.environ.get(URL, "")
    if address:
        return _make_webhook_block(address).save(BLOCK, overwrite=True)
    named = merge_options(DeployOptions, read_config_section("deploy"), {}, "deploy").notify
    if not named:
        return None
    kind, _, name = named.partition("/")
    try:
        return client.read_block_document_by_name(name=name, block_type_slug=kind).id
    except ObjectNotFound as error:
        raise InputError(
            f"deploy.notify: the server has no block {named}: create it under Blocks in the UI, then deploy"
        ) from error


def _make_webhook_block(address: str) -> Block:
    """Return the block for an address of a webhook.

    Raises:
        InputError: it is no address; the message does not show it, because it may hold a secret.
    """
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"{URL} is not the address of a webhook: it begins with https://")
    if parts.hostname == SLACK:
        return SlackWebhook(url=SecretStr(address))
    return CustomWebhookNotificationBlock(
        name=BLOCK,
        url="{{address}}",
        secrets=SecretDict({"address": address}),
        json_data={"text": "{{subject}}\n{{body}}", "subject": "{{subject}}", "body": "{{body}}"},
    )


def _make_alarm_title(alarm: Alarm) -> str:
    return f"Pagemill alarm: {alarm.name}"


def _select_deployed_runs() -> ResourceSpecification:
    return ResourceSpecification({"prefect.resource.id": f"prefect.tag.{TAG}", "prefect.resource.role": "tag"})


def _make_notification(alarm: Alarm, block: UUID) -> AutomationCore:
    """Return the automation that sends one alarm, once for each event of a deployed run."""
    trigger = EventTrigger(expect={alarm.event}, match_related=_select_deployed_runs(), posture=Posture.Reactive, threshold=1)
    send = SendNotification(block_document_id=block, subject=alarm.subject, body=alarm.body)
    return AutomationCore(
        name=_make_alarm_title(alarm), description=f"Tells of each {alarm.event}.", trigger=trigger, actions=[send], tags=[TAG]
    )


def _make_crash_of_silent_runs() -> AutomationCore:
    """Return the automation that ends a run whose process, or machine, died without telling the server.

    Such a run would be under way for good, and the next ones of its corpus would wait for it.
    """
    message = f"The run has been silent for {SILENT_SECONDS} s: its process or machine died. The next run goes on where it ended."
    description = "Ends runs whose process died without a word, so that others of their corpus can begin."
    return _make_crash_automation(
        "Pagemill: silent runs have crashed", description, {HEARTBEAT}, {HEARTBEAT, *_name_state_events(ENDS)}, message
    )


def _make_crash_of_pending_runs() -> AutomationCore:
    """Return the automation that ends a run which a worker took and, dying, never began."""
    message = f"A worker took this run {SILENT_SECONDS} s ago and did not begin it: the worker or its machine died. Run it again."
    description = "Ends runs that a worker took and never began."
    return _make_crash_automation(
        "Pagemill: runs that never began have crashed",
        description,
        _name_state_events({"Pending"}),
        _name_state_events({*BEGUN, *ENDS}),
        message,
    )


def _name_state_events(states: Iterable[str]) -> set[str]:
    return {f"prefect.flow-run.{state}" for state in states}


def _make_crash_automation(name: str, description: str, after: set[str], expect: set[str], message: str) -> AutomationCore:
    """Return the automation that ends a run of which, SILENT_SECONDS after an event of `after`, none of `expect` came."""
    trigger = EventTrigger(
        after=after,
        expect=expect,
        match=ResourceSpecification({"prefect.resource.id": ["prefect.flow-run.*"]}),
        match_related=_select_deployed_runs(),
        for_each={"prefect.resource.id"},
        posture=Posture.Proactive,
        threshold=1,
        within=timedelta(seconds=SILENT_SECONDS),
    )
    crash = ChangeFlowRunState(state="CRASHED", name="Crashed", message=message)
    return AutomationCore(name=name, description=description, trigger=trigger, actions=[crash], tags=[TAG])


def _create_or_replace_automation(client: SyncPrefectClient, automation: AutomationCore) -> None:
    """Make an automation, or renew those of its name."""
    for found in client.read_automations_by_name(automation.name):
        client.delete_automation(found.id)
    client.create_automation(automation)
