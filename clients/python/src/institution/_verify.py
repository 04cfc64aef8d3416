"""Verification of webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, Protocol

from pydantic import TypeAdapter, ValidationError

from institution.models import Event

TOLERANCE_SECONDS = 300
SECRET_PREFIX = "whsec_"
PUBLIC_KEY_PREFIX = "whpk_"

_SIGNING_SECRET = re.compile(
    r"whsec_(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?|whpk_[A-Za-z0-9+/]{43}="
)
"""What the API returns as the `secret` of an endpoint, and as its `public_key`."""

Reason = Literal["signature_missing", "signature_invalid", "timestamp_invalid", "body_invalid"]
Secrets = str | Sequence[str]
"""The secret of an endpoint or its public key, or several: those of several endpoints, or the old and the new one."""


class Headers(Protocol):
    """The headers of a request: a mapping, or what a web framework has."""

    def items(self) -> Iterable[tuple[str, str]]: ...


HeaderPairs = Iterable[tuple[str, str] | tuple[bytes, bytes]]
"""The headers of a request as ASGI and WSGI servers have them: pairs."""


def _header_text(given: str | bytes) -> str:
    text = given.decode("latin-1") if isinstance(given, bytes) else given
    if not isinstance(text, str):
        raise TypeError
    return text


def _header_items(headers: Headers | HeaderPairs | str) -> dict[str, str]:
    """Returns the headers by their names in small letters."""
    if isinstance(headers, str):
        return {"x-svc-signature": headers}
    pairs: HeaderPairs = headers.items() if hasattr(headers, "items") else headers
    try:
        return {_header_text(name).lower(): _header_text(value) for name, value in pairs}
    except (TypeError, ValueError, AttributeError):
        raise TypeError("headers must be those of the request (request.headers), as a mapping or as pairs") from None


_MESSAGES: Mapping[Reason, str] = {
    "signature_missing": (
        "The request has no signature that can be verified: X-Svc-Signature or webhook-signature with a secret, "
        "webhook-signature with a public key."
    ),
    "signature_invalid": (
        "The signature does not match: check that the secret or the public key is that of this endpoint, "
        "and that the body is the bytes as they came."
    ),
    "timestamp_invalid": (
        "The signature matches, but its time differs by more than five minutes from the clock of this machine."
    ),
    "body_invalid": "The body is signed, but it is no event.",
}


class WebhookVerificationError(Exception):
    """The error of a request that must not be processed; `reason` says what is wrong with it."""

    reason: Reason

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{_MESSAGES[reason]}{detail}")
        self.reason = reason


def require_secrets(secret: object) -> tuple[str, ...]:
    """
    Returns the secrets and public keys; raises a ValueError where one is none, as from an unset variable of the
    environment, and an ImportError for a public key without the package that verifies it.
    """
    given = tuple(secret) if isinstance(secret, Iterable) and not isinstance(secret, str) else (secret,)
    if not given or None in given or "" in given:
        raise ValueError("secret is empty: it must be the endpoint's signing secret (whsec_…) or its public key (whpk_…)")
    if any(isinstance(one, str) and len(one.split()) > 1 and all(map(_SIGNING_SECRET.fullmatch, one.split())) for one in given):
        raise ValueError('secret holds several secrets in one text: split it, as in os.environ["WEBHOOK_SECRETS"].split()')
    if any(isinstance(one, str) and re.search(r"\s", one) for one in given):
        raise ValueError("secret holds a blank or a line break: read from a file, it needs a strip()")
    if any(isinstance(one, str) and re.match("svc_(live|test)_", one) for one in given):
        raise ValueError(
            "secret is an API key: it must be the endpoint's signing secret (whsec_…), which its creation answers, "
            "or its public key (whpk_…)"
        )
    secrets = tuple(one for one in given if isinstance(one, str) and _SIGNING_SECRET.fullmatch(one))
    if len(secrets) < len(given):
        raise ValueError(
            "secret must be the endpoint's signing secret, whsec_ and base64, or its public key, whpk_ and base64; "
            "several as a list"
        )
    for one in secrets:
        if _is_public_key(one):
            _public_key(one)
    return secrets


def _is_public_key(secret: str) -> bool:
    return secret.startswith(PUBLIC_KEY_PREFIX)


@lru_cache(maxsize=64)
def _public_key(key: str) -> Any:
    """Returns the Ed25519 key; the package that verifies is needed for public keys alone."""
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        raise ImportError("to verify with a public key: pip install cryptography") from None
    return Ed25519PublicKey.from_public_bytes(base64.b64decode(key.removeprefix(PUBLIC_KEY_PREFIX)))


def _has_key_signed(key: str, signatures: Iterable[bytes], message: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature

    for signature in signatures:
        try:
            _public_key(key).verify(signature, message)
        except InvalidSignature:
            continue
        return True
    return False


def require_bytes(raw_body: object) -> None:
    """Raises a TypeError for a body that somebody has read already: its signature is that of the bytes."""
    if not isinstance(raw_body, (bytes, bytearray)):
        raise TypeError("pass the raw bytes of the body: request.get_data(), not get_json()")


@lru_cache(maxsize=1)
def _events() -> TypeAdapter[Any]:
    return TypeAdapter(Event)


def _sign(key: bytes, *parts: bytes) -> bytes:
    return hmac.new(key, b".".join(parts), hashlib.sha256).digest()


def _service_timestamp(header: str, body: bytes, secrets: Sequence[str]) -> int | None:
    """Returns the time of an `X-Svc-Signature` that matches; None if none does."""
    stamp = re.search(r"(?:^|,)t=([0-9]{1,12})(?=,|\Z)", header)
    if stamp is None:
        return None
    signatures = [bytes.fromhex(one) for one in re.findall(r"(?:^|,)v1=([0-9a-f]{64})(?=,|\Z)", header)]
    for secret in secrets:
        expected = _sign(secret.encode(), stamp[1].encode(), body)
        if any(hmac.compare_digest(signature, expected) for signature in signatures):
            return int(stamp[1])
    return None


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _standard_timestamp(headers: Mapping[str, str], body: bytes, secrets: Sequence[str]) -> int | None:
    """Returns the time of a `webhook-signature` of Standard Webhooks that matches; None if none does."""
    message_id, stamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not message_id or re.fullmatch(r"[0-9]{1,12}", stamp) is None:
        return None
    try:
        # As WSGI servers pass bytes that are no UTF-8. Other halves of characters were never bytes.
        sent_id = message_id.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return None
    sent = [one.partition(",") for one in headers.get("webhook-signature", "").split(" ")]
    signatures = [_decode(value) for version, _, value in sent if version == "v1"]
    for secret in secrets:
        if _is_public_key(secret):
            key_signatures = [_decode(value) for version, _, value in sent if version == "v1a"]
            if _has_key_signed(secret, key_signatures, b".".join((sent_id, stamp.encode(), body))):
                return int(stamp)
            continue
        key = _decode(secret.removeprefix(SECRET_PREFIX))
        expected = _sign(key, sent_id, stamp.encode(), body)
        if key and any(hmac.compare_digest(signature, expected) for signature in signatures):
            return int(stamp)
    return None


def parse_event(raw_body: bytes) -> Event:
    """Returns the event of a body; raises WebhookVerificationError if it is none."""
    try:
        content = json.loads(raw_body)
    except (ValueError, RecursionError):
        raise WebhookVerificationError("body_invalid", " It is no JSON.") from None
    if not isinstance(content, dict):
        raise WebhookVerificationError("body_invalid", " It is no JSON object.")
    try:
        event: Event = _events().validate_python(content)
    except ValidationError as error:
        [first, *_] = error.errors(include_url=False, include_input=False)
        # The first part is the type that the event was read as.
        path = ".".join(str(part) for part in first["loc"][1:])
        raise WebhookVerificationError("body_invalid", f" {path}: {first['msg']}.") from None
    return event


def verify_webhook(
    raw_body: bytes, headers: Headers | HeaderPairs | str, secret: Secrets, *, now: float | None = None
) -> Event:
    """
    Returns the event of a webhook: its body was signed with the secret, or one of several, within the last five minutes.
    Raises WebhookVerificationError for everything else, a TypeError for a body that is not bytes, and a ValueError for a
    secret that is none.

    Args:
        raw_body: The bytes as they came, before any JSON parser.
        headers: The headers of the request, or the value of `X-Svc-Signature` alone. The headers of Standard Webhooks
            will do, too.
        secret: `whsec_…`, or several. In place of a secret, the endpoint's public key (`whpk_…`) verifies its Ed25519
            signatures; that needs the extra `ed25519` of this package.
        now: In Unix seconds; the time of this machine by default.
    """
    secrets = require_secrets(secret)
    require_bytes(raw_body)
    given = _header_items(headers)
    hmac_secrets = [one for one in secrets if not _is_public_key(one)]
    service = given.get("x-svc-signature") if hmac_secrets else None
    if not service and not given.get("webhook-signature"):
        raise WebhookVerificationError("signature_missing")
    found = (_service_timestamp(service or "", raw_body, hmac_secrets), _standard_timestamp(given, raw_body, secrets))
    stamps = [stamp for stamp in found if stamp is not None]
    if not stamps:
        raise WebhookVerificationError("signature_invalid")
    moment = time.time() if now is None else now
    if all(abs(moment - stamp) > TOLERANCE_SECONDS for stamp in stamps):
        raise WebhookVerificationError("timestamp_invalid")
    return parse_event(raw_body)
