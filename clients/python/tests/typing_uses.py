"""What the types allow and refuse; mypy reads this file, nothing runs it. A refusal that is missing is an error, too."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import datetime

from typing_extensions import assert_type

from institution import OMIT, AsyncInstitution, Institution, InstitutionError, Omit, Page
from institution.models import (
    BulkStudents,
    Event,
    ExamGradedEvent,
    ExamScore,
    InstitutionProfile,
    ListEventsResult,
    Student,
    UnknownEvent,
)
from institution.params import CreateStudentsBulkStudentsItem

client = Institution(base_url="", api_key="")
student = client.students.get("stu_1")
assert_type(student, Student)
assert_type(student.full_name, str | None)
assert_type(student.created_at, datetime)
assert_type(client.students.list(status="active"), Page[Student])
assert_type(client.students.iter(status="active"), Iterator[Student])
assert_type(client.exams.iter_scores("exm_1"), Iterator[ExamScore])
assert_type(client.exams.export_scores("exm_1"), str)
assert_type(client.feed(), Iterator[ListEventsResult])
client.feed(type="exam.*")
client.feed(type="student.creat")  # type: ignore[arg-type]
assert_type(client.institution.get(), InstitutionProfile)

name: str | Omit | None = OMIT
item: CreateStudentsBulkStudentsItem = {"full_name": None, "license_days": 30}
assert_type(client.students.create_bulk(students=[item]), BulkStudents)
client.students.update("stu_1", full_name=name, student_id=None)

for item_of_a_page in client.students.list():  # type: ignore[operator]
    print(item_of_a_page)
print(client.pupils)  # type: ignore[attr-defined]
client.students.get()  # type: ignore[call-arg]
client.students.list(colour="red")  # type: ignore[call-arg]
client.students.list(status="graduated")  # type: ignore[arg-type]
client.exams.create(faculty_id="fac_1")  # type: ignore[call-arg]
client.students.create(full_name=7)  # type: ignore[arg-type]
client.students.create_bulk(students=[{"full_nam": "Ada"}])  # type: ignore[typeddict-unknown-key]


def graded(event: Event) -> float | None:
    if isinstance(event, ExamGradedEvent):
        print(event.data.points)  # type: ignore[attr-defined]
        return event.data.score
    if isinstance(event, UnknownEvent):
        print(event.data["anything"])
        return None
    print(event.data.score)  # type: ignore[union-attr]
    return None


def compared(event: Event) -> float | None:
    # Comparing the type narrows nothing: isinstance and match do.
    return event.data.score if event.type == "exam.graded" else None  # type: ignore[union-attr]


def matched(event: Event) -> str:
    match event:
        case ExamGradedEvent(data=data):
            return data.exam_id
        case _:
            return event.id


async def awaited(other: AsyncInstitution) -> None:
    assert_type(await other.students.get("stu_1"), Student)
    assert_type(other.students.iter(), AsyncIterator[Student])
    async for found in other.students.list():  # type: ignore[attr-defined]
        print(found)
    print(other.students.get("stu_1").full_name)  # type: ignore[attr-defined]


def code(error: InstitutionError) -> str:
    return error.code
