"""The functions that receive what a client does, over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import API_KEY
from stub_server import closes_connection, refuses, responds, succeeds
from test_calls import STUDENT

from institution import AsyncInstitution, CallAnswer, CallRetry, Institution

LIMITED = refuses(429, "rate_limited", {"Retry-After": "0", "X-RateLimit-Remaining": "0"})
BAD_GATEWAY = responds(502, b"<h1>Bad gateway</h1>", {"X-Request-Id": ""}, "text/html")


class Received:
    """What the hooks of a client were given."""

    def __init__(self) -> None:
        self.retries: list[CallRetry] = []
        self.answers: list[CallAnswer] = []

    def hooks(self) -> dict[str, Any]:
        return {"on_retry": self.retries.append, "on_answer": self.answers.append}


def test_on_retry_is_called_before_each_wait_with_its_reason_and_length(stub: Any, asked: Any, quick: None) -> None:
    received = Received()
    server = stub([LIMITED, closes_connection, BAD_GATEWAY, succeeds(STUDENT)])
    asked(server, **received.hooks()).call(lambda client: client.students.update("stu_1", full_name="Ada"))
    assert {(one.method, one.path) for one in received.retries} == {("PATCH", "/students/{id}")}
    assert [(one.attempt, one.code, one.request_id) for one in received.retries] == [
        (1, "rate_limited", "req_1"),
        (2, "no_answer", None),
        (3, "unexpected_answer", None),
    ]
    asked_for, first, second = (one.wait_seconds for one in received.retries)
    assert asked_for == 0
    assert 0.01 <= first <= 0.02 <= second <= 0.04


def test_on_answer_gets_the_status_and_the_headers_of_each_answer(stub: Any, asked: Any, quick: None) -> None:
    received = Received()
    server = stub([LIMITED, closes_connection, BAD_GATEWAY, succeeds(STUDENT)])
    asked(server, **received.hooks()).call(lambda client: client.students.update("stu_1", full_name="Ada"))
    assert {(one.method, one.path) for one in received.answers} == {("PATCH", "/students/{id}")}
    assert [(one.attempt, one.status, one.request_id) for one in received.answers] == [
        (1, 429, "req_1"),
        (3, 502, None),
        (4, 200, "req_1"),
    ]
    assert [one.headers.get("x-ratelimit-remaining") for one in received.answers] == ["0", None, None]
    assert received.answers[0].headers["X-RateLimit-Remaining"] == "0"


def test_with_options_keeps_the_hooks(stub: Any) -> None:
    received = Received()
    with Institution(base_url=stub([succeeds(STUDENT)]).base_url, api_key=API_KEY, **received.hooks()) as client:
        client.with_options(tries=1).students.get("stu_1")
    assert [one.status for one in received.answers] == [200]


def test_what_a_hook_raises_ends_the_call(stub: Any, asked: Any) -> None:
    def fail(answer: CallAnswer) -> None:
        raise OSError(f"the log is full: {answer.status}")

    server = stub([succeeds(STUDENT)])
    with pytest.raises(OSError, match="the log is full: 200"):
        asked(server, on_answer=fail).call(lambda client: client.students.get("stu_1"))
    assert len(server.requests) == 1


@pytest.mark.parametrize("name", ["on_retry", "on_answer"])
def test_a_hook_that_a_call_does_not_run_is_refused(name: str) -> None:
    async def coroutine(given: object) -> None:
        del given

    kinds: list[Any] = [Institution, AsyncInstitution]
    for kind in kinds:
        for none in (7, "log", coroutine):
            with pytest.raises(TypeError, match=f"{name} must be a plain function"):
                kind(base_url="https://api.example.com/v1", api_key=API_KEY, **{name: none})
