"""The client against the running service."""

from __future__ import annotations

import inspect
import uuid
from datetime import datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from typing import Any

import pytest
from conftest import Caller, required

from institution import CallAnswer, Institution, InstitutionError, Page
from institution.models import BulkStudentCreated, BulkStudentFailed, StudentCreatedEvent, UnknownEvent


def unique(name: str) -> str:
    return f"{name}-{uuid.uuid4().hex[:12]}"


def test_a_student_is_created_read_changed_and_found(service: Any) -> None:
    own = unique("SIS")
    student = service.call(lambda client: client.students.create(full_name="Ada Lovelace", student_id=own))
    assert student.created_at > datetime.now(timezone.utc) - timedelta(hours=1)
    changed = service.call(lambda client: client.students.update(student.id, full_name=None))
    assert (changed.full_name, changed.student_id) == (None, own)
    assert [one.id for one in service.collect(lambda client: client.students.iter(student_id=own))] == [student.id]
    page = service.call(lambda client: client.students.list(student_id=own))
    assert (page.total, page.items[0].login_email) == (1, student.login_email)


def test_a_list_is_walked_whole(service: Any) -> None:
    names = [{"student_id": unique("walk")} for _ in range(7)]
    answer = service.call(lambda client: client.students.create_bulk(students=[*names, {"license_days": 0}]))
    assert (answer.created, answer.failed) == (7, 1)
    created = {one.id for one in answer.results if isinstance(one, BulkStudentCreated)}
    failed = [one.error for one in answer.results if isinstance(one, BulkStudentFailed)]
    assert (len(created), failed) == (7, ["validation_error"])
    walked = [one.id for one in service.collect(lambda client: client.students.iter(limit=3))]
    assert created <= set(walked)
    assert len(walked) == len(set(walked))


def test_a_key_makes_a_call_one_that_may_be_repeated(service: Any) -> None:
    key = unique("roster")
    first, second = (
        service.call(lambda client: client.students.create(full_name="Alan", idempotency_key=key)) for _ in range(2)
    )
    assert first == second
    with pytest.raises(InstitutionError) as raised:
        service.call(lambda client: client.students.create(full_name="Grace", idempotency_key=key))
    assert (raised.value.status, raised.value.code) == (409, "conflict")


def test_on_answer_has_the_request_id_the_clock_and_what_is_left_of_the_rate_limit(manner: str) -> None:
    answers: list[CallAnswer] = []
    caller = Caller(manner, required("BASE_URL"), required("API_KEY"), {"on_answer": answers.append})
    caller.call(lambda client: client.meta.describe_key())
    [answer] = answers
    assert (answer.method, answer.path, answer.status, answer.attempt) == ("GET", "/me", 200, 1)
    assert (answer.request_id or "").startswith("req_")
    assert int(answer.headers["X-RateLimit-Remaining"]) > 0
    assert abs(parsedate_to_datetime(answer.headers["Date"]) - datetime.now(timezone.utc)) < timedelta(hours=1)


def test_errors_have_code_issues_and_request_id(service: Any) -> None:
    with pytest.raises(InstitutionError) as missing:
        service.call(lambda client: client.students.get("nobody@north.example"))
    assert (missing.value.status, missing.value.code) == (404, "not_found")
    assert (missing.value.request_id or "").startswith("req_")
    with pytest.raises(InstitutionError) as invalid:
        service.call(lambda client: client.students.create(full_name="x" * 201))
    assert (invalid.value.code, invalid.value.issues[0].path) == ("validation_error", "full_name")


def test_an_exam_has_a_file_and_scores_as_csv(service: Any) -> None:
    student = service.call(lambda client: client.students.create(full_name="Ada"))
    teacher = service.call(lambda client: client.faculty.create(full_name="Grace Hopper"))
    group = service.call(lambda client: client.groups.create(name="7b", faculty_id=teacher.id, student_ids=[student.id]))
    exam = service.call(
        lambda client: client.exams.create(
            faculty_id=teacher.id,
            title="Algebra",
            group_ids=[group.id],
            due_date=datetime.now(timezone.utc) + timedelta(days=7),
            ai_policy={"allowed": False},
        )
    )
    assert exam.due_date is not None
    stored = service.call(lambda client: client.exams.upload_file(exam.id, file=("tests.zip", b"PK\x03\x04hidden")))
    assert (stored.filename, stored.size, stored.content_type) == ("tests.zip", 10, "application/zip")
    lines = service.call(lambda client: client.exams.export_scores(exam.id)).splitlines()
    assert lines[1].startswith(student.login_email)
    assert [one.status for one in service.collect(lambda client: client.exams.iter_scores(exam.id))] == ["not_submitted"]


