"""What a client is made with, checked."""

from __future__ import annotations

import time
from typing import Any

from institution._hooks import Hooks
from institution._options import require_api_key, require_base_url, require_retry_options
from institution._request import Call, build_call
from institution._retries import RetryOptions
from institution._version import __version__


class Settings:
    """Where calls go, with which key, and how long they go on."""

    def __init__(self, base_url: str, api_key: str, retry: RetryOptions, allow_http: bool, hooks: Hooks) -> None:
        self.base_url = require_base_url(base_url, allow_http=allow_http)
        self.retry = require_retry_options(retry)
        self.allow_http = allow_http
        self.hooks = hooks
        self.api_key = require_api_key(api_key)

    def headers(self, call: Call) -> dict[str, str]:
        own = {"Authorization": f"Bearer {self.api_key}", "User-Agent": f"institution-python/{__version__}"}
        return {**call.headers, **own}

    def call(self, verb: str, path: str, /, **given: Any) -> Call:
        return build_call(
            self.base_url,
            verb,
            path,
            values=given.get("path"),
            query=given.get("query"),
            json_fields=given.get("json"),
            json_optional=given.get("json_optional", False),
            files=given.get("files"),
            texts=given.get("texts"),
            idempotency_key=given.get("idempotency_key"),
        )

    def arguments(self, call: Call, ends_at: float) -> dict[str, Any]:
        timeout = max(ends_at - time.monotonic(), 0.001)
        return {
            "method": call.verb,
            "url": call.url,
            "headers": self.headers(call),
            "content": call.content,
            "files": call.files,
            "data": call.texts,
            "timeout": timeout,
            # A redirect would make a GET of a POST, and take the key elsewhere.
            "follow_redirects": False,
        }
