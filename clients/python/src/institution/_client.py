"""The clients."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from types import TracebackType
from typing import Any, TypeVar

import anyio
import httpx
from pydantic import TypeAdapter
from typing_extensions import Self

from institution._async_resources import AsyncNamespaces
from institution._hooks import Hooks, OnAnswer, OnRetry
from institution._request import Call
from institution._resource import PAGE_SIZE
from institution._response import no_answer, read_data, read_text, require_open
from institution._retries import Attempts, RawResponse, RetryOptions, RetryRule
from institution._settings import Settings
from institution._sync_resources import SyncNamespaces
from institution.models import EventPattern, ListEventsResult

Answer = TypeVar("Answer")


_adapter: Callable[[Any], TypeAdapter[Any]] = lru_cache(maxsize=512)(TypeAdapter)


def _check_time(ends_at: float) -> None:
    if time.monotonic() >= ends_at:
        raise httpx.ReadTimeout("the response took too long")


def _raw(response: httpx.Response, chunks: list[bytes]) -> RawResponse:
    return RawResponse(response.status_code, httpx.Headers(response.headers), b"".join(chunks))


class Institution(SyncNamespaces):
    """
    A client of the Institution API. Its namespaces hold the operations: `client.students.create(full_name="Ada")`.

    A call returns the operation's data, or raises InstitutionError. It waits where the API asks for it, and where no
    answer came it is sent again: every write carries an `Idempotency-Key`, so that it is done once. It may be used by
    several threads.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        tries: int = 5,
        timeout: float = 60.0,
        deadline: float = 120.0,
        http_client: httpx.Client | None = None,
        allow_http: bool = False,
        on_retry: OnRetry | None = None,
        on_answer: OnAnswer | None = None,
    ) -> None:
        """
        Args:
            base_url: Ends with `/v1`.
            api_key: `svc_live_…`, or the test key of a sandbox, `svc_test_…`.
            tries: How often a call is tried in all.
            timeout: How many seconds one try may take.
            deadline: How many seconds all of them may take, the waits in between too.
            http_client: An httpx client of your own, with a proxy or certificates; it is yours to close.
            allow_http: Takes a `base_url` with http of another machine than this one, where the network itself is private.
            on_retry: Called before each wait that precedes another try; what it raises ends the call.
            on_answer: Called with the status and the headers of each answer that came, that of a try that is repeated too.
        """
        super().__init__(self)
        self._settings = Settings(
            base_url, api_key, RetryOptions(tries, timeout, deadline), allow_http, Hooks(on_retry, on_answer)
        )
        self._own = http_client is None
        self._http = httpx.Client() if http_client is None else http_client

    def with_options(self, **changed: Any) -> Institution:
        """Returns a client with other `tries`, `timeout` or `deadline`, which shares the connections of this one."""
        retry = replace(self._settings.retry, **changed)
        return Institution(
            base_url=self._settings.base_url,
            api_key=self._settings.api_key,
            tries=retry.tries,
            timeout=retry.timeout,
            deadline=retry.deadline,
            http_client=self._http,
            allow_http=self._settings.allow_http,
            on_retry=self._settings.hooks.on_retry,
            on_answer=self._settings.hooks.on_answer,
        )

    def request(self, answer: type[Answer], verb: str, path: str, /, **given: Any) -> Answer:
        """Calls an operation by its method and path; the namespaces do it with types."""
        call = self._settings.call(verb, path, **given)
        adapter: TypeAdapter[Answer] = _adapter(answer)
        return read_data(call, self._send(call), adapter)

    def request_text(self, verb: str, path: str, /, **given: Any) -> str:
        """Calls an operation that returns a file of text."""
        call = self._settings.call(verb, path, **given)
        return read_text(call, self._send(call))

    def feed(
        self, *, type: EventPattern | None = None, since: datetime | str | None = None, limit: int = PAGE_SIZE
    ) -> Iterator[ListEventsResult]:
        """
        Yields the event feed from `since` on (from the oldest event that is kept without it), answer after answer, up to
        what has happened by now. Process the `items`, then store `next_since`: it is where to go on.
        """
        while True:
            query: dict[str, Any] = {"type": type, "since": since, "limit": limit}
            step = self.events.list(**query)
            yield step
            if not step.has_more or step.next_since is None:
                return
            since = step.next_since

    def close(self) -> None:
        """Closes the connections."""
        if self._own:
            self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _send(self, call: Call) -> RawResponse:
        attempts = Attempts(self._settings.retry, call.name)
        rule = RetryRule(call.repeatable)
        while True:
            require_open(call, self._http.is_closed)
            response, failure = self._try(call, attempts.begin())
            if response is not None:
                self._settings.hooks.answered(call, attempts.number, response)
            delay = rule.delay(response)
            if delay is not None and attempts.allow(delay, response, failure):
                self._settings.hooks.waits(call, attempts.number, delay, response)
                time.sleep(delay)
                if not attempts.over():
                    continue
            if response is None:
                raise no_answer(call, self._settings.base_url, attempts.spent(), failure or RuntimeError())
            return response if delay is None else replace(response, spent=attempts.spent())

    def _try(self, call: Call, ends_at: float) -> tuple[RawResponse | None, Exception | None]:
        try:
            with self._http.stream(**self._settings.arguments(call, ends_at)) as response:
                chunks = []
                for chunk in response.iter_bytes():
                    chunks.append(chunk)
                    _check_time(ends_at)
                return _raw(response, chunks), None
        except httpx.TransportError as failure:
            return None, failure


