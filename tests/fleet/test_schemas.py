"""What integrators read of the pit server's interface is what it does: files, routes, topics, answers."""

from __future__ import annotations

import http.client
import re
import secrets
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
import pytest

from tablectl.fleet import said
from tablectl.fleet.batches import Batch, SentRecord
from tablectl.fleet.enrolment import Renewed
from tablectl.fleet.last_values import LastValues
from tablectl.fleet.pit import app
from tablectl.fleet.signed_times import SignedTime
from tablectl.fleet.topics import Asked, answer, ask
from tests.fleet.chains import Chain
from tests.fleet.pits import Pit
from tests.tools.fleet_schemas import asyncapi, files, openapi

NAME: Final = "mesa-1"
_REF: Final = re.compile(r'"\$ref": "#/([^"]+)"')


@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_the_files_are_what_would_be_made_and_every_reference_leads_somewhere(path: Path) -> None:
    text = files()[path]
    assert path.read_text(encoding="utf-8") == text, "python -m tests.tools.fleet_schemas"
    assert not re.search(r"\\\\[AZ]", text), "patterns as JSON Schema has them"
    schema = msgspec.json.decode(text)
    for reference in _REF.findall(text):
        found = schema
        for step in reference.split("/"):
            found = found[step]


def test_every_route_is_in_the_openapi_document_and_no_other() -> None:
    source = Path(app.__file__).read_text(encoding="utf-8")
    routes = {re.sub(r":[a-z]+}", "}", path) for path in re.findall(r'"(/v1/[^"]*)"', source)}
    assert routes == set(openapi()["paths"])


def test_every_topic_is_in_the_asyncapi_document_and_no_other() -> None:
    topics = {channel["address"] for channel in asyncapi()["channels"].values()}
    assert topics == {*(ask("{table}", what) for what in Asked), answer("{table}")}
    assert set(asyncapi()["operations"]) == {f"ask-{what}" for what in Asked}


#: By operation: a body that it takes, or its place where that has parts of its own.
def asked_of(chain: Chain) -> dict[str, tuple[str, bytes | None]]:
    values = b'{"epoch":"-.0","seq":0,"at":"2026-11-28T10:00:00.000000Z","state":"waiting"}'
    return {
        "sendRecords": ("/v1/records", chain.body(1, 10)),
        "tellNow": ("/v1/now", values),
        "head": ("/v1/head", None),
        "hashOf": ("/v1/records/7/hash", None),
        "enrol": ("/v1/enrol", b"{}"),
        "renew": ("/v1/renew", b"{}"),
        "time": (f"/v1/time?nonce={secrets.token_hex(16)}", None),
    }


def operations() -> list[tuple[str, dict[str, Any]]]:
    return [(method, what) for path in openapi()["paths"].values() for method, what in path.items()]


def test_each_operation_answers_with_a_status_and_a_struct_that_the_document_has(pit: Pit) -> None:
    chain = Chain()
    chain.add(10)
    pit.enrol(NAME, chain.signer.public)
    asked, structs = asked_of(chain), {**vars(said), "SignedTime": SignedTime, "Renewed": Renewed}
    for method, what in operations():
        path, body = asked[what["operationId"]]
        connection = http.client.HTTPSConnection("127.0.0.1", pit.port, context=pit.context_of(NAME), timeout=30)
        connection.request(method.upper(), path, body)
        got = connection.getresponse()
        text = got.read()
        connection.close()
        expected = 400 if body == b"{}" else 200
        assert got.status == expected, (path, text)
        reference = what["responses"][str(got.status)]["content"]["application/json"]["schema"]["$ref"]
        kind = structs[reference.rpartition("/")[2]]
        assert msgspec.json.decode(text, type=kind) is not None
        assert set(msgspec.json.decode(text)) <= set(kind.__struct_fields__), path


def test_the_schema_of_a_batch_and_of_now_have_every_member() -> None:
    schemas = openapi()["components"]["schemas"]
    for kind in (Batch, LastValues, said.NotDone):
        assert set(schemas[kind.__name__]["properties"]) == set(kind.__struct_fields__)
    assert len(schemas["SentRecord"]["prefixItems"]) == len(SentRecord.__struct_fields__)
    assert urlsplit(openapi()["servers"][0]["url"]).scheme == "https"
