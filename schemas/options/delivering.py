"""Options of delivery: where the published tables go besides."""

from typing import Literal

from pydantic import Field

from schemas.options.frozen import Options


class DestinationOptions(Options):
    """One destination: a section `deliver.NAME` of `pagemill.toml`."""

    to: str = Field(
        min_length=1,
        description="where to: a folder or a URL (s3, sftp, dav, smb, ftp, gs, az, hdfs) for Parquet files, the URL of a "
        "PostgreSQL database, or package.module:function; a path is relative to this file",
    )
    tables: tuple[Literal["documents", "elements", "figures", "chunks", "rejects"], ...] = Field(
        ("documents", "chunks"), min_length=1, description="tables that are delivered"
    )
    database_schema: str = Field(
        "pagemill", pattern=r"^[a-z_][a-z0-9_]{0,62}$", description="schema of the database that holds the tables; it is made"
    )
