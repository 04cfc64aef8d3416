"""The functions that receive what a client does."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from institution._errors import Code
from institution._request import Call
from institution._response import code_of
from institution._retries import RawResponse


@dataclass(frozen=True)
class CallRetry:
    """A try that failed, and after which the call is sent again."""

    method: str
    path: str
    """As the document spells it: `/students/{id}`."""
    attempt: int
    """The number of the try that failed, from 1."""
    wait_seconds: float
    """How long the client waits before the next try."""
    code: Code
    """Why: `rate_limited`, `no_answer`, …"""
    request_id: str | None
    """None without an answer of the service."""


@dataclass(frozen=True)
class CallAnswer:
    """An answer that came, of each try."""

    method: str
    path: str
    """As the document spells it: `/students/{id}`."""
    attempt: int
    """The number of the try, from 1."""
    status: int
    headers: Mapping[str, str]
    """Their names are found in any case."""
    request_id: str | None
    """None of an answer that is not the service's."""


OnRetry = Callable[[CallRetry], object]
OnAnswer = Callable[[CallAnswer], object]


def _request_id(response: RawResponse) -> str | None:
    return response.headers.get("x-request-id") or None


def _require_plain(name: str, hook: object) -> None:
    if not callable(hook) or inspect.iscoroutinefunction(hook):
        raise TypeError(f"{name} must be a plain function: nothing awaits it")


@dataclass(frozen=True)
class Hooks:
    """The hooks of a client; a TypeError where one is no function that a call runs."""

    on_retry: OnRetry | None = None
    on_answer: OnAnswer | None = None

    def __post_init__(self) -> None:
        for name, hook in (("on_retry", self.on_retry), ("on_answer", self.on_answer)):
            if hook is not None:
                _require_plain(name, hook)

    def answered(self, call: Call, attempt: int, response: RawResponse) -> None:
        """Passes on an answer that came."""
        if self.on_answer is not None:
            self.on_answer(CallAnswer(call.verb, call.path, attempt, response.status, response.headers, _request_id(response)))

    def waits(self, call: Call, attempt: int, delay: float, response: RawResponse | None) -> None:
        """Passes on that another try follows after a wait."""
        if self.on_retry is None:
            return
        code = "no_answer" if response is None else code_of(response)
        request_id = None if response is None else _request_id(response)
        self.on_retry(CallRetry(call.verb, call.path, attempt, delay, code, request_id))
