"""Verification of webhooks, and each event processed once."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from institution import (
    AsyncMemoryStore,
    AsyncWebhookHandler,
    MemoryStore,
    WebhookHandler,
    WebhookVerificationError,
    verify_webhook,
)
from institution.models import StudentEmailMappedEvent

VECTORS = json.loads((Path(__file__).parents[3] / "test/vectors/webhook-signatures.json").read_text())["vectors"]
SECRET = "whsec_" + base64.b64encode(b"k" * 32).decode()
EVENT = {
    "id": "evt_1",
    "type": "student.email_mapped",
    "created_at": "2026-11-20T09:30:00.123Z",
    "institution_id": "ins_1",
    "data": {"student_id": "stu_1"},
}
BODY = json.dumps(EVENT).encode()


def signed(body: bytes = BODY, secret: str = SECRET, at: float | None = None) -> dict[str, str]:
    stamp = str(int(time.time() if at is None else at))
    signature = hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return {"X-Svc-Signature": f"t={stamp},v1={signature}"}


def reason(body: bytes, headers: Any, secret: Any, now: float | None = None) -> str:
    """Returns why a request is refused; `accepted` if it is not."""
    try:
        verify_webhook(body, headers, secret, now=now)
    except WebhookVerificationError as error:
        return error.reason
    return "accepted"


def forms(vector: dict[str, Any]) -> list[Any]:
    standard = {
        "Webhook-Id": vector["webhook_id"],
        "Webhook-Timestamp": str(vector["timestamp"]),
        "Webhook-Signature": vector["webhook_signature"],
    }
    return [vector["x_svc_signature"], {"X-Svc-Signature": vector["x_svc_signature"]}, standard]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
class TestVectors:
    def test_are_accepted_in_both_forms_and_no_other_body_is(self, vector: dict[str, Any]) -> None:
        body, secret, now = vector["body"].encode(), vector["secret"], vector["timestamp"]
        # The last vector is signed, but no event.
        accepted = "accepted" if '"type"' in vector["body"] else "body_invalid"
        for headers in forms(vector):
            assert reason(body, headers, secret, now) == accepted
            assert reason(body + b" ", headers, secret, now) == "signature_invalid"
            assert reason(body, headers, SECRET, now) == "signature_invalid"
            assert reason(body, headers, [SECRET, secret], now) == accepted

    def test_are_refused_when_they_are_older_or_newer_than_five_minutes(self, vector: dict[str, Any]) -> None:
        body, secret, now = vector["body"].encode(), vector["secret"], vector["timestamp"]
        for headers in forms(vector):
            assert "timestamp_invalid" not in (
                reason(body, headers, secret, now + 300),
                reason(body, headers, secret, now - 300),
            )
            assert reason(body, headers, secret, now + 301) == "timestamp_invalid"
            assert reason(body, headers, secret, now - 301) == "timestamp_invalid"


def test_during_a_rotation_either_secret_will_do() -> None:
    vector = next(one for one in VECTORS if "previous_secret" in one)
    for headers in forms(vector):
        for secret in (vector["secret"], vector["previous_secret"]):
            assert reason(vector["body"].encode(), headers, secret, vector["timestamp"]) == "accepted"


@pytest.mark.parametrize(
    "headers",
    [
        "t=,v1=",
        "v1=" + "0" * 64,
        f"t={int(time.time())},v1=zz",
        "t=" + "9" * 40 + ",v1=" + "0" * 64,
        {"webhook-id": "evt_1", "webhook-timestamp": "soon", "webhook-signature": "v1,AAAA"},
        {"webhook-id": "evt_1", "webhook-timestamp": "1", "webhook-signature": "v1,*** v2,AAAA"},
        # Bytes that are no UTF-8, as WSGI servers pass them, and half a character.
        {"webhook-id": "\udcff", "webhook-timestamp": "1", "webhook-signature": "v1,AAAA"},
        {"webhook-id": "evt_\ud800", "webhook-timestamp": "1", "webhook-signature": "v1,AAAA"},
        {"webhook-id": "evt_1", "webhook-timestamp": "\udcff", "webhook-signature": "v1,AAAA"},
        {"webhook-id": "evt_1", "webhook-timestamp": "1", "webhook-signature": "v1,\udcff"},
        "t=1,v1=\udcff",
        {"X-Svc-Signature": "\udcff", "\udcff": "\ud800"},
    ],
)
def test_broken_signatures_are_refused(headers: Any) -> None:
    assert reason(BODY, headers, SECRET) == "signature_invalid"


def test_a_request_without_a_signature_is_refused() -> None:
    assert (reason(BODY, {}, SECRET), reason(BODY, "", SECRET)) == ("signature_missing", "signature_missing")


def makers_with(secret: Any) -> list[Callable[[], object]]:
    """Everything that takes a secret, each a call that fails where it is none."""
    process: Any = print
    return [
        lambda: WebhookHandler(secret, process),
        lambda: AsyncWebhookHandler(secret, process),
        lambda: verify_webhook(BODY, signed(), secret),
    ]


@pytest.mark.parametrize(
    "secret",
    ["secret", "whsec_", "whsec_a", SECRET.removeprefix("whsec_"), 7, b"whsec_"],
)
def test_what_is_no_signing_secret_is_an_error_when_the_handler_is_made(secret: Any) -> None:
    for make in makers_with(secret):
        with pytest.raises(
            ValueError,
            match=r"^secret must be the endpoint's signing secret, whsec_ and base64, "
            r"or its public key, whpk_ and base64; several as a list$",
        ):
            make()


@pytest.mark.parametrize(
    ("secret", "why"),
    [(none, "secret is empty") for none in ("", [], [SECRET, ""], None)]
    + [(none, "secret holds a blank or a line break") for none in (SECRET + "\n", [SECRET, " " + SECRET])]
    + [(none, "secret is an API key") for none in ("svc_live_b3RoZXI", "svc_test_b3RoZXI", [SECRET, "svc_live_b3RoZXI"])],
)
def test_an_empty_secret_an_api_key_and_one_with_a_line_break_have_an_error_of_their_own(secret: Any, why: str) -> None:
    for make in makers_with(secret):
        with pytest.raises(ValueError, match=f"^{why}"):
            make()


def test_a_signed_body_that_is_nested_too_deeply_is_no_event() -> None:
    for body in (b"[" * 200_000, b'{"data":' * 200_000):
        assert reason(body, signed(body), SECRET) == "body_invalid"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"{", "It is no JSON."),
        (b"[]", "It is no JSON object."),
        (b'"event"', "It is no JSON object."),
        (b"{}", "id: Field required."),
        (b'{"type":"student.created"}', "id: Field required."),
    ],
)
def test_a_signed_body_that_is_no_event_is_refused_with_what_it_lacks(body: bytes, why: str) -> None:
    with pytest.raises(WebhookVerificationError) as refused:
        verify_webhook(body, signed(body), SECRET)
    assert str(refused.value).endswith(f"it is no event. {why}")


@pytest.mark.parametrize("body", [BODY.decode(), EVENT, None])
def test_a_body_that_is_not_bytes_is_an_error_that_says_what_to_pass(body: Any, manner: str) -> None:
    advice = r"^pass the raw bytes of the body: request\.get_data\(\), not get_json\(\)$"
    with pytest.raises(TypeError, match=advice):
        verify_webhook(body, signed(), SECRET)
    with pytest.raises(TypeError, match=advice):
        Receiver(manner).handle(body, signed())


def test_an_event_is_typed() -> None:
    event = verify_webhook(BODY, signed(), SECRET)
    assert isinstance(event, StudentEmailMappedEvent)
    assert event.data.student_id == "stu_1"


class Receiver:
    """A handler of one manner, and what it processed."""

    def __init__(self, manner: str, **options: Any) -> None:
        self.seen: list[str] = []
        self.fails = 0
        self._manner = manner
        if manner == "sync":
            self._handler: Any = WebhookHandler(SECRET, self._process, **options)
        else:
            self._handler = AsyncWebhookHandler(SECRET, self._process_async, **options)

    def _process(self, event: Any) -> None:
        if self.fails > 0:
            self.fails -= 1
            raise RuntimeError("The disk is full")
        self.seen.append(event.id)

    async def _process_async(self, event: Any) -> None:
        self._process(event)

    def handle(self, body: bytes = BODY, headers: dict[str, str] | None = None) -> Any:
        given = signed(body) if headers is None else headers
        if self._manner == "sync":
            return self._handler.handle(body, given)
        return anyio.run(self._handler.handle, body, given, backend=self._manner)


class BrokenStore:
    """A store that fails at one of its methods."""

    def __init__(self, broken: str) -> None:
        self._broken = broken
        self._store = MemoryStore()

    def _break(self, name: str) -> None:
        if name == self._broken:
            raise ConnectionError("The store is down")

    def claim(self, event_id: str, token: str, lease_seconds: float) -> Any:
        self._break("claim")
        return self._store.claim(event_id, token, lease_seconds)

    def complete(self, event_id: str) -> None:
        self._break("complete")
        self._store.complete(event_id)

    def release(self, event_id: str, token: str) -> None:
        self._break("release")
        self._store.release(event_id, token)


class AsyncBrokenStore(BrokenStore):
    async def claim(self, event_id: str, token: str, lease_seconds: float) -> Any:
        return super().claim(event_id, token, lease_seconds)

    async def complete(self, event_id: str) -> None:  # type: ignore[override]
        super().complete(event_id)

    async def release(self, event_id: str, token: str) -> None:  # type: ignore[override]
        super().release(event_id, token)


class TestHandlers:
    @pytest.fixture
    def receiver(self, manner: str) -> Receiver:
        return Receiver(manner)

    def test_process_an_event_once_and_answer_204_each_time(self, receiver: Receiver) -> None:
        assert [receiver.handle().status for _ in range(3)] == [204, 204, 204]
        assert receiver.seen == ["evt_1"]

    def test_answer_500_where_the_work_fails_so_that_the_event_comes_again(
        self, receiver: Receiver, caplog: pytest.LogCaptureFixture
    ) -> None:
        receiver.fails = 2
        assert [receiver.handle().status for _ in range(4)] == [500, 500, 204, 204]
        assert receiver.seen == ["evt_1"]
        assert "The disk is full" in caplog.text

    def test_refuse_what_is_not_signed_not_an_event_or_too_long(self, manner: str) -> None:
        receiver = Receiver(manner, max_body_bytes=1000)
        answers = [
            receiver.handle(headers={}),
            receiver.handle(headers=signed(secret="whsec_b3RoZXI=")),
            receiver.handle(headers=signed(at=time.time() - 301)),
            receiver.handle(body=b"[]"),
            receiver.handle(body=b"x" * 1001),
        ]
        found = [(one.status, json.loads(one.body)["error"]) for one in answers]
        assert found == [
            (401, "signature_missing"),
            (401, "signature_invalid"),
            (401, "timestamp_invalid"),
            (400, "body_invalid"),
            (413, "body_too_large"),
        ]
        assert receiver.seen == []

    @pytest.mark.parametrize(("broken", "statuses", "seen"), [("claim", [503, 503], 0), ("complete", [204, 503], 1)])
    def test_answer_for_a_store_that_fails(
        self, manner: str, broken: str, statuses: list[int], seen: int, caplog: pytest.LogCaptureFixture
    ) -> None:
        store = BrokenStore(broken) if manner == "sync" else AsyncBrokenStore(broken)
        receiver = Receiver(manner, store=store)
        assert [receiver.handle().status for _ in range(2)] == statuses
        assert len(receiver.seen) == seen
        assert "The store is down" in caplog.text

    def test_process_an_event_after_the_lease_of_a_process_that_was_killed(self, manner: str) -> None:
        store = MemoryStore() if manner == "sync" else AsyncMemoryStore()
        receiver = Receiver(manner, store=store)
        inner = store if isinstance(store, MemoryStore) else store._store
        inner.claim("evt_1", "token of the killed one", 0.5)
        assert receiver.handle().status == 503
        until = time.monotonic() + 20
        while receiver.handle().status != 204:
            assert time.monotonic() < until
            time.sleep(0.05)
        assert receiver.seen == ["evt_1"]


def test_an_event_that_is_being_processed_is_answered_503() -> None:
    entered, leave = threading.Event(), threading.Event()

    def process(event: Any) -> None:
        entered.set()
        leave.wait(30)

    handler = WebhookHandler(SECRET, process)
    statuses: list[int] = []
    worker = threading.Thread(target=lambda: statuses.append(handler.handle(BODY, signed()).status))
    worker.start()
    entered.wait(30)
    busy = handler.handle(BODY, signed())
    leave.set()
    worker.join(30)
    assert (busy.status, busy.headers["Retry-After"], statuses) == (503, "5", [204])


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_work_that_is_cancelled_gives_its_claim_up(backend: str) -> None:
    async def run() -> list[int]:
        entered, seen = anyio.Event(), []

        async def process(event: Any) -> None:
            seen.append(event.id)
            entered.set()
            if len(seen) == 1:
                await anyio.sleep(30)

        handler = AsyncWebhookHandler(SECRET, process)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(handler.handle, BODY, signed())
            await entered.wait()
            tasks.cancel_scope.cancel()
        return [(await handler.handle(BODY, signed())).status, len(seen)]

    assert anyio.run(run, backend=backend) == [204, 2]


class TestMemoryStore:
    def test_keeps_the_newest_events_and_every_claim(self) -> None:
        store = MemoryStore(max_events=2)
        store.claim("held", "token", 60)
        for event_id in ("one", "two", "three"):
            store.claim(event_id, "token", 60)
            store.complete(event_id)
        found = [store.claim(event_id, "other", 60) for event_id in ("held", "three", "one")]
        assert found == ["processing", "processed", "claimed"]

    def test_gives_up_no_claim_of_another_token_and_nothing_processed(self) -> None:
        store = MemoryStore()
        store.claim("one", "token", 60)
        store.release("one", "other")
        assert store.claim("one", "other", 60) == "processing"
        store.complete("one")
        store.release("one", "token")
        assert store.claim("one", "other", 60) == "processed"

    def test_gives_an_event_to_one_of_many_threads(self) -> None:
        store = MemoryStore()
        found: list[str] = []
        threads = [threading.Thread(target=lambda nth=nth: found.append(store.claim("one", str(nth), 60))) for nth in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(found) == ["claimed"] + ["processing"] * 19


@pytest.fixture(autouse=True)
def logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    with caplog.at_level(logging.ERROR, logger="institution.webhooks"):
        yield
