"""The stores: that in memory, and that of the README in a real Postgres."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import psycopg
import pytest
from conftest import block, required
from psycopg_pool import AsyncConnectionPool, ConnectionPool

from institution import AsyncMemoryStore, AsyncWebhookStore, Claim, MemoryStore, WebhookStore

SCHEMA = f"receiver_{uuid.uuid4().hex}"
STORES = ("memory", "postgres")
DOCUMENTED: dict[str, Any] = {}
exec(block("python", "postgres_store.py"), DOCUMENTED)


def connection_string() -> str:
    return psycopg.conninfo.make_conninfo(required("RECEIVER_DATABASE_URL"), options=f"-c search_path={SCHEMA}")


@pytest.fixture(scope="module")
def table() -> Iterator[None]:
    with psycopg.connect(connection_string(), autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {SCHEMA}")
        connection.execute(block("sql", "received-events.sql"))
        yield
        connection.execute(f"DROP SCHEMA {SCHEMA} CASCADE")


class Awaited:
    """Calls an AsyncWebhookStore as if it were a WebhookStore, each call in an event loop of its own."""

    def __init__(self, kind: str, *name: str) -> None:
        self._name = name
        self._memory = AsyncMemoryStore() if kind == "memory" else None

    def _run(self, make: Callable[[AsyncWebhookStore], Any]) -> Any:
        async def run() -> Any:
            if self._memory is not None:
                return await make(self._memory)
            async with AsyncConnectionPool(connection_string(), min_size=1) as pool:
                return await make(DOCUMENTED["AsyncPostgresStore"](pool, *self._name))

        return anyio.run(run)

    def claim(self, event_id: str, token: str, lease_seconds: float) -> Claim:
        claim: Claim = self._run(lambda store: store.claim(event_id, token, lease_seconds))
        return claim

    def complete(self, event_id: str) -> None:
        self._run(lambda store: store.complete(event_id))

    def release(self, event_id: str, token: str) -> None:
        self._run(lambda store: store.release(event_id, token))


@pytest.fixture(params=[f"{manner} {kind}" for manner in ("sync", "async") for kind in STORES])
def store(request: pytest.FixtureRequest, table: None) -> Iterator[WebhookStore]:
    manner, kind = request.param.split()
    if manner == "async":
        yield Awaited(kind)
    elif kind == "memory":
        yield MemoryStore()
    else:
        with ConnectionPool(connection_string(), min_size=1, max_size=5) as pool:
            yield DOCUMENTED["PostgresStore"](pool)


@pytest.fixture
def event_id() -> str:
    return f"evt_{uuid.uuid4().hex}"


def test_one_of_many_callers_claims_an_event(store: WebhookStore, event_id: str) -> None:
    with ThreadPoolExecutor(max_workers=8) as threads:
        claims = list(threads.map(lambda nth: store.claim(event_id, f"token-{nth}", 60), range(8)))
    assert sorted(claims) == ["claimed", *["processing"] * 7]


def test_what_was_processed_is_remembered(store: WebhookStore, event_id: str) -> None:
    store.claim(event_id, "a", 60)
    store.complete(event_id)
    store.release(event_id, "a")
    assert store.claim(event_id, "b", 60) == "processed"


def test_an_event_that_was_released_by_its_own_claim_is_claimed_again(store: WebhookStore, event_id: str) -> None:
    store.claim(event_id, "a", 60)
    store.release(event_id, "b")
    assert store.claim(event_id, "b", 60) == "processing"
    store.release(event_id, "a")
    assert store.claim(event_id, "b", 60) == "claimed"


def test_a_claim_is_taken_over_after_its_lease_and_the_first_can_not_release_it(store: WebhookStore, event_id: str) -> None:
    assert store.claim(event_id, "killed", 0.05) == "claimed"
    until = time.monotonic() + 60
    while store.claim(event_id, "next", 60) != "claimed":
        assert time.monotonic() < until
        time.sleep(0.02)
    store.release(event_id, "killed")
    assert store.claim(event_id, "third", 60) == "processing"


@pytest.fixture(params=["sync", "async"])
def store_of(request: pytest.FixtureRequest, table: None) -> Iterator[Callable[..., WebhookStore]]:
    """Returns a store in Postgres, of the receiver with a name or without."""
    with ConnectionPool(connection_string(), min_size=1, max_size=5) as pool:
        yield lambda *name: Awaited("postgres", *name) if request.param == "async" else DOCUMENTED["PostgresStore"](pool, *name)


def test_receivers_with_names_share_a_table_and_each_gets_every_event(
    store_of: Callable[..., WebhookStore], event_id: str
) -> None:
    stores = [store_of("gradebook"), store_of("library"), store_of()]
    for store in stores:
        assert store.claim(event_id, "a", 60) == "claimed"
        store.complete(event_id)
    assert [store.claim(event_id, "b", 60) for store in stores] == ["processed"] * 3


def test_a_receiver_releases_its_own_claims_alone(store_of: Callable[..., WebhookStore], event_id: str) -> None:
    store_of("gradebook").claim(event_id, "a", 60)
    store_of("library").release(event_id, "a")
    assert store_of("gradebook").claim(event_id, "b", 60) == "processing"
    store_of("gradebook").release(event_id, "a")
    assert store_of("gradebook").claim(event_id, "b", 60) == "claimed"


def test_a_receiver_without_a_name_goes_on_with_what_was_recorded_before_there_were_names(
    store_of: Callable[..., WebhookStore], event_id: str
) -> None:
    with psycopg.connect(connection_string(), autocommit=True) as connection:
        connection.execute("INSERT INTO received_events VALUES (%s, 'a', now(), now())", (event_id,))
    assert store_of().claim(event_id, "b", 60) == "processed"
