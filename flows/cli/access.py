"""`pagemill access`: tokens for those who ask a server, a check that nobody is told of what he may not read, and who asked."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.output import As, CorpusOption, Json, print_json, print_line, print_table
from schemas.errors import AccessError, InputError

SHOWN = 3
"""Documents of an answer that are shown to people; `--json` names all."""


def add_access_commands(application: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(
        no_args_is_help=True, help="Who may read: tokens for a server, a check that nothing else is told, and who asked."
    )
    group.command("token")(make_token_command)
    group.command("check")(check_access_command)
    group.command("log")(show_log_command)
    application.add_typer(group, name="access")


def make_token_command(
    file: Annotated[Path, typer.Argument(help="File of tokens to add to; it is made if it is new.")],
    groups: Annotated[str, typer.Option(help="Groups of who gets the token, such as finance,board; blank: none.")],
    days: Annotated[int, typer.Option(min=1, max=3650, help="Days until it expires.")] = 90,
    name: Annotated[str, typer.Option(help="Whose it is, for people who read the file.")] = "",
    as_json: Json = False,
) -> None:
    """Make a token for `pagemill serve --tokens FILE`, and print it: the file keeps its digest. Delete its line to end it.

    Servers that run take it, or miss it, at the next request.
    """
    from tasks.serve.io.tokens import add_token

    expires = (datetime.now(UTC) + timedelta(days=days)).date()
    token = add_token(file, [group.strip() for group in groups.split(",") if group.strip()], expires, name)
    if as_json:
        print_json({"token": token, "file": str(file), "expires": str(expires)})
        return
    print_line(token)


def check_access_command(corpus: CorpusOption, as_json: Json = False) -> None:
    """Ask the live corpus as each of its groups, and as nobody in particular. Exit with 1 if one is told of what it may not read.

    Compares all answers with the groups of the documents, read one by one: lists, searches by the titles and words of what is
    hidden, figures, single documents.
    """
    from tasks.search.io.check_access import check_live_access

    found = check_live_access(corpus)
    if as_json:
        print_json([one._asdict() for one in found])
    else:
        lines = [{**one._asdict(), "asks": one.group or "no group", "told": "; ".join(one.leaks) or "-"} for one in found]
        print_table(lines, ["asks", "documents", "hidden", "asked", "told"], "no groups")
    if leaks := [leak for one in found for leak in one.leaks]:
        raise AccessError(f"{len(leaks)} answers tell of what may not be read ({leaks[0]}): stop serving, and refresh the corpus")
    if not found:
        raise InputError(f"{corpus} does not say who may read its documents: declare the column groups")


def show_log_command(
    corpus: CorpusOption,
    since: Annotated[datetime | None, typer.Option(help="Only what was asked since then, in UTC.")] = None,
    document: Annotated[str | None, typer.Option(help="Only answers that told this document: its path, or its id.")] = None,
    asker: As = None,
    as_json: Json = False,
) -> None:
    """List who asked what kind of thing when, and which documents were told, where `access.audit` is on."""
    from tasks.store.access import check_owner
    from tasks.store.audit import is_audited, read_audit_log
    from tasks.store.published import read_live_generation

    check_owner(corpus, asker)
    rows = read_audit_log(corpus, since.replace(tzinfo=UTC) if since else None, document)
    if as_json:
        print_json([{**row, "asked_at": row["asked_at"].isoformat()} for row in rows])
        return
    lines = [
        {
            **row,
            "asked_at": f"{row['asked_at']:%Y-%m-%d %H:%M:%S}",
            "groups": ", ".join(row["groups"] or []),
            "told": row["error"] or _name_first(row["documents"], row["n_documents"]),
            "question": "; ".join(filter(None, (row["question"], row["condition"]))),
        }
        for row in rows
    ]
    none = "nobody asked" if is_audited(read_live_generation(corpus)) else "nobody is written down: set access.audit, and refresh"
    print_table(lines, ["asked_at", "asker", "groups", "kind", "question", "told"], none)


def _name_first(documents: list[str], n: int) -> str:
    """Return the first of `n` documents.

    >>> _name_first(["a.txt", "b.txt", "c.txt", "d.txt"], 2000), _name_first([], 1), _name_first([], 0)
    ('a.txt, b.txt, c.txt, 1997 more', '1 more', '-')
    """
    shown = documents[:SHOWN]
    return ", ".join([*shown, *([f"{n - len(shown)} more"] if n > len(shown) else [])]) or "-"
