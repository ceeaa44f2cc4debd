"""`python -m tests.tools.fleet_schemas`: the pit server's interface for other programs, made of what travels.

OpenAPI 3.1 for HTTPS, AsyncAPI 3 for a broker. A test says so where a file is not what would be made.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec

from tablectl.fleet.batches import Batch
from tablectl.fleet.enrolment import Enrol, Enrolled, Renew, Renewed
from tablectl.fleet.last_values import LastValues
from tablectl.fleet.said import Acknowledged, HashOf, Heard, NotDone, Reached
from tablectl.fleet.signed_times import Nonce, SignedTime
from tablectl.fleet.topics import Asked, Here, answer, ask

DOCS: Final = Path(__file__).parents[2] / "docs"
#: Of the interface: the `1` of its paths and topics.
VERSION: Final = "1"
Json: TypeAlias = dict[str, Any]
Structs: TypeAlias = tuple[type[msgspec.Struct], ...]

_OPENAPI: Final[Structs] = (
    *(Batch, LastValues, Enrol, Renew),
    *(Acknowledged, Reached, HashOf, Heard, NotDone),
    *(Enrolled, Renewed, SignedTime),
)
_MESSAGES: Final[Structs] = (Batch, LastValues, Here, Acknowledged, Reached, HashOf, Heard, NotDone)
_BATCH: Final = "application/vnd.msgpack+zstd"
_BATCH_SAYS: Final = (
    "MessagePack of `Batch`, compressed by Zstandard. Bytes are MessagePack's `bin`, not base64; a record is an array"
    " of `public`, `signature`, `withheld`, `length`, of which the last ones may be missing."
)
_JSON: Final = "application/json"
#: What is not done, by status.
_NOT_DONE: Final = {
    400: "wrong in itself",
    403: "not admitted, or no certificate; `error` says why",
    404: "there is no such record",
    409: "a fork: kept as evidence, never acknowledged",
    413: "more bytes than it may have",
    503: "the database cannot be written: send it again later",
}


def _schemas(structs: Structs) -> Json:
    """Of each of them and of what they are made of, by name."""
    _, found = msgspec.json.schema_components(structs, ref_template="#/components/schemas/{name}")
    return {name: _ecma(schema) for name, schema in sorted(found.items())}


def _ecma(schema: Json) -> Json:
    """The same with its patterns as JSON Schema has them (ECMA-262): Python's `\\A` and `\\Z` are not known there."""
    text = json.dumps(schema).replace('"pattern": "\\\\A', '"pattern": "^').replace('\\\\Z"', '$"')
    return dict(json.loads(text))


def _said(name: type) -> Json:
    return {"schema": {"$ref": f"#/components/schemas/{name.__name__}"}}


def _responses(good: type, *wrong: int) -> Json:
    answers = {"200": {"description": (good.__doc__ or "").strip(), "content": {_JSON: _said(good)}}}
    for status in wrong:
        answers[str(status)] = {"description": _NOT_DONE[status], "content": {_JSON: _said(NotDone)}}
    return answers


def _operation(name: str, summary: str, good: type, *wrong: int, is_open: bool = False, **more: object) -> Json:
    security: list[Json] = [] if is_open else [{"certificate": []}]
    return {
        "operationId": name,
        "summary": summary,
        "security": security,
        **more,
        "responses": _responses(good, *wrong),
    }


def _json_body(kind: type) -> Json:
    return {"required": True, "content": {_JSON: _said(kind)}}


def _parameter(name: str, place: str, schema: Mapping[str, object]) -> list[Json]:
    return [{"name": name, "in": place, "required": True, "schema": dict(schema)}]


def _paths() -> Json:
    batch = {"required": True, "description": _BATCH_SAYS, "content": {_BATCH: _said(Batch)}}
    return {
        "/v1/records": {
            "post": _operation("sendRecords", "A batch", Acknowledged, 400, 403, 409, 413, 503, requestBody=batch)
        },
        "/v1/now": {
            "put": _operation(
                "tellNow", "What it does now", Heard, 400, 403, 413, 503, requestBody=_json_body(LastValues)
            )
        },
        "/v1/head": {"get": _operation("head", "How far its records are durable", Reached, 403, 503)},
        "/v1/records/{seq}/hash": {
            "get": _operation(
                "hashOf",
                "The hash of a record that is durable",
                HashOf,
                *(403, 404, 503),
                parameters=_parameter("seq", "path", {"type": "integer", "minimum": 0}),
            )
        },
        "/v1/enrol": {
            "post": _operation(
                *("enrol", "A table asks to be enrolled, with its code", Enrolled),
                *(400, 403, 413, 503),
                is_open=True,
                requestBody=_json_body(Enrol),
            )
        },
        "/v1/renew": {
            "post": _operation(
                *("renew", "A table asks for its next certificate", Renewed),
                *(400, 403, 413, 503),
                is_open=True,
                requestBody=_json_body(Renew),
            )
        },
        "/v1/time": {
            "get": _operation(
                *("time", "The server's time, signed", SignedTime),
                400,
                is_open=True,
                parameters=_parameter("nonce", "query", _ecma(msgspec.json.schema(Nonce))),
            )
        },
    }


