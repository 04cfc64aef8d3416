"""What a call returns."""

from __future__ import annotations

import json
from typing import Any, NoReturn, TypeVar
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from institution._errors import Code, InstitutionError, Issue
from institution._request import Call
from institution._retries import RawResponse, reason_of, retry_after

Answer = TypeVar("Answer")

OK = 200
NOT_FOUND = 404
SHOWN_ISSUES = 5


def _is_json(response: RawResponse) -> bool:
    return response.headers.get("content-type", "").startswith("application/json")


def _parse(response: RawResponse) -> object:
    if not _is_json(response):
        return None
    try:
        return json.loads(response.body)
    except ValueError:
        return None


def code_of(response: RawResponse) -> Code:
    """Returns the code of a response that is an error."""
    body = _parse(response)
    found = body.get("error") if isinstance(body, dict) else None
    return found if isinstance(found, str) else "unexpected_answer"


def _issues(given: object) -> tuple[Issue, ...]:
    found = given if isinstance(given, list) else []
    fields = [issue for issue in found if isinstance(issue, dict)]
    return tuple(Issue(str(issue.get("path", "")), str(issue.get("message", ""))) for issue in fields)


def _key_note(call: Call) -> str:
    """Names the key of a write that may have been done: a log may have the message alone."""
    return "" if call.idempotency_key is None else f"; its idempotency_key is {call.idempotency_key}"


def _unexpected(call: Call, response: RawResponse, why: str, cause: Exception | None = None) -> NoReturn:
    raise InstitutionError(
        f"{call.name} answered {response.status}{response.spent}, and {why}{_key_note(call)}",
        status=response.status,
        code="unexpected_answer",
        request_id=response.headers.get("x-request-id"),
        retry_after=retry_after(response.headers),
        idempotency_key=call.idempotency_key,
    ) from cause


def _answerer(response: RawResponse) -> str:
    """Returns what says who answered in place of the API: the host of a redirect, the type of the content."""
    try:
        host = urlsplit(response.headers.get("location", "")).netloc.rpartition("@")[2]
    except ValueError:
        host = ""
    kind = response.headers.get("content-type", "").partition(";")[0].strip()
    return f": a redirect to {host}" if host else f": {kind}" if kind else ""


def _message(given: object, issues: tuple[Issue, ...]) -> str:
    """Returns what the API says; where it says how many more problems there are, up to five of them by name."""
    message, summary = str(given or ""), f" (and {len(issues) - 1} more)"
    if len(issues) < 2 or not message.endswith(summary):
        return message
    others = [f"{issue.path}: {issue.message}" for issue in issues[1:SHOWN_ISSUES]]
    shown = "; ".join([message.removesuffix(summary), *others])
    more = len(issues) - SHOWN_ISSUES
    return f"{shown} (and {more} more)" if more > 0 else shown


def _raise_refusal(call: Call, response: RawResponse, body: object) -> NoReturn:
    if not isinstance(body, dict) or not isinstance(body.get("error"), str):
        _unexpected(call, response, f"not as the API does{_answerer(response)}")
    known = ("success", "error", "message", "issues")
    issues = _issues(body.get("issues"))
    name = call.asked if response.status == NOT_FOUND else call.name
    raise InstitutionError(
        f"{name} answered {response.status} {body['error']}{response.spent}: {_message(body.get('message'), issues)}",
        status=response.status,
        code=body["error"],
        issues=issues,
        request_id=response.headers.get("x-request-id"),
        retry_after=retry_after(response.headers),
        idempotency_key=call.idempotency_key,
        details={key: value for key, value in body.items() if key not in known},
    )


def require_open(call: Call, is_closed: bool) -> None:
    """Raises InstitutionError for a call of a client whose connections are closed."""
    if is_closed:
        message = f"{call.name} was not sent: this client is closed. Make a new one, or call it before its `with` block ends"
        raise InstitutionError(message, status=0, code="client_closed", idempotency_key=call.idempotency_key)


def no_answer(call: Call, base_url: str, spent: str, cause: Exception) -> InstitutionError:
    """Returns the error of a call without a response."""
    message = f"{call.name} got no answer from {base_url}{spent}: {reason_of(cause)}{_key_note(call)}"
    error = InstitutionError(message, status=0, code="no_answer", idempotency_key=call.idempotency_key)
    error.__cause__ = cause
    return error


def read_text(call: Call, response: RawResponse) -> str:
    """Returns the text of a file; raises InstitutionError for everything else."""
    if response.status == OK and not _is_json(response):
        return response.body.decode("utf-8")
    _raise_refusal(call, response, _parse(response))


def read_data(call: Call, response: RawResponse, adapter: TypeAdapter[Answer]) -> Answer:
    """Returns the `data` of an answer; raises InstitutionError for everything else."""
    body: Any = _parse(response)
    if response.status != OK or not isinstance(body, dict) or body.get("success") is not True or "data" not in body:
        _raise_refusal(call, response, body)
    try:
        return adapter.validate_python(body["data"])
    except ValidationError as error:
        _unexpected(call, response, "its data is not what this release of the client knows", error)
