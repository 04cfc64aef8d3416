"""Where processed events are recorded."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Literal, Protocol

Claim = Literal["claimed", "processed", "processing"]
"""What a claim found: the event is now the caller's; it was processed; or another call is at it."""


class WebhookStore(Protocol):
    """
    Where a handler records the events that it has processed, by their id. Handlers of several processes share one store,
    a table or a Redis; `claim` must be atomic.
    """

    def claim(self, event_id: str, token: str, lease_seconds: float) -> Claim:
        """
        Claims an event, unless it was processed or another claim of it still holds. After `lease_seconds` a claim may be
        taken over: its process was killed.
        """

    def complete(self, event_id: str) -> None:
        """Records that the event was processed. Keep the record for a month at least: so long may it be sent again."""

    def release(self, event_id: str, token: str) -> None:
        """Gives a claim up. Does nothing where the event was processed, or the claim has another token."""


class AsyncWebhookStore(Protocol):
    """The store of an AsyncWebhookHandler; see WebhookStore."""

    async def claim(self, event_id: str, token: str, lease_seconds: float) -> Claim: ...

    async def complete(self, event_id: str) -> None: ...

    async def release(self, event_id: str, token: str) -> None: ...


@dataclass
class _Held:
    token: str
    until: float | None
    """None once the event was processed."""


class MemoryStore:
    """
    A store in the memory of this process, for tests and receivers of one process whose work may be repeated after a
    restart. It keeps the newest `max_events` events.
    """

    def __init__(self, max_events: int = 10_000) -> None:
        self._max_events = max_events
        self._held: dict[str, _Held] = {}
        self._lock = threading.Lock()

    def claim(self, event_id: str, token: str, lease_seconds: float) -> Claim:
        """Claims an event; see WebhookStore."""
        now = time.monotonic()
        with self._lock:
            held = self._held.get(event_id)
            if held is not None and held.until is None:
                return "processed"
            if held is not None and held.until is not None and held.until > now:
                return "processing"
            self._held[event_id] = _Held(token, now + lease_seconds)
            self._trim(now)
            return "claimed"

    def complete(self, event_id: str) -> None:
        """Records that the event was processed."""
        with self._lock:
            # Removed first, so that it counts as the newest.
            self._held.pop(event_id, None)
            self._held[event_id] = _Held("", None)
            self._trim(time.monotonic())

    def release(self, event_id: str, token: str) -> None:
        """Gives a claim up; see WebhookStore."""
        with self._lock:
            held = self._held.get(event_id)
            if held is not None and held.token == token:
                del self._held[event_id]

    def _trim(self, now: float) -> None:
        for event_id in list(self._held):
            if len(self._held) <= self._max_events:
                return
            until = self._held[event_id].until
            if until is None or until <= now:
                del self._held[event_id]


class AsyncMemoryStore:
    """A MemoryStore for an AsyncWebhookHandler."""

    def __init__(self, max_events: int = 10_000) -> None:
        self._store = MemoryStore(max_events)

    async def claim(self, event_id: str, token: str, lease_seconds: float) -> Claim:
        """Claims an event; see WebhookStore."""
        return self._store.claim(event_id, token, lease_seconds)

    async def complete(self, event_id: str) -> None:
        """Records that the event was processed."""
        self._store.complete(event_id)

    async def release(self, event_id: str, token: str) -> None:
        """Gives a claim up; see WebhookStore."""
        self._store.release(event_id, token)
