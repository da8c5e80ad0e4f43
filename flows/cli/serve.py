"""The command that serves a corpus over HTTP and MCP."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.output import As, CorpusOption, Json, print_json_row, print_line, print_warning
from flows.settings import configure_object_store, read_refresh_options
from schemas.access import Principal
from schemas.corpus import Corpus, is_in_store
from schemas.errors import CorpusError, InputError
from schemas.options.sources import SourceOptions

if TYPE_CHECKING:
    from tasks.serve.io.service import Service

HOST, PORT = "127.0.0.1", 4300


ONE_THREAD = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""One thread for a product of matrices: as many questions as cores are answered at once, and more threads would wait."""


def add_serve_command(application: typer.Typer) -> None:
    """Add the command."""
    application.command()(serve)


def serve(
    corpus: CorpusOption,
    source: Annotated[
        list[str] | None,
        typer.Option(
            "--source",
            metavar="DIR",
            help="Folder of the documents, or the URL of a source, to show pictures of their pages; NAME=DIR for a source with a "
            "name. May be repeated.",
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Address to listen at. Any other than loopback needs a token in PAGEMILL_SERVE_TOKEN.")
    ] = HOST,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen at; 0: any that is free.")] = PORT,
    stdio: Annotated[
        bool, typer.Option("--stdio", help="Serve one assistant, which starts this command, by MCP on stdin and stdout only.")
    ] = False,
    rerank: Annotated[
        str | None,
        typer.Option(help="Order the best chunks of each question by a cross-encoder: a directory or hub id. None is packaged."),
    ] = None,
    tokens: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File of tokens by `pagemill access token`: who brings one reads what its groups may.",
        ),
    ] = None,
    groups_header: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Header in which a proxy says who asks, as groups with commas. It must bring PAGEMILL_SERVE_TOKEN.",
        ),
    ] = None,
    asker: As = None,
    as_json: Json = False,
) -> None:
    """Answer questions over HTTP, on a page of its own, and for assistants over MCP, until Ctrl-C. Reloads what is published."""
    for name in ONE_THREAD:
        os.environ.setdefault(name, "1")  # NumPy reads them when it is imported
    if not corpus.folder.is_dir():
        raise CorpusError(f"{corpus} is not a folder: refresh the corpus first, or check the path")
    if not stdio and asker is not None:
        raise InputError("--as says who starts --stdio: over HTTP each request says who asks, see --tokens and --groups-header")
    if not stdio:
        _serve_http(corpus, source or [], (host, port), as_json, rerank, (tokens, groups_header))
    elif (source, host, port, as_json, tokens, groups_header) != (None, HOST, PORT, False, None, None):
        raise InputError(
            "--stdio listens nowhere and shows no pages: leave out --host, --port, --source, --json, --tokens and --groups-header"
        )
    else:
        _serve_stdio(corpus, rerank, asker)


def _serve_stdio(corpus: Corpus, rerank: str | None, asker: Principal | None) -> None:
    from tasks.serve.io.mcp import is_mcp_installed, serve_mcp_on_stdio
    from tasks.serve.io.service import Service
    from tasks.serve.io.threads import Threads

    if not is_mcp_installed():
        raise InputError("the package mcp is not installed: pip install 'pagemill[mcp]'")
    service = Service(corpus, {}, mcp=True, rerank=rerank)
    _load_embedder(service)
    serve_mcp_on_stdio(service, Threads(), asker)


def _serve_http(
    corpus: Corpus,
    sources: list[str],
    listen: tuple[str, int],
    as_json: bool,
    rerank: str | None,
    known_by: tuple[Path | None, str | None],
) -> None:
    from tasks.observe.io.telemetry import measure_requests
    from tasks.serve.access import TOKEN, require_token_if_exposed
    from tasks.serve.io.http import Keys, make_http_application
    from tasks.serve.io.mcp import PATH, is_mcp_installed, make_mcp_routes
    from tasks.serve.io.pictures import parse_source_folders
    from tasks.serve.io.process import format_socket_url, log_library_warnings, open_listening_socket, serve_until_signal
    from tasks.serve.io.service import Service
    from tasks.serve.io.threads import Threads
    from tasks.serve.io.tokens import TokenFile

    log_library_warnings()
    tokens, header = known_by
    token = require_token_if_exposed(listen[0], os.environ.get(TOKEN), tokens is not None)
    if header is not None and token is None:
        raise InputError(f"--groups-header needs {TOKEN}: the proxy brings it, so that nobody else can say who asks")
    keys = Keys(token, None if tokens is None else TokenFile(tokens), None if header is None else header.strip().lower())
    mcp, threads = is_mcp_installed(), Threads()
    folders = parse_source_folders(sources)
    configure_object_store(*folders.values())
    needed = read_refresh_options({}).source if any(map(is_in_store, folders.values())) else SourceOptions()
    service = Service(corpus, folders, mcp, rerank, needed)
    with open_listening_socket(*listen) as place:
        url = format_socket_url(place)
        ready = _load_embedder(service)
        if as_json:
            print_json_row({"url": url, "mcp": url + PATH if mcp else None, "ready": ready, "pid": os.getpid()})
        else:
            _print_addresses(corpus, url, url + PATH if mcp else None, bool(token or tokens))
        application = make_http_application(service, threads, keys, make_mcp_routes(service, threads) if mcp else None)
        with measure_requests(application) as measured:
            serve_until_signal(measured, place)


def _load_embedder(service: "Service") -> bool:
    try:
        service.warm()
    except CorpusError as error:
        print_warning(f"{error}; until then requests are answered with this")
        return False
    return True


def _print_addresses(corpus: Corpus, url: str, mcp: str | None, locked: bool) -> None:
    print_line(f"serving {corpus} at {url}" + (" (with a token)" if locked else ""))
    print_line(f"  a page to ask   {url}/")
    print_line(f"  paths           {url}/docs")
    print_line(f"  MCP             {mcp or 'not installed: pip install ' + repr('pagemill[mcp]')}")
    print_line("Ctrl-C ends it")
    sys.stdout.flush()
