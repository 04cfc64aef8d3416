"""Verification with public keys, functions for types of events, and answers that do not wait."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Awaitable
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from test_webhooks import BODY, EVENT, SECRET, AsyncBrokenStore, BrokenStore, reason, signed

from institution import (
    AsyncMemoryStore,
    AsyncWebhookHandler,
    Claim,
    MemoryStore,
    WebhookHandler,
    WebhookVerificationError,
    verify_webhook,
)

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


@pytest.mark.parametrize("key", ["whpk_", "whpk_AAAA"])
def test_what_is_no_public_key_is_an_error(key: str) -> None:
    with pytest.raises(ValueError, match=r"public key, whpk_ and base64; several as a list$"):
        verify_webhook(BODY, signed(), key)


def test_a_public_key_without_the_package_that_verifies_is_an_error_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric.ed25519", None)
    with pytest.raises(ImportError, match="pip install cryptography"):
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


def test_a_ping_that_no_function_wants_is_recorded_in_the_store_so_that_a_test_says_whether_the_store_works(
    manner: str,
) -> None:
    async def process_async(event: Any) -> None:
        print(event)

    on = {"student.created": print if manner == "sync" else process_async}
    ping = json.dumps({**EVENT, "type": "ping", "data": {"endpoint_id": "we_1"}}).encode()
    broken: Any = BrokenStore("claim") if manner == "sync" else AsyncBrokenStore("claim")
    assert [deliver(manner, body, on=on, store=broken) for body in (BODY, ping)] == [204, 503]
    working: Any = MemoryStore() if manner == "sync" else AsyncMemoryStore()
    assert deliver(manner, ping, on=on, store=working) == 204
    inner = working if isinstance(working, MemoryStore) else working._store
    assert inner.claim("evt_1", "another token", 1) == "processed"


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

        handler = AsyncWebhookHandler(SECRET, process, answer_within=10)
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

    assert deliver(manner, BODY, on_event=fail if manner == "sync" else fail_async, answer_within=10) == 500


class Awaited:
    """A function that is an object."""

    async def __call__(self, event: Any) -> None: ...


async def coroutine(event: Any) -> None: ...


def plain(event: Any) -> None: ...


def generator(event: Any) -> Any:
    yield event


async def async_generator(event: Any) -> Any:
    yield event


def refused(handler: Any, function: Any, other: str) -> None:
    for options in ({"on_event": function}, {"on": {"student.created": function}}):
        with pytest.raises(TypeError, match=rf"use {other}|must not yield|must be a function"):
            handler(SECRET, **options)


@pytest.mark.parametrize("function", [coroutine, Awaited(), partial(coroutine), generator, async_generator, "plain"])
def test_a_function_that_a_call_does_not_run_is_refused_by_the_handler_that_calls(function: Any) -> None:
    refused(WebhookHandler, function, "AsyncWebhookHandler")


@pytest.mark.parametrize("function", [plain, print, generator, async_generator, "plain"])
def test_a_plain_function_is_refused_by_the_handler_that_awaits(function: Any) -> None:
    refused(AsyncWebhookHandler, function, "WebhookHandler")


def test_a_call_that_returns_what_nothing_has_run_is_answered_500_and_the_event_comes_again() -> None:
    handler = WebhookHandler(SECRET, lambda event: coroutine(event))
    assert [handler.handle(BODY, signed()).status for _ in range(2)] == [500, 500]
    assert WebhookHandler(SECRET, lambda event: generator(event)).handle(BODY, signed()).status == 500


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_what_returns_an_awaitable_is_awaited_and_what_has_run_already_does_not_run_again(backend: str) -> None:
    seen: list[str] = []

    async def note(event: Any) -> None:
        seen.append(event.id)

    def annotated(event: Any) -> Awaitable[None]:
        return note(event)

    async def run(function: Any) -> list[int]:
        handler = AsyncWebhookHandler(SECRET, function)
        return [(await handler.handle(BODY, signed())).status for _ in range(2)]

    for function in (note, annotated, lambda event: note(event), lambda event: seen.append(event.id)):
        assert anyio.run(run, function, backend=backend) == [204, 204]
    assert seen == ["evt_1"] * 4


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("student.*", "is a pattern"),
        ("*", "is a pattern"),
        ("student.creatd", "did you mean student.created"),
        ("created", "knows no event"),
    ],
)
def test_functions_for_what_is_no_type_are_refused(name: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        WebhookHandler(SECRET, plain, on={name: plain})
    with pytest.raises(ValueError, match=message):
        AsyncWebhookHandler(SECRET, on={name: coroutine})


def test_a_handler_without_any_function_is_refused() -> None:
    kinds: list[Any] = [WebhookHandler, AsyncWebhookHandler]
    none_at_all: list[dict[str, Any]] = [{}, {"on": {}}]
    for kind in kinds:
        for options in none_at_all:
            with pytest.raises(ValueError, match="give on_event or on"):
                kind(SECRET, **options)


@pytest.mark.parametrize("name", ["lease_seconds", "max_body_bytes", "answer_within"])
def test_limits_with_which_no_event_could_be_processed_are_refused(name: str) -> None:
    kinds: list[tuple[Any, Any]] = [(WebhookHandler, plain), (AsyncWebhookHandler, coroutine)]
    for kind, function in kinds:
        for given in (0, -1, "8"):
            with pytest.raises(ValueError, match=f"{name} must be a number above 0"):
                kind(SECRET, function, **{name: given})


def test_an_answer_later_than_the_service_waits_is_refused() -> None:
    kinds: list[tuple[Any, Any]] = [(WebhookHandler, plain), (AsyncWebhookHandler, coroutine)]
    for kind, function in kinds:
        with pytest.raises(ValueError, match="answer_within must be at most 10: the service waits no longer"):
            kind(SECRET, function, answer_within=10.5)
        kind(SECRET, function, answer_within=10)


def test_a_claim_that_ends_before_the_answer_is_refused() -> None:
    kinds: list[tuple[Any, Any]] = [(WebhookHandler, plain), (AsyncWebhookHandler, coroutine)]
    for kind, function in kinds:
        with pytest.raises(ValueError, match=r"lease_seconds must be at least answer_within \(8\)"):
            kind(SECRET, function, answer_within=8, lease_seconds=7)
        kind(SECRET, function, answer_within=8, lease_seconds=8)


def test_the_claim_of_a_process_that_was_killed_ends_after_a_minute_or_after_lease_seconds(manner: str) -> None:
    leases: list[float] = []

    class Store(MemoryStore):
        def claim(self, event_id: str, token: str, lease_seconds: float) -> Claim:
            leases.append(lease_seconds)
            return super().claim(event_id, token, lease_seconds)

    class AsyncStore(AsyncMemoryStore):
        def __init__(self) -> None:
            self._store = Store()

    function: Any = plain if manner == "sync" else coroutine
    for limits in ({}, {"lease_seconds": 90}):
        store = Store() if manner == "sync" else AsyncStore()
        assert deliver(manner, BODY, on_event=function, store=store, **limits) == 204
    assert leases == [60, 90]


def test_a_store_that_lacks_a_method_is_refused() -> None:
    class ClaimOnly:
        def claim(self, event_id: str, token: str, lease_seconds: float) -> str:
            return f"{event_id}{token}{lease_seconds}"

    store: Any = ClaimOnly()
    with pytest.raises(TypeError, match=r"store\.complete must be a function"):
        WebhookHandler(SECRET, plain, store=store)
    empty: Any = object()
    with pytest.raises(TypeError, match=r"store\.claim must be a function"):
        AsyncWebhookHandler(SECRET, coroutine, store=empty)


def test_headers_may_be_pairs_of_texts_or_bytes() -> None:
    pairs = list(signed().items())
    assert verify_webhook(BODY, pairs, SECRET).id == "evt_1"
    assert verify_webhook(BODY, [(name.encode(), value.encode()) for name, value in pairs], SECRET).id == "evt_1"
    others: list[Any] = [None, 7, [1], [("a",)], {"X-Svc-Signature": ["t=1"]}]
    for wrong in others:
        with pytest.raises(TypeError, match="headers must be those of the request"):
            verify_webhook(BODY, wrong, SECRET)


def test_the_error_says_what_is_missing() -> None:
    with pytest.raises(WebhookVerificationError, match="webhook-signature with a public key"):
        verify_webhook(BODY, {}, SECRET)


@pytest.mark.parametrize(
    ("body", "why"), [(b"{", "It is no JSON."), (json.dumps({**EVENT, "created_at": "soon"}).encode(), "created_at: ")]
)
def test_what_is_signed_and_no_event_says_what_is_wrong(body: bytes, why: str) -> None:
    with pytest.raises(WebhookVerificationError, match=rf"^The body is signed, but it is no event\. .*{why}"):
        verify_webhook(body, signed(body), SECRET)


def test_a_store_of_the_other_kind_is_refused() -> None:
    with pytest.raises(TypeError, match=r"store\.claim is an async function"):
        WebhookHandler(SECRET, print, store=AsyncMemoryStore())  # type: ignore[arg-type]

    async def process(event: object) -> None:
        del event

    with pytest.raises(TypeError, match=r"store\.claim must be an async function"):
        AsyncWebhookHandler(SECRET, process, store=MemoryStore())  # type: ignore[arg-type]


def test_a_class_in_place_of_a_store_is_refused() -> None:
    for kind, function, store in ((WebhookHandler, plain, MemoryStore), (AsyncWebhookHandler, coroutine, AsyncMemoryStore)):
        made: Any = kind
        with pytest.raises(TypeError, match=rf"^store is a class: give an instance, {store.__name__}\(\)$"):
            made(SECRET, function, store=store)


def test_several_secrets_in_one_text_are_refused_with_the_way_to_take_them_apart() -> None:
    for given in (f"{SECRET} {SECRET}", f"{SECRET}\n{SECRET}\n", [f"{SECRET} {SECRET}"]):
        with pytest.raises(ValueError, match=r"^secret holds several secrets in one text: split it, as in .*\.split\(\)$"):
            WebhookHandler(given, plain)
    with pytest.raises(ValueError, match=r"^secret holds a blank or a line break: .* strip\(\)$"):
        WebhookHandler(f"{SECRET}\n", plain)
