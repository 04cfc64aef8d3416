"""What every answer is made of."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """An object of the API. Fields that a later release adds are kept, in `model_extra`."""

    model_config = ConfigDict(
        extra="allow", frozen=True, hide_input_in_errors=True, populate_by_name=True, protected_namespaces=()
    )


if TYPE_CHECKING:

    class UseItemsOfThePage:
        """What type checkers name where a program iterates over a page in place of its `items`."""

    class ListModel(Model):
        """An answer with `items`, over which it is not iterable itself."""

        __iter__: UseItemsOfThePage  # type: ignore[assignment]

else:

    class ListModel(Model):
        """An answer with `items`, over which it is not iterable itself."""

        def __iter__(self) -> Generator[tuple[str, Any], None, None]:
            raise TypeError("A page is not iterable: use .items, or iter() in place of list() for the whole list")
