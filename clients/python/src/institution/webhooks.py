"""
Receiving webhooks: verification, and each event processed once.

A handler answers 2xx once the event was processed, now or before. While it is being processed, and after a failure, the
answer is an error, so that the service delivers it again.
"""

from __future__ import annotations

import inspect
import json
import logging
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio

from institution._answer import answer_in_task, answer_in_thread
from institution._functions import require_async, require_coroutine, require_functions, require_instance, require_sync
from institution._options import require_positive
from institution._verify import (
    HeaderPairs,
    Headers,
    Secrets,
    WebhookVerificationError,
    require_bytes,
    require_secrets,
    verify_webhook,
)
from institution._webhook_store import (
    AsyncMemoryStore,
    AsyncWebhookStore,
    Claim,
    MemoryStore,
    WebhookStore,
)
from institution.models import Event, EventName

__all__ = [
    "AsyncMemoryStore",
    "AsyncWebhookHandler",
    "AsyncWebhookStore",
    "Claim",
    "MemoryStore",
    "WebhookHandler",
    "WebhookResponse",
    "WebhookStore",
    "WebhookVerificationError",
    "verify_webhook",
]

LEASE_SECONDS = 60.0
MAX_BODY_BYTES = 1_048_576
SERVICE_WAITS_SECONDS = 10.0
STORE_METHODS = ("claim", "complete", "release")

logger = logging.getLogger("institution.webhooks")


@dataclass(frozen=True)
class WebhookResponse:
    """What to answer: `return response.body, response.status, response.headers` in Flask."""

    status: int
    headers: Mapping[str, str]
    body: str


_DONE = WebhookResponse(204, {}, "")
_RETRY = {"Retry-After": "5"}


def _refuse(status: int, error: str, message: str, headers: Mapping[str, str] | None = None) -> WebhookResponse:
    fields = {"Content-Type": "application/json", **(headers or {})}
    return WebhookResponse(status, fields, json.dumps({"error": error, "message": message}))


_IN_PROGRESS = _refuse(503, "in_progress", "The event is being processed; send it again.", _RETRY)
_STORE_FAILED = _refuse(503, "store_unavailable", "Whether the event was processed is not known; send it again.", _RETRY)
_HANDLER_FAILED = _refuse(500, "handler_failed", "The event could not be processed; send it again.")


def _log(what: str, event: Event) -> None:
    logger.exception("%s failed for the event %s (%s)", what, event.id, event.type)


def _read(raw_body: bytes, headers: Headers | HeaderPairs, secrets: Secrets, limit: int) -> Event | WebhookResponse:
    require_bytes(raw_body)
    if len(raw_body) > limit:
        return _refuse(413, "body_too_large", f"The body is longer than {limit} bytes.")
    try:
        return verify_webhook(raw_body, headers, secrets)
    except WebhookVerificationError as error:
        return _refuse(400 if error.reason == "body_invalid" else 401, error.reason, str(error))


def _ignore_ping(_event: Event) -> None:
    """Makes a ping without a function go through the store all the same: a test that succeeds says that it works, too."""


async def _ignore_ping_async(_event: Event) -> None:
    """Does what `_ignore_ping` does."""


def _require_limits(lease_seconds: float, max_body_bytes: int, answer_within: float | None) -> None:
    require_positive("lease_seconds", lease_seconds)
    require_positive("max_body_bytes", max_body_bytes)
    if answer_within is not None:
        require_positive("answer_within", answer_within)
        if answer_within > SERVICE_WAITS_SECONDS:
            raise ValueError(f"answer_within must be at most {SERVICE_WAITS_SECONDS:g}: the service waits no longer")
        if lease_seconds < answer_within:
            raise ValueError(
                f"lease_seconds must be at least answer_within ({answer_within:g}): "
                "after it another call may process the same event"
            )