def openapi() -> Json:
    """The HTTPS interface."""
    schemas = _schemas(_OPENAPI)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "tablectl pit server",
            "version": VERSION,
            "description": "What a pit server answers to tables. The meaning of each answer: docs/fleet.md.",
        },
        "servers": [
            {
                "url": "https://{host}:{port}",
                "variables": {"host": {"default": "pit.casino.example"}, "port": {"default": "8443"}},
            }
        ],
        "paths": _paths(),
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "certificate": {
                    "type": "mutualTLS",
                    "description": "A certificate of the casino's authority; its common name is the table's name.",
                }
            },
        },
    }


#: What each question carries, and what it is answered with beside `NotDone`; None: nobody answers.
_QUESTIONS: Final[Mapping[Asked, tuple[Json, type | None]]] = {
    Asked.RECORDS: (
        {"contentType": _BATCH, "description": _BATCH_SAYS, "payload": {"$ref": "#/components/schemas/Batch"}},
        Acknowledged,
    ),
    Asked.HEAD: ({"contentType": "text/plain", "payload": {"type": "string", "maxLength": 0}}, Reached),
    Asked.HASH: ({"contentType": "text/plain", "payload": {"type": "string", "pattern": "^[0-9]{1,16}$"}}, HashOf),
    Asked.NOW: ({"contentType": _JSON, "payload": {"$ref": "#/components/schemas/LastValues"}}, Heard),
    Asked.HERE: ({"contentType": _JSON, "payload": {"$ref": "#/components/schemas/Here"}}, None),
}
_ANSWERED: Final = {what: kind for what, (_, kind) in _QUESTIONS.items() if kind is not None}
_CORRELATION: Final = {"location": "$message.header#/correlationData"}
_TABLE: Final = {"table": {"description": "The name of the table: the common name of its certificate."}}


def _messages() -> Json:
    asked = {
        f"{what}Question": {
            **question,
            **({"correlationId": _CORRELATION} if kind is not None else {}),
            "bindings": {"mqtt": {"bindingVersion": "0.2.0"}},
        }
        for what, (question, kind) in _QUESTIONS.items()
    }
    answers = {kind: f"{what}Answer" for what, kind in _ANSWERED.items()} | {NotDone: "notDone"}
    status = {
        "type": "object",
        "properties": {"status": {"type": "string", "description": "user property: its status, as of HTTP"}},
    }
    return asked | {
        name: {
            "contentType": _JSON,
            "headers": status,
            "payload": {"$ref": f"#/components/schemas/{kind.__name__}"},
            "correlationId": _CORRELATION,
        }
        for kind, name in answers.items()
    }


def _refs(*names: str) -> Json:
    return {name: {"$ref": f"#/components/messages/{name}"} for name in names}


def _reply(what: Asked) -> Json:
    messages = [{"$ref": f"#/channels/answer/messages/{name}"} for name in (f"{what}Answer", "notDone")]
    return {"reply": {"channel": {"$ref": "#/channels/answer"}, "messages": messages}}


def asyncapi() -> Json:
    """The topics at a broker, from the side of a table."""
    schemas = _schemas(_MESSAGES)
    answers = [f"{what}Answer" for what in _ANSWERED]
    channels: Json = {
        str(what): {"address": ask("{table}", what), "parameters": _TABLE, "messages": _refs(f"{what}Question")}
        for what in _QUESTIONS
    }
    channels["answer"] = {"address": answer("{table}"), "parameters": _TABLE, "messages": _refs(*answers, "notDone")}
    qos = {"mqtt": {"qos": 1, "bindingVersion": "0.2.0"}}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "tablectl pit server through a broker",
            "version": VERSION,
            "description": "MQTT 5. A broker's acknowledgement means nothing; an answer does: docs/fleet.md.",
        },
        "servers": {
            "broker": {"host": "broker.casino.example:8883", "protocol": "secure-mqtt", "protocolVersion": "5"}
        },
        "defaultContentType": _JSON,
        "channels": channels,
        "operations": {
            f"ask-{what}": {
                "action": "send",
                "channel": {"$ref": f"#/channels/{what}"},
                "messages": [{"$ref": f"#/channels/{what}/messages/{what}Question"}],
                "bindings": {"mqtt": {**qos["mqtt"], "retain": what in (Asked.NOW, Asked.HERE)}},
                **(_reply(what) if what in _ANSWERED else {}),
            }
            for what in _QUESTIONS
        },
        "components": {"schemas": schemas, "messages": _messages()},
    }


def files() -> dict[Path, str]:
    """What is to be in each file."""
    made = {DOCS / "fleet-openapi.json": openapi(), DOCS / "fleet-asyncapi.json": asyncapi()}
    return {path: json.dumps(schema, indent=2, ensure_ascii=False) + "\n" for path, schema in made.items()}


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
