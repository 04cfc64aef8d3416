"""Calls through a proxy: that of the environment, and that of an httpx client of the program's own."""

from __future__ import annotations

from typing import Any

import anyio
import httpx
import pytest
from conftest import API_KEY, Caller
from stub_server import succeeds
from test_calls import STUDENT

from institution import AsyncInstitution, Institution

API = "http://api.school.invalid/v1"
"""Only the proxy knows where the name leads."""


@pytest.fixture(autouse=True)
def no_proxy_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def test_the_proxy_of_the_environment_gets_every_call(stub: Any, manner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = stub([succeeds(STUDENT)])
    monkeypatch.setenv("HTTP_PROXY", proxy.base_url.removesuffix("/v1"))
    caller = Caller(manner, API, API_KEY, {"allow_http": True})
    assert caller.call(lambda client: client.students.get("stu_1")).id == "stu_1"
    assert [one.url for one in proxy.requests] == [f"{API}/students/stu_1"]


def test_an_httpx_client_of_the_program_sends_every_call(stub: Any) -> None:
    proxy = stub([succeeds(STUDENT)])
    given: dict[str, Any] = {"base_url": API, "api_key": API_KEY, "allow_http": True}
    with httpx.Client(proxy=proxy.base_url.removesuffix("/v1")) as own, Institution(http_client=own, **given) as client:
        assert client.students.get("stu_1").id == "stu_1"

    async def run() -> str:
        address = proxy.base_url.removesuffix("/v1")
        async with httpx.AsyncClient(proxy=address) as own, AsyncInstitution(http_client=own, **given) as client:
            return (await client.students.get("stu_1")).id

    assert anyio.run(run) == "stu_1"
    assert [one.url for one in proxy.requests] == [f"{API}/students/stu_1"] * 2
