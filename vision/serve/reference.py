"""The page at `/api`: the routes and shapes of the JSON API, read off `/openapi.json`.

A page of our own, since the usual ones load their scripts from elsewhere and this server may have no network.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Field:
    name: str
    required: bool
    about: str


@dataclass(frozen=True)
class Operation:
    """kinds: media types of the body; takes: its fields and those of the query; gives: a shape's name."""

    method: str
    path: str
    about: str
    kinds: tuple[str, ...]
    takes: tuple[Field, ...]
    gives: str


@dataclass(frozen=True)
class Shape:
    name: str
    about: str
    fields: tuple[Field, ...]


def operations(spec: Schema) -> list[Operation]:
    """What can be called, in the order of the routes."""
    return [
        _operation(spec, method.upper(), path, told)
        for path, methods in spec["paths"].items()
        for method, told in methods.items()
    ]


def shapes(spec: Schema) -> list[Shape]:
    """The shapes that the operations name, by name, without those of FastAPI itself."""
    return [
        Shape(name, str(schema.get("description", "")), tuple(_fields(schema)))
        for name, schema in sorted(spec["components"]["schemas"].items())
        if "properties" in schema and name not in ("HTTPValidationError", "ValidationError")
    ]


def _operation(spec: Schema, method: str, path: str, told: Schema) -> Operation:
    content: Schema = told.get("requestBody", {}).get("content", {})
    takes = [
        Field(item["name"], bool(item.get("required")), _kind(item["schema"]))
        for item in told.get("parameters", ())
        if item["in"] == "query"
    ]
    for body in content.values():
        takes += _fields(_resolved(spec, body["schema"]))
    gives = next(
        (
            _reference(answer["content"]["application/json"]["schema"])
            for status, answer in told["responses"].items()
            if status.startswith("2") and "application/json" in answer.get("content", {})
        ),
        "",
    )
    return Operation(method, path, str(told.get("description", "")), tuple(content), tuple(takes), gives)


def _fields(schema: Schema) -> Iterator[Field]:
    required = schema.get("required", ())
    for name, told in schema.get("properties", {}).items():
        about = " ".join(filter(None, (_kind(told), str(told.get("description", "")))))
        yield Field(name, name in required, about)


def _resolved(spec: Schema, schema: Schema) -> Schema:
    name = _reference(schema)
    found: Schema = spec["components"]["schemas"][name] if name else schema
    return found


def _reference(schema: Schema) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _kind(schema: Schema) -> str:
    """A type in a few words."""
    if name := _reference(schema):
        return name
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_kind(choice) for choice in schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        return ", ".join(str(value) for value in schema.get("enum", (schema.get("const"),)))
    kind = str(schema.get("type", "anything"))
    return f"array of {_kind(schema['items'])}" if kind == "array" and "items" in schema else kind
