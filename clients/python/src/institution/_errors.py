"""The error of the client."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from institution.models import ErrorCode

Code = ErrorCode | Literal["no_answer", "unexpected_answer", "client_closed"] | str
"""A code of the API, or the client's own. Codes of later releases may come too."""


@dataclass(frozen=True)
class Issue:
    """A problem of one field."""

    path: str
    message: str


@dataclass(frozen=True)
class ExistingStudent:
    """The student who has a `student_id` already."""

    id: str
    login_email: str


class InstitutionError(Exception):
    """
    The API rejected the call (`code` is the reason), did not respond (`no_answer`), or a system in between sent a response
    that is not the API's (`unexpected_answer`). After these two a write may have been done: call again with its
    `idempotency_key`. With `client_closed` it was not sent. Decide by `code`, never by the message.
    """

    status: int
    """The HTTP status; 0 without a response."""
    code: Code
    issues: tuple[Issue, ...]
    """Of a `validation_error`: each problem with the path of its field."""
    request_id: str | None
    """What to quote to support; None without a response."""
    details: Mapping[str, Any]
    """The other fields of the response, also those of later releases."""
    retry_after: float | None
    """Seconds after which the same call may be sent again, as `Retry-After` says; None where nothing says it."""
    idempotency_key: str | None
    """
    Of a write: the key that it carried. The same call with it, within 24 hours, is done once, whether this one was done or
    not; None for a read.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: Code,
        issues: tuple[Issue, ...] = (),
        request_id: str | None = None,
        details: Mapping[str, Any] | None = None,
        retry_after: float | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.issues = issues
        self.request_id = request_id
        self.details = details or {}
        self.retry_after = retry_after
        self.idempotency_key = idempotency_key

    @property
    def message(self) -> str:
        """What went wrong, in words; `str(error)` has the request id behind it."""
        return str(self.args[0])

    @property
    def existing(self) -> ExistingStudent | None:
        """Of a `conflict` of a `student_id` that must be unique: the student who has it."""
        found = self.details.get("existing")
        if not isinstance(found, Mapping) or not all(isinstance(found.get(name), str) for name in ("id", "login_email")):
            return None
        return ExistingStudent(found["id"], found["login_email"])

    @property
    def required(self) -> tuple[str, ...]:
        """Of `insufficient_scope`: the scopes that the operation requires."""
        return self._texts("required")

    @property
    def missing(self) -> tuple[str, ...]:
        """Of `insufficient_scope`: those of them that the key lacks."""
        return self._texts("missing")

    @property
    def student_ids(self) -> tuple[str, ...]:
        """Of a `conflict` of turning on `unique_student_ids`: identifiers that several students have, up to 20."""
        return self._texts("student_ids")

    def _texts(self, name: str) -> tuple[str, ...]:
        found = self.details.get(name)
        return tuple(text for text in found if isinstance(text, str)) if isinstance(found, list) else ()

    def __str__(self) -> str:
        return self.message if self.request_id is None else f"{self.message} (request {self.request_id})"

    def __reduce__(self) -> tuple[Any, ...]:
        given = (self.status, self.code, self.issues, self.request_id, dict(self.details), self.retry_after)
        return _restore, (self.message, *given, self.idempotency_key)


def _restore(
    message: str,
    status: int,
    code: Code,
    issues: tuple[Issue, ...],
    request_id: str | None,
    details: Mapping[str, Any],
    retry_after: float | None,
    idempotency_key: str | None = None,
) -> InstitutionError:
    return InstitutionError(
        message,
        status=status,
        code=code,
        issues=issues,
        request_id=request_id,
        details=details,
        retry_after=retry_after,
        idempotency_key=idempotency_key,
    )