def test_an_attempt_of_the_sandbox_has_its_file_handed_in_and_graded(manner: str) -> None:
    sandbox = Caller(manner, required("BASE_URL"), required("TEST_API_KEY"), {})
    mail = f"{unique('ada')}@example.org"
    student = sandbox.call(lambda client: client.students.create(full_name="Ada", personal_email=mail))
    teacher = sandbox.call(lambda client: client.faculty.create(full_name="Grace Hopper"))
    group = sandbox.call(lambda client: client.groups.create(name="7b", faculty_id=teacher.id, student_ids=[student.id]))
    exam = sandbox.call(
        lambda client: client.exams.create(faculty_id=teacher.id, title="Algebra", max_score=10, group_ids=[group.id])
    )
    sandbox.call(lambda client: client.sandbox.sign_in_student(student.id))
    attempt = sandbox.call(lambda client: client.sandbox.start_attempt(exam.id, student_id=student.id))
    stored = sandbox.call(
        lambda client: client.sandbox.upload_attempt_file(attempt.id, kind="attachment", file=("essay.txt", b"2x"))
    )
    handed_in = sandbox.call(
        lambda client: client.sandbox.submit_attempt(
            attempt.id, attachments=[{"file": {"id": stored.file.id}, "name": "essay.txt"}]
        )
    )
    graded = sandbox.call(lambda client: client.submissions.grade(handed_in.id, score=9))
    assert graded.status == "graded"
    assert [one.name for one in graded.attachments] == ["essay.txt"]


def test_the_feed_has_typed_events(service: Any) -> None:
    student = service.call(lambda client: client.students.create(full_name="Ada"))
    steps = service.collect(lambda client: client.feed(type="student.created", limit=5))
    events = [event for step in steps for event in step.items]
    assert all(isinstance(event, StudentCreatedEvent) for event in events)
    assert student.id in [event.data.student_id for event in events]
    after = service.collect(lambda client: client.feed(type="student.created", since=steps[-1].next_since))
    assert [event for step in after for event in step.items] == []


def test_every_list_and_every_read_without_an_id_is_understood(client: Institution) -> None:
    found = []
    sandbox = Institution(base_url=required("BASE_URL"), api_key=required("TEST_API_KEY"))
    sandbox.students.create(full_name="Ada")
    namespaces = [one for name, one in vars(client).items() if name != "sandbox"]
    for namespace in [*namespaces, *vars(sandbox).values()]:
        for name, method in inspect.getmembers(namespace, inspect.ismethod):
            without_default = [
                one for one in inspect.signature(method).parameters.values() if one.default is inspect.Parameter.empty
            ]
            if name.startswith(("list", "get", "describe", "summarize")) and not without_default:
                answer = method()
                found.append(f"{type(namespace).__name__}.{name}")
                assert not isinstance(answer, Page) or all(type(one).__name__ != "dict" for one in answer.items)
    sandbox.close()
    assert len(found) > 40


def test_every_event_so_far_is_of_a_type_that_the_client_knows(client: Institution) -> None:
    events = [event for step in client.feed() for event in step.items]
    assert len(events) > 5
    assert [event.type for event in events if isinstance(event, UnknownEvent)] == []


def test_a_secret_is_not_in_the_text_of_its_endpoint(client: Institution) -> None:
    port = required("RECEIVER_PORTS").split(",")[0]
    endpoint = client.webhooks.create_endpoint(url=f"http://127.0.0.1:{port}/other", events=["license.expired"])
    client.webhooks.delete_endpoint(endpoint.id)
    assert endpoint.secret.startswith("whsec_")
    assert endpoint.secret not in f"{endpoint!r} {endpoint}"
