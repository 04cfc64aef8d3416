"""What a call is given in place of a field that is left out."""

from __future__ import annotations

import enum
from typing import Final


class Omit(enum.Enum):
    """The type of `OMIT`."""

    OMIT = "omit"

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "OMIT"


OMIT: Final = Omit.OMIT
"""A field that is left out, where `None` would be sent as null."""
