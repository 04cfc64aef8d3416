"""What is sent, what comes back, and when a call is sent again."""

from __future__ import annotations

import logging
import pickle
import re
import socketserver
import threading
import time
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, cast

import pytest
from conftest import API_KEY, Caller
from stub_server import closes_connection, refuses, responds, succeeds, truncates_response

from institution import OMIT, AsyncInstitution, ExistingStudent, Institution, InstitutionError, Issue
from institution._retries import backoff
from institution.models import Issue as ReadIssue

STUDENT: dict[str, Any] = {
    "id": "stu_1",
    "email": "a@north.example",
    "login_email": "a@north.example",
    "user_type": "institution_student",
    "full_name": "Ada",
    "student_id": None,
    "status": "pending",
    "personal_email_mapped": False,
    "license": {
        "id": "lic_1",
        "status": "active",
        "license_type": "student",
        "expires_at": "2027-11-20T09:30:00.000Z",
        "is_lifetime": False,
    },
    "created_at": "2026-11-20T09:30:00.123Z",
    "updated_at": "2026-11-20T09:30:00.123Z",
    "erased_at": None,
}
PAGE: dict[str, Any] = {"page": None, "limit": 200, "total": None, "has_more": False, "next_cursor": None}
STORED = {
    "ref": "file_1",
    "file": {"id": "file_1"},
    "filename": "tests.zip",
    "content_type": "application/zip",
    "size": 3,
    "sha256": "ab",
}


def create(client: Any) -> Any:
    return client.students.create(full_name="Ada")


def refusal(caller: Any, make: Any) -> InstitutionError:
    with pytest.raises(InstitutionError) as raised:
        caller.call(make)
    return raised.value


