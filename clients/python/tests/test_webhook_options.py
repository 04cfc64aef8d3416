"""Verification with public keys, functions for types of events, and answers that do not wait."""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from test_webhooks import BODY, EVENT, SECRET, reason, signed

from institution import AsyncWebhookHandler, WebhookHandler, WebhookVerificationError, verify_webhook

VECTORS = json.loads((Path(__file__).parents[3] / "test/vectors/webhook-signatures-ed25519.json").read_text())["vectors"]
OTHER_KEY = "whpk_" + "A" * 43 + "="


def standard(vector: dict[str, Any]) -> dict[str, str]:
    return {
        "webhook-id": vector["webhook_id"],
        "webhook-timestamp": str(vector["timestamp"]),
        "webhook-signature": " ".join(vector["signatures"]),
    }


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_a_public_key_verifies_v1a_and_nothing_else(vector: dict[str, Any]) -> None:
    body, key, now, headers = vector["body"].encode(), vector["public_key"], vector["timestamp"], standard(vector)
    accepted = "accepted" if '"type"' in vector["body"] else "body_invalid"
    assert reason(body, headers, key, now) == accepted
    assert reason(body, headers, [SECRET, key], now) == accepted
    assert reason(body, {**headers, **signed(body, at=now)}, key, now) == accepted
    assert reason(body + b" ", headers, key, now) == "signature_invalid"
    assert reason(body, headers, OTHER_KEY, now) == "signature_invalid"
    assert reason(body, {**headers, "webhook-signature": headers["webhook-signature"].replace("v1a", "v1")}, key, now) == (
        "signature_invalid"
    )
    assert reason(body, headers, key, now + 301) == "timestamp_invalid"


def test_a_public_key_takes_no_signature_of_a_secret() -> None:
    assert reason(BODY, signed(), OTHER_KEY) == "signature_missing"


@pytest.mark.parametrize("key", ["whpk_", "whpk_AAAA", OTHER_KEY + "\n"])
def test_what_is_no_public_key_is_an_error(key: str) -> None:
    with pytest.raises(ValueError, match=r"public key, whpk_ and base64$"):
        verify_webhook(BODY, signed(), key)


def test_a_public_key_without_the_package_that_verifies_is_an_error_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric.ed25519", None)
    with pytest.raises(ImportError, match=r"institution-client\[ed25519\]"):
        WebhookHandler("whpk_" + "B" * 43 + "=", print)


def deliver(manner: str, body: bytes, **options: Any) -> int:
    if manner == "sync":
        return WebhookHandler(SECRET, **options).handle(body, signed(body)).status
    answer: Any = anyio.run(AsyncWebhookHandler(SECRET, **options).handle, body, signed(body), backend=manner)
    return int(answer.status)


def test_each_type_has_its_function_and_others_have_on_event(manner: str) -> None:
    seen: list[tuple[str, str]] = []

    def noted(name: str) -> Any:
        async def note_async(event: Any) -> None:
            seen.append((name, event.type))

        return note_async if manner != "sync" else lambda event: seen.append((name, event.type))

    on = {"student.email_mapped": noted("mapped")}
    other = json.dumps({**EVENT, "id": "evt_2", "type": "student.expelled"}).encode()
    assert deliver(manner, BODY, on=on, on_event=noted("other")) == 204
    assert deliver(manner, other, on=on, on_event=noted("other")) == 204
    assert deliver(manner, other, on=on) == 204
    assert seen == [("mapped", "student.email_mapped"), ("other", "student.expelled")]


def test_a_function_in_a_thread_goes_on_after_a_503_and_the_next_delivery_is_answered_204() -> None:
    leave, seen = threading.Event(), []

    def process(event: Any) -> None:
        leave.wait(30)
        seen.append(event.id)

    handler = WebhookHandler(SECRET, process, answer_within=0.05)
    assert [handler.handle(BODY, signed()).status for _ in range(2)] == [503, 503]
    leave.set()
    until = time.monotonic() + 30
    while handler.handle(BODY, signed()).status != 204:
        assert time.monotonic() < until
    assert seen == ["evt_1"]


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_function_in_a_task_goes_on_after_a_503_and_the_next_delivery_is_answered_204(backend: str) -> None:
    async def run() -> list[str]:
        leave, seen = anyio.Event(), []

        async def process(event: Any) -> None:
            await leave.wait()
            seen.append(event.id)

        handler = AsyncWebhookHandler(SECRET, process, answer_within=0.05)
        assert [(await handler.handle(BODY, signed())).status for _ in range(2)] == [503, 503]
        leave.set()
        with anyio.fail_after(30):
            while (await handler.handle(BODY, signed())).status != 204:
                await anyio.lowlevel.checkpoint()
        return seen

    assert anyio.run(run, backend=backend) == ["evt_1"]


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_work_in_a_task_is_cancelled_with_the_call_that_waits_for_it(backend: str) -> None:
    async def run() -> list[int]:
        entered, seen = anyio.Event(), []

        async def process(event: Any) -> None:
            seen.append(event.id)
            entered.set()
            if len(seen) == 1:
                await anyio.sleep(30)

        handler = AsyncWebhookHandler(SECRET, process, answer_within=20)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(handler.handle, BODY, signed())
            await entered.wait()
            tasks.cancel_scope.cancel()
        return [(await handler.handle(BODY, signed())).status, len(seen)]

    assert anyio.run(run, backend=backend) == [204, 2]


def test_a_function_that_fails_within_the_time_is_answered_500(manner: str) -> None:
    def fail(_event: Any) -> None:
        raise RuntimeError("The disk is full")

    async def fail_async(event: Any) -> None:
        fail(event)

    assert deliver(manner, BODY, on_event=fail if manner == "sync" else fail_async, answer_within=20) == 500


def test_the_error_says_what_is_missing() -> None:
    with pytest.raises(WebhookVerificationError, match="webhook-signature with a public key"):
        verify_webhook(BODY, {}, SECRET)