class WebhookHandler:
    """Receives webhooks, for Flask, Django and other frameworks that call a function in a thread."""

    def __init__(
        self,
        secret: Secrets,
        on_event: Callable[[Event], object] | None = None,
        *,
        on: Mapping[EventName, Callable[[Any], object]] | None = None,
        store: WebhookStore | None = None,
        lease_seconds: float = LEASE_SECONDS,
        max_body_bytes: int = MAX_BODY_BYTES,
        answer_within: float | None = None,
    ) -> None:
        """
        Args:
            secret: The secret of the endpoint (`whsec_…`) or its public key (`whpk_…`), or several.
            on_event: Processes an event. What it raises is logged, and the event is delivered again. Without it, events that
                `on` does not name are answered 204 and ignored; one of the two must be given.
            on: Processes the events of a type: `{"student.created": welcome}`; `on_event` gets all others.
            store: Where processed events are recorded; in the memory of this process by default.
            lease_seconds: How long a claim holds, a minute by default: longer than the function takes. Until it ends, the
                events of a process that was killed are answered 503 `in_progress`.
            max_body_bytes: A longer body is answered 413.
            answer_within: After so many seconds the answer is 503 while the function goes on, in a thread of its own; 10 at
                most, because the service waits no longer. None waits for the function, in the thread that calls the handler.
        """
        self._secrets = require_secrets(secret)
        self._on_event = on_event
        self._on: dict[str, Callable[[Any], object]] = require_functions(on, on_event, require_sync)
        _require_limits(lease_seconds, max_body_bytes, answer_within)
        self._answer_within = answer_within
        self._store = MemoryStore() if store is None else store
        require_instance(self._store)
        for method in STORE_METHODS:
            require_sync(f"store.{method}", getattr(self._store, method, None))
        self._lease_seconds = lease_seconds
        self._max_body_bytes = max_body_bytes

    def handle(self, raw_body: bytes, headers: Headers | HeaderPairs) -> WebhookResponse:
        """Returns the response to a request: `raw_body` is its bytes as they came."""
        event = _read(raw_body, headers, self._secrets, self._max_body_bytes)
        if isinstance(event, WebhookResponse):
            return event
        process = self._on.get(event.type, self._on_event)
        if process is None:
            if event.type != "ping":
                return _DONE
            process = _ignore_ping
        token = str(uuid.uuid4())
        try:
            claim = self._store.claim(event.id, token, self._lease_seconds)
        except Exception:
            _log("The store", event)
            return _STORE_FAILED
        if claim != "claimed":
            return _DONE if claim == "processed" else _IN_PROGRESS
        work = partial(self._process, process, event, token)
        return work() if self._answer_within is None else answer_in_thread(work, self._answer_within, _IN_PROGRESS)

    def _process(self, process: Callable[[Any], object], event: Event, token: str) -> WebhookResponse:
        try:
            result = process(event)
            if inspect.iscoroutine(result):
                # Otherwise it would warn that nothing has awaited it.
                result.close()
            if inspect.isawaitable(result) or inspect.isgenerator(result) or inspect.isasyncgen(result):
                raise TypeError(
                    "The function returned what nothing has run yet: give a plain function, or use AsyncWebhookHandler"
                )
        except Exception:
            _log("The function", event)
            self._attempt(event, lambda: self._store.release(event.id, token))
            return _HANDLER_FAILED
        except BaseException:
            self._attempt(event, lambda: self._store.release(event.id, token))
            raise
        # To have it sent again because its record is missing would process it twice.
        self._attempt(event, lambda: self._store.complete(event.id))
        return _DONE

    def _attempt(self, event: Event, call: Callable[[], None]) -> None:
        try:
            call()
        except Exception:
            _log("The store", event)


class AsyncWebhookHandler:
    """Receives webhooks, for FastAPI and other frameworks with `await`."""

    def __init__(
        self,
        secret: Secrets,
        on_event: Callable[[Event], Awaitable[object]] | None = None,
        *,
        on: Mapping[EventName, Callable[[Any], Awaitable[object]]] | None = None,
        store: AsyncWebhookStore | None = None,
        lease_seconds: float = LEASE_SECONDS,
        max_body_bytes: int = MAX_BODY_BYTES,
        answer_within: float | None = None,
    ) -> None:
        """
        Args:
            secret: The secret of the endpoint (`whsec_…`) or its public key (`whpk_…`), or several.
            on_event: Processes an event. What it raises is logged, and the event is delivered again. Without it, events that
                `on` does not name are answered 204 and ignored; one of the two must be given.
            on: Processes the events of a type: `{"student.created": welcome}`; `on_event` gets all others.
            store: Where processed events are recorded; in the memory of this process by default.
            lease_seconds: How long a claim holds, a minute by default: longer than the function takes. Until it ends, the
                events of a process that was killed are answered 503 `in_progress`.
            max_body_bytes: A longer body is answered 413.
            answer_within: After so many seconds the answer is 503 while the function goes on; 10 at most, because the service
                waits no longer. None waits for the function.
        """
        self._secrets = require_secrets(secret)
        self._on_event = on_event
        self._on: dict[str, Callable[[Any], Awaitable[object]]] = require_functions(on, on_event, require_async)
        _require_limits(lease_seconds, max_body_bytes, answer_within)
        self._answer_within = answer_within
        self._store = AsyncMemoryStore() if store is None else store
        require_instance(self._store)
        for method in STORE_METHODS:
            require_coroutine(f"store.{method}", getattr(self._store, method, None))
        self._lease_seconds = lease_seconds
        self._max_body_bytes = max_body_bytes

    async def handle(self, raw_body: bytes, headers: Headers | HeaderPairs) -> WebhookResponse:
        """Returns the response to a request: `raw_body` is its bytes as they came."""
        event = _read(raw_body, headers, self._secrets, self._max_body_bytes)
        if isinstance(event, WebhookResponse):
            return event
        process = self._on.get(event.type, self._on_event)
        if process is None:
            if event.type != "ping":
                return _DONE
            process = _ignore_ping_async
        token = str(uuid.uuid4())
        try:
            claim = await self._store.claim(event.id, token, self._lease_seconds)
        except Exception:
            _log("The store", event)
            return _STORE_FAILED
        if claim != "claimed":
            return _DONE if claim == "processed" else _IN_PROGRESS
        work = partial(self._process, process, event, token)
        if self._answer_within is None:
            return await work()
        return await answer_in_task(work, self._answer_within, _IN_PROGRESS)

    async def _process(self, process: Callable[[Any], Awaitable[object]], event: Event, token: str) -> WebhookResponse:
        try:
            result: object = process(event)
            if inspect.isawaitable(result):
                await result
            else:
                # It has run: to have the event sent again would process it twice.
                logger.error(
                    "The function for the event %s (%s) is no async function: use WebhookHandler", event.id, event.type
                )
        except Exception:
            _log("The function", event)
            await self._attempt(event, self._store.release(event.id, token))
            return _HANDLER_FAILED
        except BaseException:
            # Cancelled: nothing can be awaited but in a shield.
            with anyio.CancelScope(shield=True):
                await self._attempt(event, self._store.release(event.id, token))
            raise
        # To have it sent again because its record is missing would process it twice.
        await self._attempt(event, self._store.complete(event.id))
        return _DONE

    async def _attempt(self, event: Event, call: Awaitable[None]) -> None:
        try:
            await call
        except Exception:
            _log("The store", event)