class TestRequests:
    def test_carry_the_path_escaped_the_query_and_a_json_body(self, stub: Any, asked: Any) -> None:
        server = stub([succeeds(STUDENT)])
        caller = asked(server)
        caller.call(lambda client: client.students.get("a/b c@north.example"))
        caller.call(lambda client: client.students.update("stu_1", full_name="Zoë", student_id=None))
        caller.call(lambda client: client.students.suspend("stu_1"))
        sent = [(one.method, one.url, one.body.decode()) for one in server.requests]
        assert sent == [
            ("GET", "/v1/students/a%2Fb%20c%40north.example", ""),
            ("PATCH", "/v1/students/stu_1", '{"full_name":"Zoë","student_id":null}'),
            ("POST", "/v1/students/stu_1/suspend", ""),
        ]
        assert {one.headers["Authorization"] for one in server.requests} == {f"Bearer {API_KEY}"}

    def test_leave_out_what_is_not_given_and_spell_times_as_the_api_does(self, stub: Any, asked: Any) -> None:
        server = stub([succeeds({"items": [], **PAGE})])
        since = datetime(2026, 11, 20, 10, 30, 0, 123000, tzinfo=timezone(timedelta(hours=1)))
        asked(server).call(lambda client: client.students.list(student_id="SIS&1", updated_since=since, limit=5))
        assert server.requests[0].url == "/v1/students?student_id=SIS%261&updated_since=2026-11-20T09%3A30%3A00.123Z&limit=5"

    def test_send_models_that_were_read_and_name_the_field_of_what_json_cannot_hold(self, stub: Any, asked: Any) -> None:
        server = stub([succeeds(STUDENT)])
        caller = asked(server)
        issue = ReadIssue.model_validate({"path": "v", "message": "must be 1", "added": [1]})
        caller.call(lambda client: client.students.update("stu_1", full_name=issue))
        assert server.requests[0].body == b'{"full_name":{"path":"v","message":"must be 1","added":[1]}}'
        for value, wanted in (
            (date(2026, 12, 1), "student_id takes no date: give a datetime with its time zone"),
            ({"a"}, "student_id takes no set: give a text, "),
            ([{"at": b""}], "student_id.0.at takes no bytes: give a text, "),
        ):
            with pytest.raises(TypeError, match=re.escape(wanted)):
                caller.call(lambda client, value=value: client.students.update("stu_1", student_id=value))
        with pytest.raises(ValueError, match=r"student_id\.0 must be a finite number"):
            caller.call(lambda client: client.students.update("stu_1", student_id=[float("nan")]))
        with pytest.raises(TypeError, match="a file is given as bytes, a path"):
            caller.call(lambda client: client.exams.upload_file("exm_1", file=5))
        with pytest.raises(TypeError, match=re.escape("since takes no set")):
            caller.call(lambda client: client.events.list(since={1}))
        assert len(server.requests) == 1

    def test_send_nothing_for_a_body_that_may_be_left_out(self, stub: Any, asked: Any) -> None:
        server = stub([succeeds(STUDENT)])
        caller = asked(server)
        caller.call(lambda client: client.students.update("stu_1", full_name=OMIT))
        caller.call(lambda client: client.students.create())
        assert [one.body for one in server.requests] == [b"", b"{}"]

    def test_are_not_made_where_a_value_of_the_path_is_missing_or_a_time_has_no_zone(self, stub: Any, asked: Any) -> None:
        server = stub([succeeds(STUDENT)])
        for value in ("", ".", ".."):
            with pytest.raises(ValueError, match="needs its id"):
                asked(server).call(lambda client, value=value: client.students.get(value))
        with pytest.raises(ValueError, match="updated_since needs its time zone"):
            asked(server).call(lambda client: client.students.list(updated_since=datetime(2026, 1, 1)))
        assert server.requests == []

    def test_say_that_a_value_of_the_path_is_a_text(self, stub: Any, asked: Any) -> None:
        server = stub([succeeds(STUDENT)])
        with pytest.raises(TypeError, match=re.escape("/students/{id}: id takes a text, no int")):
            asked(server).call(lambda client: client.students.get(5))
        with pytest.raises(ValueError, match="needs its id"):
            asked(server).call(lambda client: client.students.get(None))
        assert server.requests == []

    def test_say_that_a_decimal_is_sent_as_a_float(self, stub: Any, asked: Any) -> None:
        server = stub([succeeds(STUDENT)])
        with pytest.raises(TypeError, match=re.escape("score takes no Decimal: give float(...)")):
            asked(server).call(lambda client: client.submissions.grade("sub_1", score=Decimal("8.5")))
        assert server.requests == []

    def test_write_with_a_new_key_or_the_callers_and_read_without(self, stub: Any, asked: Any) -> None:
        server = stub([succeeds(STUDENT)])
        caller = asked(server)
        caller.call(create)
        caller.call(create)
        caller.call(lambda client: client.students.create(idempotency_key="roster/1"))
        caller.call(lambda client: client.students.get("stu_1"))
        first, second, third, fourth = server.keys()
        assert first
        assert first != second
        assert (third, fourth) == ("roster/1", None)

    def test_upload_the_same_file_again_where_no_answer_came(self, stub: Any, asked: Any, quick: None, tmp_path: Path) -> None:
        server = stub([closes_connection, succeeds(STORED)])
        path = tmp_path / "tests.zip"
        path.write_bytes(b"abc")
        with path.open("rb") as opened:
            asked(server).call(lambda client: client.exams.upload_file("exm_1", file=opened))
        assert len(server.requests) == 2
        for one in server.requests:
            assert one.headers["Content-Type"].startswith("multipart/form-data; boundary=")
            assert b'name="file"; filename="tests.zip"' in one.body
            assert b"\r\n\r\nabc\r\n" in one.body
        assert server.keys()[0] == server.keys()[1]

    def test_upload_bytes_a_path_and_a_name_with_bytes(self, stub: Any, asked: Any, tmp_path: Path) -> None:
        server = stub([succeeds(STORED)])
        path = tmp_path / "one.zip"
        path.write_bytes(b"abc")
        for given in (b"abc", path, ("two.zip", b"abc")):
            asked(server).call(lambda client, given=given: client.exams.upload_file("exm_1", file=given))
        names = [b"file", b"one.zip", b"two.zip"]
        assert all(b'filename="' + name + b'"' in one.body for name, one in zip(names, server.requests, strict=True))


