"""What every answer is made of."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """An object of the API. Fields that a later release adds are kept, in `model_extra`."""

    model_config = ConfigDict(
        extra="allow", frozen=True, hide_input_in_errors=True, populate_by_name=True, protected_namespaces=()
    )
