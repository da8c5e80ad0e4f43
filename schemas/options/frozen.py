"""The base of all options."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue

Share = Annotated[float, Field(ge=0, le=1)]
APART: dict[str, Any] = {"recipe": False}


class Options(BaseModel):
    """Base of all options: immutable; unknown names are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def facts(self) -> dict[str, JsonValue]:
        """Return the options that change results, as JSON values."""
        kept = {
            name
            for name, field in type(self).model_fields.items()
            if not (isinstance(field.json_schema_extra, dict) and field.json_schema_extra.get("recipe") is False)
        }
        return self.model_dump(mode="json", include=kept)