def refused(**options: Any) -> str:
    """Returns why no client can be made, and both clients say the same."""
    given: dict[str, Any] = {"base_url": "https://api.example.com/v1", "api_key": API_KEY, **options}
    messages = []
    for kind in (Institution, AsyncInstitution):
        with pytest.raises(ValueError, match=r"^(base_url|api_key|tries|timeout|deadline) ") as raised:
            kind(**given)
        messages.append(str(raised.value))
    assert messages[0] == messages[1]
    return messages[0]


NO_URLS = [
    *("https://api.example.com", "https://api.example.com/v2", "api.example.com/v1", "", None, "ftp://api.example.com/v1"),
    *("https://api.example.com/v1?a=/v1", "https://api.example.com/v1#/v1", "https://api.example.com/v1\n", "https:///v1"),
    *("https://api.example.com/v1 ", "https://api.example.com:a/v1"),
]


@pytest.mark.parametrize("base_url", NO_URLS)
def test_a_base_url_that_is_not_the_apis_is_refused(base_url: Any) -> None:
    assert "ends with /v1" in refused(base_url=base_url)


@pytest.mark.parametrize("base_url", ["https://api.example.com/platform/v1", "http://localhost:4001/platform/v1/"])
def test_the_base_url_of_the_platform_api_is_refused(base_url: str) -> None:
    assert refused(base_url=base_url) == (
        "base_url is that of the platform API: the public API is served by another port or host, "
        "such as https://api.example.com/v1"
    )


@pytest.mark.parametrize(
    "base_url", [f"https://api.example.com/v1?{API_KEY}", f"https://{API_KEY}@api.example.com/v1", API_KEY]
)
def test_a_refused_base_url_is_not_shown(base_url: str) -> None:
    assert API_KEY not in refused(base_url=base_url)


@pytest.mark.parametrize("host", ["api.example.com", "192.168.1.5:4000", "localhost.example.com", "[2001:db8::1]"])
def test_http_is_refused_but_to_this_machine_or_where_it_is_allowed(host: str) -> None:
    assert refused(base_url=f"http://{host}/v1").startswith("base_url must begin with https")
    Institution(base_url=f"http://{host}/v1", api_key=API_KEY, allow_http=True).with_options(tries=1)
    for local in ("localhost", "127.0.0.1:4000", "[::1]:4000"):
        Institution(base_url=f"http://{local}/v1", api_key=API_KEY)


@pytest.mark.parametrize("api_key", [f"{API_KEY}\n", f" {API_KEY}", f"{API_KEY} x", f"{API_KEY}é"])
def test_a_key_with_blanks_or_other_characters_is_refused_and_not_shown(api_key: str) -> None:
    message = refused(api_key=api_key)
    assert message.startswith("api_key holds blanks")
    assert API_KEY not in message


def test_a_key_behind_bearer_is_refused_with_what_to_leave_out() -> None:
    assert refused(api_key=f"Bearer {API_KEY}") == "api_key is the key alone, without Bearer: the client sends that"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("tries", value) for value in (0, -1, 1.5, "3", None)),
        *((name, value) for name in ("timeout", "deadline") for value in (0, -1, "a")),
    ],
)
def test_limits_with_which_no_call_could_be_made_are_refused(name: str, value: Any) -> None:
    assert refused(**{name: value}).startswith(f"{name} must be")


@pytest.mark.parametrize("key", ["", "roster/José", "a b", "a\n", "k" * 256])
def test_an_idempotency_key_that_the_api_would_refuse_is_not_sent(stub: Any, asked: Any, key: str) -> None:
    server = stub([succeeds(STUDENT)])
    with pytest.raises(ValueError, match="idempotency_key must be 1 to 255 visible ASCII characters"):
        asked(server).call(lambda client: client.students.create(idempotency_key=key))
    assert server.requests == []


def test_a_page_is_not_iterable_as_its_items_are_meant(stub: Any, asked: Any) -> None:
    students = asked(stub([succeeds({**PAGE, "items": [STUDENT]})])).call(lambda client: client.students.list())
    events = asked(stub([succeeds({"items": [], "has_more": False, "next_since": None})])).call(
        lambda client: client.events.list()
    )
    for page in (students, events):
        with pytest.raises(TypeError, match=r"use \.items, or iter\(\)"):
            iter(page)
    assert dict(students.items[0])["id"] == "stu_1"


