"""What the namespaces of the client are made of."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, Protocol, TypeVar

from institution._page import Page
from institution._request import Fields, FileInput

__all__ = ["AsyncCalls", "AsyncResource", "FileInput", "SyncCalls", "SyncResource"]

Answer = TypeVar("Answer")
PAGE_SIZE = 200


class SyncCalls(Protocol):
    """Makes calls, and waits for their answers."""

    def request(self, answer: type[Answer], verb: str, path: str, /, **given: Any) -> Answer: ...

    def request_text(self, verb: str, path: str, /, **given: Any) -> str: ...


class AsyncCalls(Protocol):
    """Makes calls, for await."""

    async def request(self, answer: type[Answer], verb: str, path: str, /, **given: Any) -> Answer: ...

    async def request_text(self, verb: str, path: str, /, **given: Any) -> str: ...


def _page_query(query: Fields, cursor: str) -> dict[str, Any]:
    return {**query, "limit": PAGE_SIZE if query.get("limit") is None else query["limit"], "cursor": cursor}


class SyncResource:
    """A namespace."""

    def __init__(self, calls: SyncCalls) -> None:
        self._calls = calls

    def _call(self, answer: type[Answer], verb: str, url_path: str, /, **given: Any) -> Answer:
        return self._calls.request(answer, verb, url_path, **given)

    def _call_text(self, verb: str, url_path: str, /, **given: Any) -> str:
        return self._calls.request_text(verb, url_path, **given)

    def _iterate(self, item: type[Answer], url_path: str, *, query: Fields, path: Fields | None = None) -> Iterator[Answer]:
        cursor: str | None = ""
        while cursor is not None:
            page = self._call(Page[item], "GET", url_path, path=path, query=_page_query(query, cursor))  # type: ignore[valid-type]
            yield from page.items
            cursor = page.next_cursor


class AsyncResource:
    """A namespace, for await."""

    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def _call(self, answer: type[Answer], verb: str, url_path: str, /, **given: Any) -> Answer:
        return await self._calls.request(answer, verb, url_path, **given)

    async def _call_text(self, verb: str, url_path: str, /, **given: Any) -> str:
        return await self._calls.request_text(verb, url_path, **given)

    async def _iterate(
        self, item: type[Answer], url_path: str, *, query: Fields, path: Fields | None = None
    ) -> AsyncIterator[Answer]:
        cursor: str | None = ""
        while cursor is not None:
            page = await self._call(Page[item], "GET", url_path, path=path, query=_page_query(query, cursor))  # type: ignore[valid-type]
            for one in page.items:
                yield one
            cursor = page.next_cursor
