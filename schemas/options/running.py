"""Options of where the steps of a refresh are carried out."""

import re
from typing import Literal, Self

from pydantic import Field, model_validator

from schemas.options.frozen import APART, Options

ADDRESS = re.compile(r"(?:tls|tcp|wss|ws)://[^\s/@?#]+:\d{1,5}")


class RunOptions(Options):
    """Where the steps of a refresh are carried out; never part of a recipe."""

    task_runner: Literal["threads", "dask"] = Field(
        "threads",
        description="what carries out parse, describe, chunk and embed: threads, with the worker processes of this machine, or "
        "dask, the workers of a Dask cluster",
        json_schema_extra=APART,
    )
    dask_address: str = Field(
        "",
        description="address of the Dask scheduler, such as tls://scheduler:8786; its workers must reach source and corpus at "
        "the same places as this machine",
        json_schema_extra=APART,
    )

    @model_validator(mode="after")
    def _dask_has_an_address(self) -> Self:
        if self.dask_address and not ADDRESS.fullmatch(self.dask_address):
            raise ValueError("dask_address is not the address of a scheduler, such as tls://scheduler:8786")
        if self.task_runner == "dask" and not self.dask_address:
            raise ValueError("task_runner is dask, but dask_address is blank: name the scheduler, such as tls://scheduler:8786")
        return self