def test_a_base_url_may_end_with_a_slash(stub: Any) -> None:
    server = stub([succeeds(STUDENT)])
    with Institution(base_url=f"{server.base_url}/", api_key=API_KEY) as client:
        client.students.get("stu_1")
    assert server.requests[0].url == "/v1/students/stu_1"


def test_a_list_in_a_query_is_refused_before_a_call(stub: Any) -> None:
    server = stub([succeeds(STUDENT)])
    with (
        Institution(base_url=server.base_url, api_key=API_KEY) as client,
        pytest.raises(TypeError, match="type takes one value, no list"),
    ):
        client.events.list(type=cast(Any, ["student.*", "license.*"]))
    assert server.requests == []


def test_an_empty_key_is_refused() -> None:
    with pytest.raises(ValueError, match="api_key"):
        Institution(base_url="https://api.example.com/v1", api_key="")


def test_the_secret_of_an_endpoint_in_place_of_a_key_is_refused() -> None:
    for secret in ("whsec_b3RoZXI=", "whpk_b3RoZXI="):
        assert refused(api_key=secret) == (
            "api_key is the secret or the public key of an endpoint: API keys are svc_live_… or svc_test_…"
        )


def test_a_text_that_is_no_key_is_refused() -> None:
    for text in ("svc_staff_b3RoZXI", "Bearer", "sk_live_b3RoZXI"):
        assert refused(api_key=text) == "api_key is no API key: it must begin with svc_live_ or svc_test_"


class TestAnswers:
    def test_are_models_with_times_and_numbers(self, stub: Any, asked: Any) -> None:
        student = asked(stub([succeeds(STUDENT)])).call(create)
        assert student.created_at == datetime(2026, 11, 20, 9, 30, 0, 123000, tzinfo=timezone.utc)
        assert (student.full_name, student.student_id, student.license.is_lifetime) == ("Ada", None, False)

    def test_may_have_fields_and_values_of_a_later_release(self, stub: Any, asked: Any) -> None:
        later = {**STUDENT, "status": "graduated", "house": {"name": "North"}, "license": {**STUDENT["license"], "seats": 3}}
        student = asked(stub([succeeds(later)])).call(create)
        assert student.status == "graduated"
        assert student.model_extra == {"house": {"name": "North"}}
        assert student.license.model_extra == {"seats": 3}

    def test_may_have_events_of_a_later_release(self, stub: Any, asked: Any) -> None:
        envelope = {"id": "evt_1", "created_at": "2026-11-20T09:30:00.123Z", "institution_id": "ins_1"}
        known = {**envelope, "type": "student.email_mapped", "data": {"student_id": "stu_1", "by": "portal"}, "trace": 1}
        later = {**envelope, "type": "pupil.graduated", "data": {"honours": ["maths"]}}
        server = stub([succeeds({"items": [known, later], "has_more": False, "next_since": None})])
        first, second = asked(server).call(lambda client: client.events.list()).items
        assert (type(first).__name__, first.data.student_id, first.data.model_extra) == (
            "StudentEmailMappedEvent",
            "stu_1",
            {"by": "portal"},
        )
        assert (type(second).__name__, second.type, second.data) == ("UnknownEvent", "pupil.graduated", {"honours": ["maths"]})

    def test_tell_created_students_from_failed_ones(self, stub: Any, asked: Any) -> None:
        results = [
            {"index": 0, "id": "stu_1", "login_email": "a@north.example"},
            {"index": 1, "error": "validation_error", "message": "Why."},
            {"index": 2, "state": "later"},
        ]
        server = stub([succeeds({"created": 1, "failed": 1, "results": results})])
        answer = asked(server).call(lambda client: client.students.create_bulk(students=[{}]))
        assert [type(one).__name__ for one in answer.results] == ["BulkStudentCreated", "BulkStudentFailed", "dict"]


