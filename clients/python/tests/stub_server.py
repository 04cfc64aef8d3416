"""A server whose responses a test decides."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class StubRequest:
    """A request as the server got it."""

    method: str
    url: str
    headers: Message
    body: bytes
    at: float


Responder = Callable[[BaseHTTPRequestHandler], None]


def responds(status: int, body: Any, headers: dict[str, str] | None = None, kind: str = "application/json") -> Responder:
    """Returns a response."""

    def respond(handler: BaseHTTPRequestHandler) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        for name, value in {"Content-Type": kind, "X-Request-Id": "req_1", **(headers or {})}.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    return respond


def succeeds(data: Any) -> Responder:
    """Returns data as the API does."""
    return responds(200, {"success": True, "data": data})


def refuses(status: int, code: str, headers: dict[str, str] | None = None, **fields: Any) -> Responder:
    """Returns an error as the API does."""
    return responds(status, {"success": False, "error": code, "message": "Why.", **fields}, headers)


def closes_connection(handler: BaseHTTPRequestHandler) -> None:
    """Closes the connection without a word."""
    handler.close_connection = True


def truncates_response(handler: BaseHTTPRequestHandler) -> None:
    """Closes the connection before the body is complete."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"success":true,')
    handler.close_connection = True


class StubServer:
    """Gives the responses in their order; the last one repeats."""

    def __init__(self, responders: Sequence[Responder]) -> None:
        self.requests: list[StubRequest] = []
        self.released = threading.Event()
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def respond(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                responder = responders[min(len(stub.requests), len(responders) - 1)]
                stub.requests.append(StubRequest(self.command, self.path, self.headers, body, time.monotonic()))
                responder(self)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = respond

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread = threading.Thread(target=lambda: self._server.serve_forever(poll_interval=0.02), daemon=True)
        self._thread.start()

    def stays_silent(self, handler: BaseHTTPRequestHandler) -> None:
        """Never answers, until the test is over."""
        self.released.wait(30)
        handler.close_connection = True

    def drips(self, handler: BaseHTTPRequestHandler) -> None:
        """Sends a byte now and then, so that no read takes long."""
        handler.send_response(200)
        handler.send_header("Content-Length", "100000")
        handler.end_headers()
        while not self.released.wait(0.05):
            try:
                handler.wfile.write(b" ")
            except OSError:
                break
        handler.close_connection = True

    def keys(self) -> list[str | None]:
        """Returns the idempotency keys of the requests."""
        return [request.headers.get("Idempotency-Key") for request in self.requests]

    def close(self) -> None:
        """Ends the server."""
        self.released.set()
        self._server.shutdown()
        self._server.server_close()
