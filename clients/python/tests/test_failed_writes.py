"""What the error of a failed write says: the key with which the same call again is done once."""

from __future__ import annotations

import pickle
from typing import Any

import anyio
import pytest
from conftest import API_KEY
from stub_server import closes_connection, refuses, responds, succeeds
from test_calls import STUDENT, create, refusal

from institution import AsyncInstitution, Institution, InstitutionError

SIGN_IN = responds(200, b"<h1>Sign in</h1>", kind="text/html")


@pytest.mark.parametrize("failure", [closes_connection, SIGN_IN, succeeds({"id": 7}), refuses(422, "validation_error")])
def test_a_write_that_failed_has_its_key(stub: Any, asked: Any, failure: Any) -> None:
    server = stub([failure])
    error = refusal(asked(server, tries=1), create)
    assert error.idempotency_key
    assert server.keys() == [error.idempotency_key]
    assert pickle.loads(pickle.dumps(error)).idempotency_key == error.idempotency_key
    assert (f"its idempotency_key is {error.idempotency_key}" in str(error)) == (error.code != "validation_error")


def test_the_same_call_with_that_key_carries_it_again(stub: Any, asked: Any) -> None:
    server = stub([closes_connection, succeeds(STUDENT)])
    caller = asked(server, tries=1)
    key = refusal(caller, create).idempotency_key
    caller.call(lambda client: client.students.create(full_name="Ada", idempotency_key=key))
    assert server.keys() == [key, key]


def test_a_read_that_failed_has_none(stub: Any, asked: Any) -> None:
    error = refusal(asked(stub([closes_connection]), tries=1), lambda client: client.students.get("stu_1"))
    assert error.code == "no_answer"
    assert error.idempotency_key is None
    assert "idempotency_key" not in str(error)


def test_a_call_of_a_closed_client_is_not_sent_and_says_why(stub: Any, manner: str) -> None:
    server = stub([succeeds(STUDENT)])
    given: dict[str, Any] = {"base_url": server.base_url, "api_key": API_KEY}

    async def call_after_close() -> None:
        async with AsyncInstitution(**given) as client:
            pass
        await create(client)

    def run() -> None:
        if manner == "sync":
            with Institution(**given) as client:
                pass
            create(client)
        else:
            anyio.run(call_after_close, backend=manner)

    with pytest.raises(InstitutionError, match=r"^POST /students was not sent: this client is closed\. ") as raised:
        run()
    assert (raised.value.status, raised.value.code) == (0, "client_closed")
    assert server.keys() == []
