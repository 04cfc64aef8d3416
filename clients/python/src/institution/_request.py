"""What a call sends."""

from __future__ import annotations

import json
import math
import os
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote, urlencode

from institution._model import Model
from institution._omit import OMIT
from institution._options import require_idempotency_key

FileInput = bytes | str | os.PathLike[str] | IO[bytes] | tuple[str, bytes]
"""A file to upload: its bytes, its path, an open file, or a name with bytes."""

Fields = Mapping[str, Any]

PATH_VALUE = r"\{(\w+)\}"


@dataclass(frozen=True)
class Call:
    """One call of the API."""

    verb: str
    path: str
    """As the document spells it: `/students/{id}`."""
    url: str
    headers: Mapping[str, str]
    content: bytes | None
    files: Mapping[str, tuple[str, bytes]] | None
    texts: Mapping[str, str] | None
    """Of a form with files: its other parts."""
    repeatable: bool
    asked: str
    """What the message of a 404 calls it: with the values of its path, so that a loop knows which of them is missing."""

    @property
    def idempotency_key(self) -> str | None:
        """The key of a write; None for a read."""
        return self.headers.get("Idempotency-Key")

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"{self.verb} {self.path}"


def format_time(value: datetime, name: str = "a time") -> str:
    """Returns the time as the API spells it; a time without a zone is a ValueError that names its field."""
    if value.tzinfo is None:
        raise ValueError(f"{name} needs its time zone: use datetime.now(timezone.utc) or datetime(..., tzinfo=...)")
    precision = "milliseconds" if value.microsecond % 1000 == 0 else "microseconds"
    return value.astimezone(timezone.utc).replace(tzinfo=None).isoformat(timespec=precision) + "Z"


def _encode(value: object, name: str = "") -> object:
    """Returns what JSON can hold; a model becomes what was read. Anything else is an error that names its field."""
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{name} must be a finite number")
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, datetime):
        return format_time(value, name)
    if isinstance(value, Model):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(value, Mapping):
        return {key: _encode(item, f"{name}.{key}" if name else str(key)) for key, item in value.items() if item is not OMIT}
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)):
        return [_encode(item, f"{name}.{position}") for position, item in enumerate(value)]
    if isinstance(value, Decimal):
        raise TypeError(f"{name} takes no Decimal: give float(...)")
    known = "a text, a number, a list, a dict, a datetime or a model"
    wanted = "a datetime with its time zone" if isinstance(value, date) else known
    raise TypeError(f"{name} takes no {type(value).__name__}: give {wanted}")


def _query_text(value: object, name: str) -> str:
    encoded = _encode(value, name)
    if isinstance(encoded, (list, dict)):
        raise TypeError(f"{name} takes one value, no {type(value).__name__}")
    return ("true" if encoded else "false") if isinstance(encoded, bool) else str(encoded)


def build_url(base_url: str, path: str, values: Fields, query: Fields) -> str:
    """Returns the address of a call; a value of the path that is missing is a ValueError, so that nothing else is called."""

    def fill(match: re.Match[str]) -> str:
        value = values.get(match[1])
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{path}: {match[1]} takes a text, no {type(value).__name__}")
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise ValueError(f"{path} needs its {match[1]}")
        return quote(value, safe="")

    filled = re.sub(PATH_VALUE, fill, path)
    given = [(name, _query_text(value, name)) for name, value in query.items() if value is not None and value is not OMIT]
    return f"{base_url}{filled}{'?' if given else ''}{urlencode(given, quote_via=quote)}"


def _read_file(given: FileInput) -> tuple[str, bytes]:
    if isinstance(given, bytes):
        return "file", given
    if isinstance(given, tuple):
        return given
    if isinstance(given, (str, os.PathLike)):
        path = Path(given)
        return path.name, path.read_bytes()
    if not hasattr(given, "read"):
        raise TypeError("a file is given as bytes, a path, an open file, or a name with bytes")
    name = getattr(given, "name", None)
    return Path(name).name if isinstance(name, str) else "file", given.read()


def build_call(
    base_url: str,
    verb: str,
    path: str,
    *,
    values: Fields | None = None,
    query: Fields | None = None,
    json_fields: Fields | None = None,
    json_optional: bool = False,
    files: Fields | None = None,
    texts: Fields | None = None,
    idempotency_key: str | None = None,
) -> Call:
    """Returns a call, ready to be sent as often as needed; a write gets a new key unless one is given."""
    headers: dict[str, str] = {"Accept": "application/json, text/csv"}
    content: bytes | None = None
    if json_fields is not None:
        body = _encode(json_fields)
        if body or not json_optional:
            content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
            headers["Content-Type"] = "application/json"
    if verb != "GET":
        headers["Idempotency-Key"] = str(uuid.uuid4()) if idempotency_key is None else require_idempotency_key(idempotency_key)
    return Call(
        verb=verb,
        path=path,
        url=build_url(base_url, path, values or {}, query or {}),
        headers=headers,
        content=content,
        files=None if files is None else {name: _read_file(value) for name, value in files.items() if value is not OMIT},
        texts=None if texts is None else {name: _query_text(value, name) for name, value in texts.items() if value is not OMIT},
        repeatable=True,
        asked=f"{verb} {re.sub(PATH_VALUE, lambda match: str((values or {})[match[1]]), path)}",
    )
