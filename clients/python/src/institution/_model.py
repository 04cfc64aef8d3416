"""What every answer is made of."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """An object of the API. Fields that a later release adds are kept, in `model_extra`."""

    model_config = ConfigDict(
        extra="allow", frozen=True, hide_input_in_errors=True, populate_by_name=True, protected_namespaces=()
    )

    def __iter__(self) -> Generator[tuple[str, Any], None, None]:
        """Yields the fields; a TypeError for a page, whose items are meant."""
        if "items" in type(self).model_fields:
            raise TypeError("A page is not iterable: use .items, or iter() in place of list() for the whole list")
        return super().__iter__()
