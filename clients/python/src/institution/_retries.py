"""When a call is sent again."""

from __future__ import annotations

import email.utils
import logging
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

BASE_DELAY = 1.0
CONFLICT = 409
RATE_LIMITED = 429
UNAVAILABLE = 503
LOST_STATUSES = frozenset((500, 502, 503, 504))
"""Statuses after which it is not known whether the call was done."""
NO_TLS = ("WRONG_VERSION_NUMBER", "PACKET_LENGTH_TOO_LONG", "RECORD_LAYER_FAILURE")
"""What OpenSSL says where the other side speaks no TLS."""

logger = logging.getLogger("institution")


@dataclass(frozen=True)
class RetryOptions:
    """How long a call goes on; all times in seconds."""

    tries: int = 5
    """How often it is tried in all."""
    timeout: float = 60.0
    """How long one try may take."""
    deadline: float = 120.0
    """How long all of them may take, the waits in between too."""


@dataclass(frozen=True)
class RawResponse:
    """A response, its body read to the end."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    spent: str = ""
    """How many tries its call took and how long, for a message; empty unless the call gives up on it."""


def reason_of(failure: Exception) -> str:
    """Returns why no response came, as the end of a sentence."""
    # With trio the error of httpx is empty, and what it comes from says more.
    chain: list[BaseException] = []
    behind: BaseException | None = failure
    while behind is not None and behind not in chain:
        chain.append(behind)
        behind = behind.__cause__ or behind.__context__
    texts = [str(one) for one in chain]
    reason = next(filter(None, texts), type(failure).__name__)
    return f"{reason} (does it speak http?)" if any(name in text for text in texts for name in NO_TLS) else reason


def backoff(nth: int) -> float:
    """Returns a delay that doubles each time; half of it is random, so that calls that failed together come apart."""
    return BASE_DELAY * 2.0 ** (nth - 1) * (0.5 + random.random() / 2)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Returns the seconds that `Retry-After` asks for, given in seconds or as a date."""
    value = headers.get("retry-after")
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return max(email.utils.parsedate_to_datetime(value).timestamp() - time.time(), 0.0)
    except (TypeError, ValueError):
        return None


@dataclass
class RetryRule:
    """
    The rule for the next try of one call. Every call waits on 429, and on 503 where `Retry-After` says so; otherwise only
    a call that may be repeated is sent again: a read, or a write with a key. After an answer was lost, a conflict may be
    the lost call's own, still under way: that is asked again, too. Waits that answers ask for do not make the others longer.
    """

    repeatable: bool
    _lost: bool = field(default=False, init=False)
    _chosen: int = field(default=0, init=False)

    def delay(self, response: RawResponse | None) -> float | None:
        """Returns the seconds before the next try, after one that ended so; None if there is none. Asked once for each."""
        if response is None:
            self._lost = True
            return self._again()
        asked = retry_after(response.headers)
        if response.status == RATE_LIMITED:
            return self._choose() if asked is None else asked
        if response.status == UNAVAILABLE and asked is not None:
            # Where the API asks for a wait it has done nothing.
            return asked
        if response.status in LOST_STATUSES:
            self._lost = True
            return self._again()
        return self._again() if self._lost and response.status == CONFLICT else None

    def _choose(self) -> float:
        self._chosen += 1
        return backoff(self._chosen)

    def _again(self) -> float | None:
        return self._choose() if self.repeatable else None


@dataclass
class Attempts:
    """Counts the tries of one call and the time that is left for them."""

    options: RetryOptions
    name: str
    """What messages call the call."""
    _begun: float = field(init=False)
    _deadline: float = field(init=False)
    number: int = field(default=0, init=False)
    _exceeds: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._begun = time.monotonic()
        self._deadline = self._begun + self.options.deadline

    def begin(self) -> float:
        """Counts a try; returns the moment, of `time.monotonic`, at which it ends."""
        self.number += 1
        now = time.monotonic()
        return now + min(self.options.timeout, max(self._deadline - now, 0.001))

    def allow(self, delay: float, response: RawResponse | None, failure: Exception | None) -> bool:
        """Returns whether there is another try after such a delay; logs why it is needed."""
        if self.number >= self.options.tries:
            return False
        self._exceeds = time.monotonic() + delay >= self._deadline
        if self._exceeds:
            return False
        lost = f"got no answer: {reason_of(failure or RuntimeError())}"
        why = lost if response is None else f"answered {response.status}"
        logger.info("%s %s; try %d of %d in %.1f s", self.name, why, self.number + 1, self.options.tries, delay)
        return True

    def over(self) -> bool:
        """Returns whether the time is used up."""
        self._exceeds = time.monotonic() >= self._deadline
        return self._exceeds

    def spent(self) -> str:
        """Returns how many tries there were and how long they took; with the deadline where that allows no other try."""
        tries = "1 try" if self.number == 1 else f"{self.number} tries"
        deadline = f" (another would exceed the deadline of {self.options.deadline:g} s)" if self._exceeds else ""
        return f" after {tries} in {time.monotonic() - self._begun:.1f} s{deadline}"
