"""Answers that do not wait for work that takes too long."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import anyio

Answer = TypeVar("Answer")

_tasks: set[asyncio.Task[None]] = set()
"""Tasks that go on: the event loop alone would forget them."""


def answer_in_thread(work: Callable[[], Answer], seconds: float, late: Answer) -> Answer:
    """Returns what the work returns, or `late` after the time; the work goes on in its thread."""
    answers: list[Answer] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(work())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=contextvars.copy_context().run, args=(run,), daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    return answers[0] if answers else late


def _start(run: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Starts a task that outlives its caller."""
    if not issubclass(anyio.get_cancelled_exc_class(), asyncio.CancelledError):
        import trio

        trio.lowlevel.spawn_system_task(run, context=contextvars.copy_context())
        return
    task = asyncio.get_running_loop().create_task(run())
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


async def answer_in_task(work: Callable[[], Awaitable[Answer]], seconds: float, late: Answer) -> Answer:
    """Returns what the work returns, or `late` after the time; the work goes on. A cancelled caller cancels it."""
    answers: list[Answer] = []
    scope, ended = anyio.CancelScope(), anyio.Event()

    async def run() -> None:
        try:
            with scope:
                answers.append(await work())
        finally:
            ended.set()

    _start(run)
    try:
        with anyio.move_on_after(seconds):
            await ended.wait()
    except BaseException:
        scope.cancel()
        with anyio.CancelScope(shield=True):
            await ended.wait()
        raise
    return answers[0] if answers else late
