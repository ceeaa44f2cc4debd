"""What many threads decode at once, for the first time in the life of a process: it must not end by that.

`msgspec` (0.22) learns a type when it is first decoded, and a second thread that comes meanwhile finds half of it. Each
try is a fresh process, forked before anything was decoded."""

from __future__ import annotations

import sys
from typing import Final

import pytest

from simulators import processes

_TRIES: Final = """
import os, sys, threading
sys.setswitchinterval(1e-6)
died = []
for _ in range(16):
    child = os.fork()
    if child == 0:
        gate = threading.Barrier(8)
        def begin():
            gate.wait()
            first()
        threads = [threading.Thread(target=begin) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        os._exit(0)
    ended = os.waitpid(child, 0)[1]
    if ended:
        died.append(os.waitstatus_to_exitcode(ended))
print(died)
"""
_REQUESTS: Final = """
import json
from tablectl.api.methods import METHODS, answer
REQUESTS = [json.dumps({method.name: []}).encode() for method in METHODS]
def first():
    for request in REQUESTS:
        list(answer(None, request, lambda method: None))
"""
_RECORDS: Final = """
from tablectl.core.engine.facts import Limits, Opened, Setup
from tablectl.core.events.codec import decode_fact, to_plain
limits = {"bet": Limits(least=1, most=2)}
SETUP = Setup(table="t", rulebook="g", seats=5, tracking="amounts", limits=limits)
PUBLIC = {"kind": "opened", **to_plain(Opened(at_us=0, setup=SETUP))}
def first():
    decode_fact(PUBLIC, 0)
"""


@pytest.mark.parametrize("first", [_REQUESTS, _RECORDS], ids=["requests", "records"])
def test_the_first_of_each_may_come_by_many_threads_at_once(first: str) -> None:
    done = processes.run([sys.executable, "-c", first + _TRIES], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