class AsyncInstitution(AsyncNamespaces):
    """The client for `await`, with asyncio or trio; otherwise like Institution."""

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        tries: int = 5,
        timeout: float = 60.0,
        deadline: float = 120.0,
        http_client: httpx.AsyncClient | None = None,
        allow_http: bool = False,
        on_retry: OnRetry | None = None,
        on_answer: OnAnswer | None = None,
    ) -> None:
        """
        Args:
            base_url: Ends with `/v1`.
            api_key: `svc_live_…`, or the test key of a sandbox, `svc_test_…`.
            tries: How often a call is tried in all.
            timeout: How many seconds one try may take.
            deadline: How many seconds all of them may take, the waits in between too.
            http_client: An httpx client of your own, with a proxy or certificates; it is yours to close.
            allow_http: Takes a `base_url` with http of another machine than this one, where the network itself is private.
            on_retry: Called before each wait that precedes another try; what it raises ends the call.
            on_answer: Called with the status and the headers of each answer that came, that of a try that is repeated too.
        """
        super().__init__(self)
        self._settings = Settings(
            base_url, api_key, RetryOptions(tries, timeout, deadline), allow_http, Hooks(on_retry, on_answer)
        )
        self._own = http_client is None
        self._http = httpx.AsyncClient() if http_client is None else http_client

    def with_options(self, **changed: Any) -> AsyncInstitution:
        """Returns a client with other `tries`, `timeout` or `deadline`, which shares the connections of this one."""
        retry = replace(self._settings.retry, **changed)
        return AsyncInstitution(
            base_url=self._settings.base_url,
            api_key=self._settings.api_key,
            tries=retry.tries,
            timeout=retry.timeout,
            deadline=retry.deadline,
            http_client=self._http,
            allow_http=self._settings.allow_http,
            on_retry=self._settings.hooks.on_retry,
            on_answer=self._settings.hooks.on_answer,
        )

    async def request(self, answer: type[Answer], verb: str, path: str, /, **given: Any) -> Answer:
        """Calls an operation by its method and path; the namespaces do it with types."""
        call = self._settings.call(verb, path, **given)
        adapter: TypeAdapter[Answer] = _adapter(answer)
        return read_data(call, await self._send(call), adapter)

    async def request_text(self, verb: str, path: str, /, **given: Any) -> str:
        """Calls an operation that returns a file of text."""
        call = self._settings.call(verb, path, **given)
        return read_text(call, await self._send(call))

    async def feed(
        self, *, type: EventPattern | None = None, since: datetime | str | None = None, limit: int = PAGE_SIZE
    ) -> AsyncIterator[ListEventsResult]:
        """
        Yields the event feed from `since` on (from the oldest event that is kept without it), answer after answer, up to
        what has happened by now. Process the `items`, then store `next_since`: it is where to go on.
        """
        while True:
            query: dict[str, Any] = {"type": type, "since": since, "limit": limit}
            step = await self.events.list(**query)
            yield step
            if not step.has_more or step.next_since is None:
                return
            since = step.next_since

    async def close(self) -> None:
        """Closes the connections."""
        if self._own:
            await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _send(self, call: Call) -> RawResponse:
        attempts = Attempts(self._settings.retry, call.name)
        rule = RetryRule(call.repeatable)
        while True:
            require_open(call, self._http.is_closed)
            response, failure = await self._try(call, attempts.begin())
            if response is not None:
                self._settings.hooks.answered(call, attempts.number, response)
            delay = rule.delay(response)
            if delay is not None and attempts.allow(delay, response, failure):
                self._settings.hooks.waits(call, attempts.number, delay, response)
                await anyio.sleep(delay)
                if not attempts.over():
                    continue
            if response is None:
                raise no_answer(call, self._settings.base_url, attempts.spent(), failure or RuntimeError())
            return response if delay is None else replace(response, spent=attempts.spent())

    async def _try(self, call: Call, ends_at: float) -> tuple[RawResponse | None, Exception | None]:
        arguments = self._settings.arguments(call, ends_at)
        with anyio.move_on_after(arguments["timeout"]):
            try:
                async with self._http.stream(**arguments) as response:
                    return _raw(response, [chunk async for chunk in response.aiter_bytes()]), None
            except httpx.TransportError as failure:
                return None, failure
        return None, TimeoutError("the response took too long")
