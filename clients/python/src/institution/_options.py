"""What a client is made with."""

from __future__ import annotations

import ipaddress
import math
import re
from urllib.parse import urlsplit

from institution._retries import RetryOptions


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def require_base_url(base_url: object, *, allow_http: bool) -> str:
    """
    Returns the base URL without slashes at its end; raises a ValueError if it is not the URL of the API, or if anybody on
    the way could read the key. No message repeats the URL: it may hold a password, or be the key in the wrong place.
    """
    address = base_url.rstrip("/") if isinstance(base_url, str) else ""
    wrong = "base_url must be a URL that ends with /v1, such as https://api.example.com/v1" + (
        "" if address else "; it is empty"
    )
    # A parser of URLs leaves line breaks out, and calls would be sent with them.
    if re.fullmatch(r"[^\s\x00-\x1f\x7f?#]+", address) is None:
        raise ValueError(wrong)
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise ValueError(wrong) from None
    if parts.scheme not in ("http", "https") or not host or not parts.path.endswith("/v1"):
        raise ValueError(wrong)
    if "platform" in parts.path.split("/"):
        raise ValueError(
            "base_url is that of the platform API: the public API is served by another port or host, "
            "such as https://api.example.com/v1"
        )
    if "@" in parts.netloc:
        raise ValueError("base_url must not hold a user or a password")
    if parts.scheme == "http" and not allow_http and not _is_loopback(host):
        raise ValueError(
            "base_url must begin with https: over plain http anybody on the way could read the API key. "
            "allow_http=True takes it all the same"
        )
    return address


def require_api_key(api_key: object) -> str:
    """Returns the key; raises a ValueError, which never shows it, if it can be none."""
    if not isinstance(api_key, str) or not api_key:
        raise ValueError("api_key is empty: it must be an API key of the institution (svc_live_… or svc_test_…)")
    if re.match(r"(?i)Bearer\s", api_key) is not None:
        raise ValueError("api_key is the key alone, without Bearer: the client sends that")
    if re.fullmatch(r"[\x21-\x7e]+", api_key) is None:
        raise ValueError(
            "api_key holds blanks, line breaks or characters that no API key has: read from a file, it needs a strip()"
        )
    if re.match("wh(sec|pk)_", api_key) is not None:
        raise ValueError("api_key is the secret or the public key of an endpoint: API keys are svc_live_… or svc_test_…")
    if re.match("svc_(live|test)_", api_key) is None:
        raise ValueError("api_key is no API key: it must begin with svc_live_ or svc_test_")
    return api_key


def require_positive(name: str, given: object) -> float:
    """Returns a number of seconds or bytes; raises a ValueError unless it is above 0."""
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not math.isfinite(given) or given <= 0:
        raise ValueError(f"{name} must be a number above 0")
    return given


def require_retry_options(retry: RetryOptions) -> RetryOptions:
    """Returns how long calls go on; raises a ValueError for limits with which none could be made."""
    if isinstance(retry.tries, bool) or not isinstance(retry.tries, int) or retry.tries < 1:
        raise ValueError("tries must be a whole number, at least 1")
    require_positive("timeout", retry.timeout)
    require_positive("deadline", retry.deadline)
    return retry


def require_idempotency_key(key: object) -> str:
    """Returns a key; raises a ValueError for one that the API would refuse, or that cannot be sent."""
    if not isinstance(key, str) or re.fullmatch(r"[\x21-\x7e]{1,255}", key) is None:
        raise ValueError("idempotency_key must be 1 to 255 visible ASCII characters, without blanks")
    return key
