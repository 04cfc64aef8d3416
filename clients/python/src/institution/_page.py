"""A page of a list."""

from __future__ import annotations

from typing import Generic, TypeVar

from institution._model import ListModel

Item = TypeVar("Item")


class Page(ListModel, Generic[Item]):
    """A page of a list."""

    items: list[Item]
    page: int | None
    """This page, from 1; None in an answer to a `cursor`."""
    limit: int
    """Items a page."""
    total: int | None
    """Items in all, exact; None in an answer to a `cursor`."""
    has_more: bool
    """Whether more items follow."""
    next_cursor: str | None
    """The `cursor` that reads on after these items; None at the end."""
