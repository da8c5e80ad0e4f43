"""What the tests of the client share."""

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from schemas.options.chat import ChatOptions
from tasks.chat.io.client import Chat
from tasks.chat.prompts import Prompt
from tests.chat_endpoint import ChatEndpoint

PROMPT = Prompt("You are a reader.", "Where does the heron stand?")


class Place(BaseModel):
    place: str
    sure: int = Field(ge=0, le=5)


GOOD = json.dumps({"place": "river", "sure": 4})


def options(endpoint: ChatEndpoint, **given: Any) -> ChatOptions:
    return ChatOptions(**{"base_url": endpoint.url, "model": "reader", "retry_seconds": (0, 0), **given})


def asked(folder: Path, endpoint: ChatEndpoint, prompt: Prompt = PROMPT, **given: Any) -> tuple[Place, Chat]:
    with Chat(options(endpoint, **given), folder) as chat:
        return chat.ask_for_object(prompt, Place), chat
