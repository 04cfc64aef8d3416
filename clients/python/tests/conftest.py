"""What the tests share."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest

from institution import AsyncInstitution, Institution

sys.path.insert(0, str(Path(__file__).parent))

from stub_server import Responder, StubServer

API_KEY = "svc_live_" + "k" * 32


class Caller:
    """Makes the same call with each client: the one that waits in its thread, and the one for await."""

    def __init__(self, manner: str, base_url: str, api_key: str, options: dict[str, Any]) -> None:
        self.manner = manner
        self._given = {"base_url": base_url, "api_key": api_key, **options}

    def call(self, make: Callable[[Any], Any]) -> Any:
        """Returns what the call returns."""
        if self.manner == "sync":
            with Institution(**self._given) as client:
                return make(client)

        async def run() -> Any:
            async with AsyncInstitution(**self._given) as client:
                return await make(client)

        return anyio.run(run, backend=self.manner)

    def collect(self, make: Callable[[Any], Any]) -> list[Any]:
        """Returns what the call yields."""
        if self.manner == "sync":
            with Institution(**self._given) as client:
                return list(make(client))

        async def run() -> list[Any]:
            async with AsyncInstitution(**self._given) as client:
                return [one async for one in make(client)]

        return anyio.run(run, backend=self.manner)


@pytest.fixture(params=["sync", "asyncio", "trio"])
def manner(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def stub() -> Iterator[Callable[[Sequence[Responder]], StubServer]]:
    servers: list[StubServer] = []

    def start(responders: Sequence[Responder]) -> StubServer:
        servers.append(StubServer(responders))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def asked(manner: str) -> Callable[..., Caller]:
    """Returns a caller of a stub server."""
    return lambda server, **options: Caller(manner, server.base_url, API_KEY, options)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the client's own delays short."""
    monkeypatch.setattr("institution._retries.BASE_DELAY", 0.02)


README = (Path(__file__).parents[1] / "README.md").read_text()


def block(language: str, name: str) -> str:
    """Returns a program of the README."""
    found = re.search(rf"^```{language} {re.escape(name)}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def required(name: str) -> str:
    """Returns a variable of the environment; the tests of the running service need it."""
    value = os.environ.get(name, "")
    assert value, f"{name} is not set: test/clients/python.test.ts of the repository starts the service and sets it"
    return value


@pytest.fixture
def service(manner: str) -> Caller:
    """Returns a caller of the running service."""
    return Caller(manner, required("BASE_URL"), required("API_KEY"), {})


@pytest.fixture(scope="session")
def client() -> Iterator[Institution]:
    """A client of the running service."""
    with Institution(base_url=required("BASE_URL"), api_key=required("API_KEY")) as one:
        yield one
