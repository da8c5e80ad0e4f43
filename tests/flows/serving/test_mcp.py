"""The MCP server of `pagemill serve`, asked by the client of the package `mcp`."""

import asyncio
import subprocess
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.flows.serving.conftest import Published
from tests.flows.serving.servers import COMMAND, SECONDS, Running

mcp = pytest.importorskip("mcp")
pytestmark = pytest.mark.slow


def asked(server: Running, question: Callable[[Any], Awaitable[Any]], mode: str = "auto") -> Any:
    async def ask() -> Any:
        async with mcp.Client(server.said["mcp"], mode=mode) as client:
            return await question(client)

    return asyncio.run(ask())


def test_both_tools_are_listed_with_what_they_take(server: Running) -> None:
    for mode in ("auto", "legacy"):
        tools = {tool.name: tool for tool in asked(server, lambda client: client.list_tools(), mode).tools}
        assert set(tools) == {"search", "read_document"}
        assert set(tools["search"].input_schema["properties"]) == {"question", "k", "where", "budget", "show_all"}
        assert set(tools["read_document"].input_schema["properties"]) == {"document", "page", "start", "length"}
        assert all(tool.annotations.read_only_hint and tool.output_schema for tool in tools.values())


def test_a_passage_is_found_and_read_on(server: Running) -> None:
    async def follow(client: Any) -> tuple[Any, Any]:
        found = await client.call_tool("search", {"question": "The reservoir was full by March", "k": 2})
        passage = found.structured_content["passages"][0]
        read = await client.call_tool("read_document", {"document": passage["document_id"], "page": passage["pages"][-1]})
        return passage, read.structured_content

    for mode in ("auto", "legacy"):
        passage, read = asked(server, follow, mode)
        assert (passage["path"], passage["pages"][-1]) == ("report.pdf", 2)
        assert read["text"] == "The reservoir was full by March." and read["next_start_char"] is None


@pytest.mark.parametrize(
    ("tool", "given", "message"),
    [
        ("search", {"question": ""}, "the question is empty"),
        ("search", {"question": "x" * 100_000}, "at most 10,000"),
        ("search", {"question": "x", "k": 0}, "greater than or equal to 1"),
        ("search", {"question": "x", "where": "colour = 'red'"}, "colour"),
        ("search", {"question": "x", "where": "a = 1; b"}, "does not fit at character 1"),
        ("read_document", {"document": "gone.txt"}, "has no document gone.txt"),
        ("read_document", {"document": "report.pdf", "page": 3}, "there is no page 3"),
    ],
)
def test_a_wrong_call_is_told_to_the_model(server: Running, tool: str, given: dict[str, Any], message: str) -> None:
    answer = asked(server, lambda client: client.call_tool(tool, given))
    assert answer.is_error and message in answer.content[0].text


def test_no_stream_is_kept_open(server: Running) -> None:
    status, problem = server.get("/mcp", {"Accept": "text/event-stream"})
    assert status == 405 and "GET /mcp is not offered" in problem["message"]


def test_an_assistant_can_start_the_server_itself(published_corpus: Published) -> None:
    command = [*COMMAND, "--stdio", "--corpus", str(published_corpus.corpus)]
    started = mcp.stdio_client(mcp.StdioServerParameters(command=command[0], args=command[1:]))

    async def ask() -> Any:
        async with mcp.Client(started) as client:
            return await client.call_tool("search", {"question": "The reservoir was full by March", "k": 1})

    assert asyncio.run(ask()).structured_content["passages"][0]["path"] == "report.pdf"


def test_what_only_http_has_is_refused_with_stdio(published_corpus: Published) -> None:
    call = [*COMMAND, "--stdio", "--corpus", str(published_corpus.corpus), "--port", "4301"]
    done = subprocess.run(call, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 1 and "--stdio listens nowhere" in done.stderr