class TestErrors:
    def test_have_status_code_issues_request_id_and_details(self, stub: Any, asked: Any) -> None:
        issues = [{"path": "license_days", "message": "must be a number"}]
        server = stub([refuses(422, "validation_error", issues=issues, existing={"id": "stu_9"})])
        error = refusal(asked(server), create)
        assert (error.status, error.code, error.request_id) == (422, "validation_error", "req_1")
        assert error.issues == (Issue("license_days", "must be a number"),)
        assert error.details == {"existing": {"id": "stu_9"}}
        assert str(error) == "POST /students answered 422 validation_error: Why. (request req_1)"
        assert len(server.requests) == 1

    def test_name_up_to_five_problems(self, stub: Any, asked: Any) -> None:
        def refused(number: int, message: str) -> str:
            issues = [{"path": f"field_{nth}", "message": "is wrong"} for nth in range(number)]
            return str(refusal(asked(stub([refuses(422, "validation_error", issues=issues, message=message)])), create))

        begin = "POST /students answered 422 validation_error: "
        three = "field_0 is wrong; field_1: is wrong; field_2: is wrong"
        assert refused(1, "field_0 is wrong") == f"{begin}field_0 is wrong (request req_1)"
        assert refused(3, "field_0 is wrong (and 2 more)") == f"{begin}{three} (request req_1)"
        assert refused(7, "field_0 is wrong (and 6 more)").endswith("; field_4: is wrong (and 2 more) (request req_1)")
        assert refused(3, "Choose others.") == f"{begin}Choose others. (request req_1)"

    def test_of_404_name_what_was_asked_for(self, stub: Any, asked: Any) -> None:
        error = refusal(asked(stub([refuses(404, "user_not_found")])), lambda client: client.students.get("ada@north.example"))
        assert str(error) == "GET /students/ada@north.example answered 404 user_not_found: Why. (request req_1)"

    def test_ask_whether_http_is_spoken_where_tls_is_not(self, manner: str) -> None:
        class PlainHttp(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                self.request.recv(65536)
                self.request.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")

        with socketserver.TCPServer(("127.0.0.1", 0), PlainHttp) as server:
            threading.Thread(target=server.handle_request, daemon=True).start()
            url = f"https://127.0.0.1:{server.server_address[1]}/v1"
            error = refusal(Caller(manner, url, API_KEY, {"tries": 1}), lambda client: client.meta.describe_key())
        assert error.code == "no_answer"
        assert str(error).endswith(" (does it speak http?)")

    def test_of_a_scope_name_those_required_and_missing_and_of_identifiers_the_shared_ones(self, stub: Any, asked: Any) -> None:
        server = stub(
            [
                refuses(403, "insufficient_scope", required=["faculty:write"], missing=["faculty:write"]),
                refuses(409, "conflict", existing={"id": "stu_1", "login_email": "a@north.example"}),
                refuses(409, "conflict", student_ids=["SIS-7"], existing={"id": 7}),
            ]
        )
        scope, taken, shared = (refusal(asked(server), create) for _ in range(3))
        assert (scope.required, scope.missing) == (("faculty:write",), ("faculty:write",))
        assert taken.existing == ExistingStudent("stu_1", "a@north.example")
        assert (shared.student_ids, shared.existing, shared.missing) == (("SIS-7",), None, ())

    def test_go_through_pickle(self) -> None:
        error = InstitutionError("Why.", status=409, code="conflict", request_id="req_1", details={"existing": {}})
        copy = pickle.loads(pickle.dumps(error))
        assert (str(copy), copy.message, copy.status, copy.code) == ("Why. (request req_1)", "Why.", 409, "conflict")
        assert copy.details == {"existing": {}}

    @pytest.mark.parametrize(
        ("responder", "status"),
        [
            (responds(404, b"<h1>Lost</h1>", kind="text/html"), 404),
            (responds(301, b"", {"Location": "https://elsewhere.example/"}), 301),
            (responds(200, {"welcome": True}), 200),
            (responds(200, b"{broken"), 200),
            (responds(200, b"<h1>Sign in</h1>", kind="text/html"), 200),
            (succeeds({"id": 7}), 200),
        ],
    )
    def test_say_where_the_answer_is_not_the_apis(self, stub: Any, asked: Any, responder: Any, status: int) -> None:
        server = stub([responder])
        error = refusal(asked(server), create)
        assert (error.status, error.code) == (status, "unexpected_answer")
        assert len(server.requests) == 1

    def test_never_show_the_key(self, stub: Any, asked: Any) -> None:
        error = refusal(asked(stub([closes_connection]), tries=1), create)
        assert error.code == "no_answer"
        assert API_KEY not in f"{error!r} {error} {error.__cause__!r} {vars(error)}"


class TestRetries:
    @pytest.mark.parametrize("status", [429, 503])
    def test_wait_as_retry_after_says(self, stub: Any, asked: Any, status: int) -> None:
        server = stub([refuses(status, "rate_limited", {"Retry-After": "1"}), succeeds(STUDENT)])
        assert asked(server).call(create).id == "stu_1"
        first, second = server.requests
        assert second.at - first.at >= 0.99
        assert first.body == second.body
        assert server.keys()[0] == server.keys()[1]

    def test_are_logged_with_their_reason(self, stub: Any, asked: Any, quick: None, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.INFO, "institution")
        server = stub([refuses(429, "rate_limited", {"Retry-After": "0"}), closes_connection, succeeds(STUDENT)])
        asked(server).call(create)
        first, second = (record.getMessage() for record in caplog.records if record.name == "institution")
        assert first == "POST /students answered 429; try 2 of 5 in 0.0 s"
        assert re.fullmatch(r"POST /students got no answer: .+; try 3 of 5 in 0\.\d s", second)

    def test_understand_a_date(self, stub: Any, asked: Any) -> None:
        def dated(handler: BaseHTTPRequestHandler) -> None:
            at = datetime.now(timezone.utc) + timedelta(seconds=2)
            refuses(429, "rate_limited", {"Retry-After": format_datetime(at, usegmt=True)})(handler)

        server = stub([dated, succeeds(STUDENT)])
        asked(server).call(create)
        # A date has whole seconds.
        assert server.requests[1].at - server.requests[0].at > 0.5

    @pytest.mark.parametrize("lost", [500, 502, 503, 504, closes_connection, truncates_response])
    def test_repeat_reads_and_writes_with_the_same_key(self, stub: Any, asked: Any, quick: None, lost: Any) -> None:
        responder = refuses(lost, "internal_error") if isinstance(lost, int) else lost
        written = stub([responder, succeeds(STUDENT)])
        assert asked(written).call(create).id == "stu_1"
        assert len(set(written.keys())) == 1
        read = stub([responder, succeeds(STUDENT)])
        asked(read).call(lambda client: client.students.get("stu_1"))
        assert (len(written.requests), len(read.requests)) == (2, 2)

    def test_repeat_a_conflict_after_an_answer_was_lost_and_no_other(self, stub: Any, asked: Any, quick: None) -> None:
        after = stub([closes_connection, refuses(409, "conflict"), succeeds(STUDENT)])
        assert asked(after).call(create).id == "stu_1"
        alone = stub([refuses(409, "conflict")])
        assert refusal(asked(alone), create).code == "conflict"
        assert (len(after.requests), len(alone.requests)) == (3, 1)

    def test_end_with_the_error_once_the_tries_are_used_up(self, stub: Any, asked: Any) -> None:
        server = stub([refuses(429, "rate_limited", {"Retry-After": "0"})])
        assert refusal(asked(server, tries=3), create).code == "rate_limited"
        assert len(server.requests) == 3

    def test_end_at_once_where_the_wait_would_exceed_the_deadline(self, stub: Any, asked: Any) -> None:
        server = stub([refuses(429, "rate_limited", {"Retry-After": "30"})])
        begun = time.monotonic()
        error = refusal(asked(server, deadline=25), create)
        assert (error.status, error.retry_after) == (429, 30.0)
        assert pickle.loads(pickle.dumps(error)).retry_after == 30.0
        assert time.monotonic() - begun < 15
        assert len(server.requests) == 1

    @pytest.mark.parametrize("slow", ["stays_silent", "drips"])
    def test_give_a_slow_server_up_at_the_deadline(self, stub: Any, asked: Any, quick: None, slow: str) -> None:
        responders: list[Any] = []
        server = stub(responders)
        responders.append(getattr(server, slow))
        begun = time.monotonic()
        error = refusal(asked(server, timeout=0.2, deadline=1, tries=1000), lambda client: client.meta.describe_key())
        assert error.code == "no_answer"
        # A thousand tries would go on for minutes.
        assert time.monotonic() - begun < 15
        assert len(server.requests) > 1
        tries = rf"after {len(server.requests)} tries in [\d.]+ s \(another would exceed the deadline of 1 s\)"
        assert re.fullmatch(rf"GET /me got no answer from {server.base_url} {tries}: .+", str(error))

    def test_that_end_in_an_error_say_how_many_they_were_and_how_long_they_took(self, stub: Any, asked: Any) -> None:
        error = refusal(asked(stub([refuses(429, "rate_limited", {"Retry-After": "0"})]), tries=3), create)
        assert str(error).startswith("POST /students answered 429 rate_limited after 3 tries in ")
        assert "deadline" not in str(error)
        error = refusal(asked(stub([refuses(429, "rate_limited", {"Retry-After": "30"})]), deadline=25), create)
        assert re.search(r" after 1 try in \d+\.\d s \(another would exceed the deadline of 25 s\): ", str(error))
        error = refusal(asked(stub([closes_connection]), tries=1), create)
        assert re.match(
            r"POST /students got no answer from http://\S+ after 1 try in [\d.]+ s: .+; its idempotency_key", str(error)
        )

    def test_that_answers_ask_for_do_not_make_the_others_longer(self, stub: Any, asked: Any) -> None:
        refused = [refuses(503, "rate_limiter_unavailable", {"Retry-After": "0"}) for _ in range(8)]
        server = stub([*refused, closes_connection, succeeds(STUDENT)])
        # Twice as long for each of the eight would be more than a minute, and beyond the deadline.
        assert asked(server, tries=10, deadline=60).call(create).id == STUDENT["id"]
        assert len(server.requests) == 10

    def test_come_later_each_time_and_apart(self) -> None:
        delays = [[backoff(attempt) for _ in range(50)] for attempt in (1, 2, 3)]
        for attempt, some in enumerate(delays):
            assert 0.5 * 2**attempt <= min(some) < max(some) <= 2**attempt


class TestLists:
    def test_are_walked_by_cursor_with_their_filters(self, stub: Any, asked: Any) -> None:
        first = {**PAGE, "items": [STUDENT, {**STUDENT, "id": "stu_2"}], "has_more": True, "next_cursor": "a"}
        server = stub([succeeds(first), succeeds({**PAGE, "items": [{**STUDENT, "id": "stu_3"}]})])
        found = asked(server).collect(lambda client: client.students.iter(status="active"))
        assert [one.id for one in found] == ["stu_1", "stu_2", "stu_3"]
        assert [one.url for one in server.requests] == [
            "/v1/students?status=active&limit=200&cursor=",
            "/v1/students?status=active&limit=200&cursor=a",
        ]

    def test_of_events_are_followed_from_each_next_since(self, stub: Any, asked: Any) -> None:
        steps = [
            {"items": [], "has_more": True, "next_since": "2026-11-20T09:30:00.123Z"},
            {"items": [], "has_more": False, "next_since": "2026-11-20T09:30:00.124Z"},
        ]
        server = stub([succeeds(step) for step in steps])
        found = asked(server).collect(lambda client: client.feed(type="student.*"))
        assert len(found) == 2
        assert [one.url for one in server.requests] == [
            "/v1/events?type=student.%2A&limit=200",
            "/v1/events?since=2026-11-20T09%3A30%3A00.123Z&type=student.%2A&limit=200",
        ]


def test_with_options_changes_the_bounds_and_shares_the_connections(stub: Any) -> None:
    server = stub([refuses(429, "rate_limited", {"Retry-After": "30"}), succeeds(STUDENT)])
    with Institution(base_url=server.base_url, api_key=API_KEY) as client:
        with pytest.raises(InstitutionError), client.with_options(deadline=5) as hasty:
            hasty.students.get("stu_1")
        assert client.students.get("stu_1").id == "stu_1"
