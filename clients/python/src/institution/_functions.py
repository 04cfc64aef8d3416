"""The functions that a handler of webhooks calls: what would lose events is refused when the handler is made."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping
from typing import Any, get_args

from institution.models import EventName

TYPES: tuple[str, ...] = get_args(EventName)


def _either(test: Callable[[Any], bool], function: Any) -> bool:
    """Whether a test holds for a function, or for the method by which an object is called."""
    return test(function) or test(getattr(function, "__call__", None))  # noqa: B004


def _require_callable(name: str, function: object) -> None:
    if not callable(function):
        raise TypeError(f"{name} must be a function")
    if _either(inspect.isgeneratorfunction, function) or _either(inspect.isasyncgenfunction, function):
        raise TypeError(f"{name} must not yield: nothing would run it")


def require_sync(name: str, function: object) -> None:
    """Raises a TypeError for a function that a call alone does not run."""
    _require_callable(name, function)
    if _either(inspect.iscoroutinefunction, function):
        raise TypeError(f"{name} is an async function, which nothing would await: use AsyncWebhookHandler")


def require_coroutine(name: str, function: object) -> None:
    """Raises a TypeError for everything but an async function."""
    _require_callable(name, function)
    if not _either(inspect.iscoroutinefunction, function):
        raise TypeError(f"{name} must be an async function: use WebhookHandler for others")


def require_async(name: str, function: object) -> None:
    """Raises a TypeError for a plain function, unless its annotation says that what it returns can be awaited."""
    _require_callable(name, function)
    if _either(inspect.iscoroutinefunction, function) or getattr(function, "__wrapped__", None) is not None:
        return
    plain = inspect.isbuiltin(function) or (
        (inspect.isfunction(function) or inspect.ismethod(function))
        and function.__name__ != "<lambda>"
        and function.__annotations__.get("return") in (None, "None")
    )
    if plain:
        require_coroutine(name, function)


def require_instance(store: object) -> None:
    """Raises a TypeError for the class of a store in its place: every event would be answered 503."""
    if isinstance(store, type):
        raise TypeError(f"store is a class: give an instance, {store.__name__}()")


def _require_type(name: object) -> None:
    if name in TYPES:
        return
    if "*" in str(name):
        raise ValueError(f'on takes exact types, and "{name}" is a pattern: on_event gets all events that on does not name')
    near = difflib.get_close_matches(str(name), TYPES, 1)
    meant = f"; did you mean {near[0]}?" if near else ":"
    raise ValueError(f'on: this client knows no event type "{name}"{meant} on_event gets those of later releases')


def require_functions(
    on: Mapping[Any, Any] | None, on_event: object, require: Callable[[str, object], None]
) -> dict[str, Callable[..., Any]]:
    """Returns the functions of `on`; raises a ValueError where there is none at all, or one for what is no type of events."""
    if not on and on_event is None:
        raise ValueError("give on_event or on: without a function every event would be answered 204 and lost")
    if on_event is not None:
        require("on_event", on_event)
    for name, function in (on or {}).items():
        _require_type(name)
        require(f'on["{name}"]', function)
    return dict(on or {})
