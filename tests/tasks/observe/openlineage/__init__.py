"""Validation of events by the schemas of OpenLineage's specification, which lie beside this file."""

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource

SPECIFICATION = "https://openlineage.io/spec/2-0-2/OpenLineage.json"
REGISTRY: Any = Registry().with_resources(
    (schema["$id"], Resource.from_contents(schema))
    for schema in (json.loads(path.read_text()) for path in Path(__file__).parent.glob("*.json"))
)


def validate_event(event: dict[str, Any]) -> list[str]:
    """Validate a run event, and each of its facets by the schema that it names; return the names of the facets."""
    _validate(f"{SPECIFICATION}#/$defs/RunEvent", event)
    parts = [event["run"], event["job"], *event["inputs"], *event.get("outputs", [])]
    facets = [
        (name, facet)
        for part in parts
        for kind in ("facets", "inputFacets", "outputFacets")
        for name, facet in part.get(kind, {}).items()
    ]
    for name, facet in facets:
        document, _, _ = facet["_schemaURL"].partition("#")
        _validate(document, {name: facet})
        assert name in REGISTRY[document].contents["properties"], f"{name} is not what {document} describes"
    return [name for name, _ in facets]


def _validate(schema: str, value: object) -> None:
    Draft202012Validator({"$ref": schema}, registry=REGISTRY, format_checker=FormatChecker()).validate(value)
