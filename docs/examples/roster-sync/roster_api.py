"""Calls of the Institution API, with BASE_URL and API_KEY from the environment; the standard library alone."""

import http.client
import json
import os
import re
import time
import urllib.parse
import urllib.request

BASE_URL = os.environ.get("BASE_URL", "").rstrip("/")
API_KEY = os.environ.get("API_KEY", "")
if not API_KEY or not BASE_URL.endswith("/v1"):
    raise SystemExit("BASE_URL is the address of the API and ends with /v1." if API_KEY else "Set API_KEY.")
if re.fullmatch(r"svc_(live|test)_[\x21-\x7e]+", API_KEY) is None:
    raise SystemExit("Correct API_KEY and BASE_URL: API_KEY must begin with svc_live_ or svc_test_, and holds no blanks.")
TRIES = 5


class Refused(Exception):
    """An answer with an error."""

    def __init__(self, status, answer):
        super().__init__(f"{status} {answer.get('error')}: {answer.get('message')}")
        self.status = status
        self.code = answer.get("error")


class NoAnswer(Exception):
    """No answer came, however often the call was sent."""


class EveryAnswer(urllib.request.HTTPErrorProcessor):
    """Returns answers of every status, and follows no redirect."""

    def http_response(self, request, response):
        return response

    https_response = http_response


opener = urllib.request.build_opener(EveryAnswer)


def call(method, path, body=None, key=None, **query):
    """Makes a call, again where no answer came or the service asks to wait, and returns its data."""
    url = BASE_URL + path + ("?" + urllib.parse.urlencode(query) if query else "")
    headers = {"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json", **({"Idempotency-Key": key} if key else {})}
    sent = urllib.request.Request(url, None if body is None else json.dumps(body).encode(), headers, method=method)
    lost = False
    for tries_left in reversed(range(TRIES)):
        wait = 2 ** (TRIES - 2 - tries_left) if tries_left else 0
        try:
            with opener.open(sent, timeout=60) as response:
                status, answer = response.status, response.read()
            if status in (429, 502, 503, 504) and tries_left:
                lost = lost or status != 429
                time.sleep(float(response.headers.get("Retry-After") or wait))
                continue
            answer = json.loads(answer)
        except (OSError, http.client.HTTPException, ValueError) as error:
            # A broken connection, or half an answer. A write has a key, so that it is done once.
            if not tries_left:
                raise NoAnswer(f"{method} {path}: {error}") from error
            lost = True
            time.sleep(wait)
            continue
        if status == 200:
            return answer["data"]
        # After an answer that was lost, a conflict may be of the first call, which is still under way.
        if status != 409 or not lost or not tries_left:
            raise Refused(status, answer)
        time.sleep(wait)


def walk(path, **query):
    """Every item of a list, by cursor."""
    cursor = ""
    while cursor is not None:
        page = call("GET", path, limit=200, cursor=cursor, **query)
        yield from page["items"]
        cursor = page["next_cursor"]
