"""The operations of the API, for await.

Made by `npm run generate` of the service's repository; changes here are lost.
"""

from __future__ import annotations

from collections.abc import (
    AsyncIterator,
    Mapping,
    Sequence,
)
from datetime import (
    datetime,
)
from typing import (
    Any,
    Literal,
)

from institution._omit import (
    OMIT,
    Omit,
)
from institution._page import (
    Page,
)
from institution._resource import (
    AsyncCalls,
    AsyncResource,
    FileInput,
)
from institution.models import (
    Allowance,
    AlphaStudent,
    ApiKey,
    AssignedGroup,
    BegunAttempt,
    BulkReplay,
    BulkStudents,
    ChangedGroup,
    CodeSecret,
    CodeSecretSet,
    CodeSecretStatus,
    ConceptMastery,
    CouponBatch,
    CouponBatchSummary,
    CouponRedemption,
    Credit,
    Curriculum,
    CurriculumDetails,
    DeleteExamResult,
    DeleteGroupResult,
    DeleteWebhookEndpointResult,
    Delivery,
    DeliveryWithLog,
    Devices,
    Disclosure,
    EndpointRecovery,
    EndpointStatistics,
    Enrolled,
    Enrollment,
    EnrolmentCode,
    EnrolmentCodes,
    Erasure,
    EventPattern,
    Exam,
    ExamAnalytics,
    ExamAttempt,
    ExamScore,
    ExamSummary,
    Faculty,
    GetLeaderboardResult,
    Group,
    GroupDetails,
    GuardianLink,
    InstitutionProfile,
    IntegrationConfig,
    LedgerMove,
    License,
    LicenseSummary,
    ListEventTypesResult,
    ListEventsResult,
    PointsAwarded,
    Progress,
    RecordedEvents,
    Redeemed,
    RemoveGroupMemberResult,
    RemoveGuardianResult,
    ReplayedDelivery,
    ResetSandboxResult,
    RevokedSeat,
    SandboxClock,
    SandboxEmail,
    SandboxSignIn,
    ScopeList,
    SignIn,
    StoredFile,
    Student,
    StudentExam,
    StudentExport,
    StudentPoints,
    Submission,
    SubmissionEvents,
    SubmissionSummary,
    SubmittedVersion,
    UnassignExamResult,
    Wallet,
    WebhookEndpoint,
    WebhookEndpointWithSecret,
    WebhookTest,
    WeeklyReport,
)
from institution.params import (
    CreateExamAiPolicy,
    CreateExamCodeSpec,
    CreateExamExamType,
    CreateStudentsBulkStudentsItem,
    CreateWebhookEndpointSignatureScheme,
    GetWebhookEndpointStatisticsPeriod,
    InviteGuardianGuardianType,
    ListDeliveriesErrorClass,
    ListDeliveriesEventType,
    ListDeliveriesStatus,
    ListExamsApp,
    ListExamsStatus,
    ListLicensesStatus,
    ListStudentDisclosuresAbout,
    ListStudentsStatus,
    ListSubmissionsStatus,
    PublishSandboxCurriculumConceptsItem,
    RecordSandboxAttemptEventsEventsItemFocusGained,
    RecordSandboxAttemptEventsEventsItemFocusLost,
    RecordSandboxAttemptEventsEventsItemSampleTestsRun,
    ReplaceInstitutionConfigAllowedToolchainsItem,
    ReplaceInstitutionConfigDefaultAiPolicy,
    ReplaceInstitutionConfigDefaultProctoring,
    ReplaceInstitutionConfigToolchainMirror,
    SignInSandboxStudentApp,
    SignInSandboxStudentDevice,
    SubmitSandboxAttemptAiUsageData2,
    SubmitSandboxAttemptAiUsageDataSvccode,
    SubmitSandboxAttemptAttachmentsItem,
    TestWebhookEndpointEventType,
    UpdateEnrollmentStatus,
    UpdateStudentStatus,
    UpdateWebhookEndpointStatus,
    UploadSandboxAttemptFileKind,
)


class AsyncMetaResource(AsyncResource):
    async def describe_key(
        self,
    ) -> ApiKey:
        """Describe the key that asks.

        Scope: none; any valid key.
        """
        return await self._call(
            ApiKey,
            "GET",
            "/me",
        )

    async def list_scopes(
        self,
    ) -> ScopeList:
        """List every scope with what it grants.

        Scope: none; any valid key.
        """
        return await self._call(
            ScopeList,
            "GET",
            "/scopes",
        )


class AsyncInstitutionResource(AsyncResource):
    async def get(
        self,
    ) -> InstitutionProfile:
        """Get the key's institution: its profile, and counts of people and licenses.

        Scope: `institution:read`.
        """
        return await self._call(
            InstitutionProfile,
            "GET",
            "/institution",
        )

    async def get_config(
        self,
    ) -> IntegrationConfig:
        """Get the integration config.

        Scope: `institution:read`.
        """
        return await self._call(
            IntegrationConfig,
            "GET",
            "/institution/config",
        )

    async def replace_config(
        self,
        *,
        default_ai_policy: ReplaceInstitutionConfigDefaultAiPolicy | Omit = OMIT,
        default_proctoring: ReplaceInstitutionConfigDefaultProctoring | Omit = OMIT,
        allowed_toolchains: Sequence[ReplaceInstitutionConfigAllowedToolchainsItem] | Omit = OMIT,
        toolchain_mirror: ReplaceInstitutionConfigToolchainMirror | Omit | None = OMIT,
        lms: Mapping[str, Any] | Omit = OMIT,
        unique_student_ids: bool | Omit = OMIT,
        require_enrolment_code: bool | Omit = OMIT,
        idempotency_key: str | None = None,
    ) -> IntegrationConfig:
        """Replace the integration config; a field left out takes its default.

        Scope: `institution:write`. Fields left out of `default_ai_policy` and `default_proctoring` take their
        defaults too.

        Args:
            default_ai_policy: What new exams take where they name no ai_policy.
            default_proctoring: What new exams take where they name no proctoring.
            allowed_toolchains: Toolchains that coding exams may name; all six by default.
            toolchain_mirror: Where apps install toolchains from.
            lms: Any JSON object: at most 16 KiB serialised, at most 20 levels deep; its numbers 0, or in size at
                least 0.000001 and below 1e21.
            unique_student_ids: Whether a second student with the same `student_id` (exact text; students without one
                never conflict) is refused as `conflict`. Turning it on while several students have the same is `conflict`
                too; the error names up to 20 of them.
            require_enrolment_code: Recommended. Whether a student without a mapped personal email needs an enrolment
                code to name one at the first sign-in; `POST /students/{id}/enrolment-code` makes it. Without it, anyone
                who knows the login email of such a student can name an address.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            IntegrationConfig,
            "PUT",
            "/institution/config",
            json={"default_ai_policy": default_ai_policy, "default_proctoring": default_proctoring, "allowed_toolchains": allowed_toolchains, "toolchain_mirror": toolchain_mirror, "lms": lms, "unique_student_ids": unique_student_ids, "require_enrolment_code": require_enrolment_code},
            idempotency_key=idempotency_key,
        )


class AsyncStudentsResource(AsyncResource):
    async def list(
        self,
        *,
        email: str | None = None,
        status: ListStudentsStatus | None = None,
        student_id: str | None = None,
        group_id: str | None = None,
        updated_since: datetime | str | None = None,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[Student]:
        """List students, newest first.

        Scope: `students:read`.

        Args:
            email: A login email. What is no address is a `validation_error`; an address that is nobody’s login email,
                such as a personal email, finds nobody.
            status: Only students with this status.
            student_id: The institution's own identifier; all students with it are returned.
            group_id: Members of this group.
            updated_since: Inclusive, of `updated_at`. Ask from five minutes before the newest `updated_at` that you
                have seen: changes bear the moment at which their call began. At most 5 minutes ahead.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[Student],
            "GET",
            "/students",
            query={"email": email, "status": status, "student_id": student_id, "group_id": group_id, "updated_since": updated_since, "cursor": cursor, "page": page, "limit": limit},
        )

    def iter(
        self,
        *,
        email: str | None = None,
        status: ListStudentsStatus | None = None,
        student_id: str | None = None,
        group_id: str | None = None,
        updated_since: datetime | str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[Student]:
        """List students, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            email: A login email. What is no address is a `validation_error`; an address that is nobody’s login email,
                such as a personal email, finds nobody.
            status: Only students with this status.
            student_id: The institution's own identifier; all students with it are returned.
            group_id: Members of this group.
            updated_since: Inclusive, of `updated_at`. Ask from five minutes before the newest `updated_at` that you
                have seen: changes bear the moment at which their call began. At most 5 minutes ahead.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            Student,
            "/students",
            query={"email": email, "status": status, "student_id": student_id, "group_id": group_id, "updated_since": updated_since, "limit": limit},
        )

    async def create(
        self,
        *,
        full_name: str | Omit | None = OMIT,
        student_id: str | Omit | None = OMIT,
        personal_email: str | Omit | None = OMIT,
        license_days: int | Omit = OMIT,
        idempotency_key: str | None = None,
    ) -> Student:
        """Provision a student with a login email and a license.

        Scope: `students:write`. Store the returned login_email. After a call that got no answer, send it again with
        the same Idempotency-Key: without one, the same call makes another student.

        Args:
            full_name: Shown in the apps.
            student_id: The institution's own (SIS) identifier; need not be unique unless the config has
                `unique_student_ids`.
            personal_email: Write-only: one-time codes and announcements of exams go there. Never returned. A login
                email of the institution has no mailbox: validation_error.
            license_days: How long the license runs, in days.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Student,
            "POST",
            "/students",
            json={"full_name": full_name, "student_id": student_id, "personal_email": personal_email, "license_days": license_days},
            idempotency_key=idempotency_key,
        )

    async def get(
        self,
        id: str,
    ) -> Student:
        """Get a student by internal id or login email.

        Scope: `students:read`.

        Args:
            id: Internal id or generated login email.
        """
        return await self._call(
            Student,
            "GET",
            "/students/{id}",
            path={"id": id},
        )

    async def update(
        self,
        id: str,
        *,
        full_name: str | Omit | None = OMIT,
        student_id: str | Omit | None = OMIT,
        status: UpdateStudentStatus | Omit = OMIT,
        personal_email: str | Omit = OMIT,
        idempotency_key: str | None = None,
    ) -> Student:
        """Change a student; fields left out stay.

        Scope: `students:write`.

        Args:
            id: Internal id or generated login email.
            full_name: Shown in the apps.
            student_id: The institution's own (SIS) identifier; need not be unique unless the config has
                `unique_student_ids`.
            status: `active` reactivates a suspended student; a pending one stays pending.
            personal_email: Write-only: one-time codes and announcements of exams go there. Never returned. A login
                email of the institution has no mailbox: validation_error.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Student,
            "PATCH",
            "/students/{id}",
            path={"id": id},
            json={"full_name": full_name, "student_id": student_id, "status": status, "personal_email": personal_email},
            json_optional=True,
            idempotency_key=idempotency_key,
        )

    async def create_bulk(
        self,
        *,
        students: Sequence[CreateStudentsBulkStudentsItem],
        idempotency_key: str | None = None,
    ) -> BulkStudents:
        """Provision up to 200 students in one call.

        Scope: `students:write`. Items that fail have an error in the response, the others are created. The call waits
        at most 30 seconds: an item not created by then carries `internal_error` and will not be created later; when
        none was, the call returns 500. An Idempotency-Key names the batch: a repeat waits for the same one and gets
        the same results, the 500 too. Send items that were not created in a new call, with a new key.

        Args:
            students: 1 to 200 students, each with the fields of POST /students.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            BulkStudents,
            "POST",
            "/students/bulk",
            json={"students": students},
            idempotency_key=idempotency_key,
        )

    async def create_enrolment_codes(
        self,
        *,
        student_ids: Sequence[str],
        idempotency_key: str | None = None,
    ) -> EnrolmentCodes:
        """Make enrolment codes for up to 200 students.

        Scope: `students:write`. Students who get none have an error in the response, the others get theirs: unknown
        ones, those with a mapped personal email, and those named a second time.

        Args:
            student_ids: 1 to 200 students, by internal id or login email.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            EnrolmentCodes,
            "POST",
            "/students/enrolment-codes",
            json={"student_ids": student_ids},
            idempotency_key=idempotency_key,
        )

    async def list_disclosures(
        self,
        id: str,
        *,
        about: ListStudentDisclosuresAbout | None = None,
        actor_id: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[Disclosure]:
        """List who has read the data of a student, newest first.

        Scope: `students:read`. Reads by API keys, by guardians, and by the platform, its staff, the admin and
        developers in the portal, which were answered; never what was read. Kept for a year, by the month. A read is
        on record within a second; one of the last second may be missing after a crash. What a person reads of their
        own is not recorded, nor is what a write returns, which the audit log has.

        Args:
            id: Internal id or generated login email.
            about: `person`: reads of the data of this person alone; `many`: lists and exports of the institution,
                each of which may have contained this person.
            actor_id: Whose reads: a key, a person, or `platform`.
            since: Reads after this moment. At most 5 minutes ahead.
            until: Reads up to this moment, inclusively.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[Disclosure],
            "GET",
            "/students/{id}/disclosures",
            path={"id": id},
            query={"about": about, "actor_id": actor_id, "since": since, "until": until, "cursor": cursor, "page": page, "limit": limit},
        )

    def iter_disclosures(
        self,
        id: str,
        *,
        about: ListStudentDisclosuresAbout | None = None,
        actor_id: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[Disclosure]:
        """List who has read the data of a student, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            id: Internal id or generated login email.
            about: `person`: reads of the data of this person alone; `many`: lists and exports of the institution,
                each of which may have contained this person.
            actor_id: Whose reads: a key, a person, or `platform`.
            since: Reads after this moment. At most 5 minutes ahead.
            until: Reads up to this moment, inclusively.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            Disclosure,
            "/students/{id}/disclosures",
            path={"id": id},
            query={"about": about, "actor_id": actor_id, "since": since, "until": until, "limit": limit},
        )

    async def erase(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Erasure:
        """Erase a student: everything personal, in every store; scores, ledgers and counts stay.

        Scope: `students:write`. At once the student is suspended and signed out, name, `student_id` and personal
        email are gone, the license is revoked and the links of guardians are removed; a workflow erases everything
        else; GET …/erasure shows its progress and, at the end, the certificate. A second call returns the erasure as
        it is. This cannot be undone. Emits student.updated. Refer to the student by id from now on: the login email
        becomes another one.

        Args:
            id: Internal id or generated login email.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Erasure,
            "POST",
            "/students/{id}/erase",
            path={"id": id},
            idempotency_key=idempotency_key,
        )

    async def get_erasure(
        self,
        id: str,
    ) -> Erasure:
        """Get a student's erasure: its progress, and the certificate once it is done.

        Scope: `students:read`.

        Args:
            id: Internal id or generated login email.
        """
        return await self._call(
            Erasure,
            "GET",
            "/students/{id}/erasure",
            path={"id": id},
        )

    async def list_exams(
        self,
        id: str,
        *,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[StudentExam]:
        """List the exams that a student sees, with the state of their attempt and submission, newest first.

        Scope: `exams:read`. An exam is visible once it is published and assigned to a group that the student belongs
        to; a closed one stays visible.

        Args:
            id: Internal id or generated login email.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[StudentExam],
            "GET",
            "/students/{id}/exams",
            path={"id": id},
            query={"cursor": cursor, "page": page, "limit": limit},
        )

    def iter_exams(
        self,
        id: str,
        *,
        limit: int | None = None,
    ) -> AsyncIterator[StudentExam]:
        """List the exams that a student sees, with the state of their attempt and submission, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            id: Internal id or generated login email.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            StudentExam,
            "/students/{id}/exams",
            path={"id": id},
            query={"limit": limit},
        )

    async def export(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> StudentExport:
        """Export all data of a student as a zip archive.

        Scope: `students:write`, and `licenses:read`, and `groups:read`, and `submissions:read`, and `merits:read`,
        and `guardians:read`, and `alpha:read`. A workflow writes the archive; GET /students/{id}/export has its URL
        once it is ready. It has student.json with its JSON Schema, what happened in each attempt, and the files that
        were handed in; recordings if the key has submissions:write. The archive is kept for 7 days, or until the next
        one is ready. While one with the same contents is being prepared, the call returns that. `conflict` for a
        student who was erased.

        Args:
            id: Internal id or generated login email.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            StudentExport,
            "POST",
            "/students/{id}/export",
            path={"id": id},
            idempotency_key=idempotency_key,
        )

    async def get_export(
        self,
        id: str,
    ) -> StudentExport:
        """Get a student's newest export, with a URL of its archive once it is ready.

        Scope: `students:read`. `archive` is there for keys with the scopes of POST /students/{id}/export; if
        recordings are in it, for those that have submissions:write as well.

        Args:
            id: Internal id or generated login email.
        """
        return await self._call(
            StudentExport,
            "GET",
            "/students/{id}/export",
            path={"id": id},
        )

    async def list_guardians(
        self,
        id: str,
        *,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[GuardianLink]:
        """List the guardians of a student, newest first.

        Scope: `guardians:read`.

        Args:
            id: Internal id or generated login email.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[GuardianLink],
            "GET",
            "/students/{id}/guardians",
            path={"id": id},
            query={"cursor": cursor, "page": page, "limit": limit},
        )

    def iter_guardians(
        self,
        id: str,
        *,
        limit: int | None = None,
    ) -> AsyncIterator[GuardianLink]:
        """List the guardians of a student, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            id: Internal id or generated login email.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            GuardianLink,
            "/students/{id}/guardians",
            path={"id": id},
            query={"limit": limit},
        )

    async def list_sign_ins(
        self,
        id: str,
        *,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[SignIn]:
        """List the sign-ins of a student and the failed tries, newest first.

        Scope: `students:read`. Kept for a year. Sign-ins by a code of the mailbox, and failed tries at one; requests
        for codes are not among them.

        Args:
            id: Internal id or generated login email.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[SignIn],
            "GET",
            "/students/{id}/sign-ins",
            path={"id": id},
            query={"cursor": cursor, "page": page, "limit": limit},
        )

    def iter_sign_ins(
        self,
        id: str,
        *,
        limit: int | None = None,
    ) -> AsyncIterator[SignIn]:
        """List the sign-ins of a student and the failed tries, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            id: Internal id or generated login email.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            SignIn,
            "/students/{id}/sign-ins",
            path={"id": id},
            query={"limit": limit},
        )

    async def suspend(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Student:
        """Suspend a student; their sessions end at once and the license stays.

        Scope: `students:write`.

        Args:
            id: Internal id or generated login email.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Student,
            "POST",
            "/students/{id}/suspend",
            path={"id": id},
            idempotency_key=idempotency_key,
        )

    async def reactivate(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Student:
        """Reactivate a suspended student: active if they ever signed in, pending otherwise; conflict for an erased one.

        Scope: `students:write`.

        Args:
            id: Internal id or generated login email.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Student,
            "POST",
            "/students/{id}/reactivate",
            path={"id": id},
            idempotency_key=idempotency_key,
        )

    async def create_enrolment_code(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> EnrolmentCode:
        """Make an enrolment code for a student who has no mapped personal email.

        Scope: `students:write`. Where the config has `require_enrolment_code`, the student sends it with the address
        that they name at the first sign-in. It is shown once, and valid for 30 days, 5 tries and one enrolment; a new
        one replaces it. A student with a mapped personal email: conflict.

        Args:
            id: Internal id or generated login email.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            EnrolmentCode,
            "POST",
            "/students/{id}/enrolment-code",
            path={"id": id},
            idempotency_key=idempotency_key,
        )


class AsyncFacultyResource(AsyncResource):
    async def list(
        self,
        *,
        email: str | None = None,
        faculty_id: str | None = None,
        status: UpdateStudentStatus | None = None,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[Faculty]:
        """List faculty, the institution admin among them, newest first.

        Scope: `faculty:read`.

        Args:
            email: A login email. What is no address is a `validation_error`; an address that is nobody’s login email,
                such as a personal email, finds nobody.
            faculty_id: The institution's own identifier; all faculty members with it are returned.
            status: Only faculty with this status.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[Faculty],
            "GET",
            "/faculty",
            query={"email": email, "faculty_id": faculty_id, "status": status, "cursor": cursor, "page": page, "limit": limit},
        )

    def iter(
        self,
        *,
        email: str | None = None,
        faculty_id: str | None = None,
        status: UpdateStudentStatus | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[Faculty]:
        """List faculty, the institution admin among them, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            email: A login email. What is no address is a `validation_error`; an address that is nobody’s login email,
                such as a personal email, finds nobody.
            faculty_id: The institution's own identifier; all faculty members with it are returned.
            status: Only faculty with this status.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            Faculty,
            "/faculty",
            query={"email": email, "faculty_id": faculty_id, "status": status, "limit": limit},
        )

    async def create(
        self,
        *,
        full_name: str,
        faculty_id: str | Omit | None = OMIT,
        license_days: int | Omit = OMIT,
        idempotency_key: str | None = None,
    ) -> Faculty:
        """Provision a faculty member with a login email and a license of 3 devices.

        Scope: `faculty:write`. Sign-in codes go to the institution admin's mailbox until the profile is complete.
        Store the returned login_email.

        Args:
            full_name: Shown in the apps.
            faculty_id: The institution's own (HR) identifier; need not be unique.
            license_days: How long the license runs, in days.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Faculty,
            "POST",
            "/faculty",
            json={"full_name": full_name, "faculty_id": faculty_id, "license_days": license_days},
            idempotency_key=idempotency_key,
        )

    async def get(
        self,
        id: str,
    ) -> Faculty:
        """Get a faculty member by internal id or login email.

        Scope: `faculty:read`.

        Args:
            id: Internal id or generated login email.
        """
        return await self._call(
            Faculty,
            "GET",
            "/faculty/{id}",
            path={"id": id},
        )

    async def update(
        self,
        id: str,
        *,
        full_name: str | Omit = OMIT,
        faculty_id: str | Omit | None = OMIT,
        status: UpdateStudentStatus | Omit = OMIT,
        idempotency_key: str | None = None,
    ) -> Faculty:
        """Change a faculty member; fields left out stay.

        Scope: `faculty:write`. A suspension ends their sessions at once. Their license, groups and exams stay. The
        institution admin is not changed or suspended with a key (`conflict`): the operators of the platform do that,
        and they or the admin hand the role over.

        Args:
            id: Internal id or generated login email.
            full_name: Shown in the apps.
            faculty_id: The institution's own (HR) identifier; need not be unique.
            status: `suspended` ends their sessions at once; they can own nothing new until `active` again.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Faculty,
            "PATCH",
            "/faculty/{id}",
            path={"id": id},
            json={"full_name": full_name, "faculty_id": faculty_id, "status": status},
            json_optional=True,
            idempotency_key=idempotency_key,
        )

    async def list_disclosures(
        self,
        id: str,
        *,
        about: ListStudentDisclosuresAbout | None = None,
        actor_id: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[Disclosure]:
        """List who has read the data of a faculty member, newest first.

        Scope: `faculty:read`. Reads by API keys, by guardians, and by the platform, its staff, the admin and
        developers in the portal, which were answered; never what was read. Kept for a year, by the month. A read is
        on record within a second; one of the last second may be missing after a crash. What a person reads of their
        own is not recorded, nor is what a write returns, which the audit log has.

        Args:
            id: Internal id or generated login email.
            about: `person`: reads of the data of this person alone; `many`: lists and exports of the institution,
                each of which may have contained this person.
            actor_id: Whose reads: a key, a person, or `platform`.
            since: Reads after this moment. At most 5 minutes ahead.
            until: Reads up to this moment, inclusively.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[Disclosure],
            "GET",
            "/faculty/{id}/disclosures",
            path={"id": id},
            query={"about": about, "actor_id": actor_id, "since": since, "until": until, "cursor": cursor, "page": page, "limit": limit},
        )

    def iter_disclosures(
        self,
        id: str,
        *,
        about: ListStudentDisclosuresAbout | None = None,
        actor_id: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[Disclosure]:
        """List who has read the data of a faculty member, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            id: Internal id or generated login email.
            about: `person`: reads of the data of this person alone; `many`: lists and exports of the institution,
                each of which may have contained this person.
            actor_id: Whose reads: a key, a person, or `platform`.
            since: Reads after this moment. At most 5 minutes ahead.
            until: Reads up to this moment, inclusively.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            Disclosure,
            "/faculty/{id}/disclosures",
            path={"id": id},
            query={"about": about, "actor_id": actor_id, "since": since, "until": until, "limit": limit},
        )

    async def erase(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Erasure:
        """Erase a faculty member: everything personal, in every store; groups, exams and grades stay.

        Scope: `faculty:write`. At once the member is suspended and signed out, name, `faculty_id`, profile and
        mailbox are gone, and the license is revoked; a workflow erases everything else; GET …/erasure shows its
        progress and, at the end, the certificate. A second call returns the erasure as it is. This cannot be undone.
        Not the institution admin (`conflict`): the operators of the platform transfer the role first. No event.

        Args:
            id: Internal id or generated login email.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Erasure,
            "POST",
            "/faculty/{id}/erase",
            path={"id": id},
            idempotency_key=idempotency_key,
        )

    async def get_erasure(
        self,
        id: str,
    ) -> Erasure:
        """Get a faculty member's erasure: its progress, and the certificate once it is done.

        Scope: `faculty:read`.

        Args:
            id: Internal id or generated login email.
        """
        return await self._call(
            Erasure,
            "GET",
            "/faculty/{id}/erasure",
            path={"id": id},
        )

    async def list_exams(
        self,
        id: str,
        *,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[ExamSummary]:
        """List the exams that a faculty member owns, newest first.

        Scope: `exams:read`.

        Args:
            id: Internal id or generated login email.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[ExamSummary],
            "GET",
            "/faculty/{id}/exams",
            path={"id": id},
            query={"cursor": cursor, "page": page, "limit": limit},
        )

    def iter_exams(
        self,
        id: str,
        *,
        limit: int | None = None,
    ) -> AsyncIterator[ExamSummary]:
        """List the exams that a faculty member owns, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            id: Internal id or generated login email.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            ExamSummary,
            "/faculty/{id}/exams",
            path={"id": id},
            query={"limit": limit},
        )

    async def list_sign_ins(
        self,
        id: str,
        *,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[SignIn]:
        """List the sign-ins of a faculty member and the failed tries, newest first.

        Scope: `faculty:read`. Kept for a year. Sign-ins by a code of the mailbox, and failed tries at one; requests
        for codes are not among them.

        Args:
            id: Internal id or generated login email.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[SignIn],
            "GET",
            "/faculty/{id}/sign-ins",
            path={"id": id},
            query={"cursor": cursor, "page": page, "limit": limit},
        )

    def iter_sign_ins(
        self,
        id: str,
        *,
        limit: int | None = None,
    ) -> AsyncIterator[SignIn]:
        """List the sign-ins of a faculty member and the failed tries, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            id: Internal id or generated login email.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            SignIn,
            "/faculty/{id}/sign-ins",
            path={"id": id},
            query={"limit": limit},
        )


class AsyncGroupsResource(AsyncResource):
    async def list(
        self,
        *,
        faculty_id: str | None = None,
        q: str | None = None,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[Group]:
        """List groups, newest first.

        Scope: `groups:read`.

        Args:
            faculty_id: The owner's internal id or login email; a text in neither form is a `validation_error`.
            q: Text to find anywhere in name or description, case-insensitive. No wildcards.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[Group],
            "GET",
            "/groups",
            query={"faculty_id": faculty_id, "q": q, "cursor": cursor, "page": page, "limit": limit},
        )

    def iter(
        self,
        *,
        faculty_id: str | None = None,
        q: str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[Group]:
        """List groups, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            faculty_id: The owner's internal id or login email; a text in neither form is a `validation_error`.
            q: Text to find anywhere in name or description, case-insensitive. No wildcards.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            Group,
            "/groups",
            query={"faculty_id": faculty_id, "q": q, "limit": limit},
        )

    async def create(
        self,
        *,
        name: str,
        description: str | Omit | None = OMIT,
        faculty_id: str | Omit = OMIT,
        student_ids: Sequence[str] | Omit = OMIT,
        idempotency_key: str | None = None,
    ) -> ChangedGroup:
        """Create a group, with its members where they are named.

        Scope: `groups:write`. `member_count` counts the added members, `skipped` lists the entries of `student_ids`
        that name no student. The group is created also where all of them are skipped: check that `skipped` is empty.
        A change (`PATCH /groups/{id}`) with such a list is `no_valid_students` and keeps the members.

        Args:
            name: Need not be unique.
            description: Of your choice; null for none.
            faculty_id: The owner's internal id or login email; the institution admin without it.
            student_ids: Students by internal id or login email; what names nobody is skipped, and answered in
                `skipped`.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            ChangedGroup,
            "POST",
            "/groups",
            json={"name": name, "description": description, "faculty_id": faculty_id, "student_ids": student_ids},
            idempotency_key=idempotency_key,
        )

    async def get(
        self,
        id: str,
    ) -> GroupDetails:
        """Get a group with its members and assigned exams.

        Scope: `groups:read`.

        Args:
            id: Id of the group.
        """
        return await self._call(
            GroupDetails,
            "GET",
            "/groups/{id}",
            path={"id": id},
        )

    async def update(
        self,
        id: str,
        *,
        name: str | Omit = OMIT,
        description: str | Omit | None = OMIT,
        faculty_id: str | Omit = OMIT,
        student_ids: Sequence[str] | Omit = OMIT,
        idempotency_key: str | None = None,
    ) -> ChangedGroup:
        """Change a group; fields left out stay.

        Scope: `groups:write`. `student_ids` replaces the entire membership.

        Args:
            id: Id of the group.
            name: Need not be unique.
            description: Of your choice; null for none.
            faculty_id: The new owner's internal id or login email.
            student_ids: Replaces the entire membership, an empty list by nobody. Students by internal id or login
                email; what names nobody is skipped, and answered in `skipped`. `no_valid_students` when a list names no
                student at all.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            ChangedGroup,
            "PATCH",
            "/groups/{id}",
            path={"id": id},
            json={"name": name, "description": description, "faculty_id": faculty_id, "student_ids": student_ids},
            json_optional=True,
            idempotency_key=idempotency_key,
        )

    async def delete(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> DeleteGroupResult:
        """Delete a group and unassign its exams; students, exams and submissions stay.

        Scope: `groups:write`.

        Args:
            id: Id of the group.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            DeleteGroupResult,
            "DELETE",
            "/groups/{id}",
            path={"id": id},
            idempotency_key=idempotency_key,
        )

    async def add_members(
        self,
        id: str,
        *,
        student_ids: Sequence[str],
        idempotency_key: str | None = None,
    ) -> ChangedGroup:
        """Add students to a group; no-op for those who are members.

        Scope: `groups:write`. At most 10,000 members a group, otherwise `conflict` and nobody is added.

        Args:
            id: Id of the group.
            student_ids: Students by internal id or login email; what names nobody is skipped, and answered in
                `skipped`. `no_valid_students` when a list names no student at all.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            ChangedGroup,
            "POST",
            "/groups/{id}/members",
            path={"id": id},
            json={"student_ids": student_ids},
            idempotency_key=idempotency_key,
        )

    async def remove_member(
        self,
        id: str,
        student_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> RemoveGroupMemberResult:
        """Remove a student from a group; returns the internal id of the student.

        Scope: `groups:write`.

        Args:
            id: Id of the group.
            student_id: Internal id or generated login email of the student.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            RemoveGroupMemberResult,
            "DELETE",
            "/groups/{id}/members/{studentId}",
            path={"id": id, "studentId": student_id},
            idempotency_key=idempotency_key,
        )


class AsyncLicensesResource(AsyncResource):
    async def list(
        self,
        *,
        status: ListLicensesStatus | None = None,
        expires_before: datetime | str | None = None,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[License]:
        """List licenses, newest first.

        Scope: `licenses:read`.

        Args:
            status: As shown: an unswept license whose time has passed is `expired`.
            expires_before: Exclusive; lifetime licenses never match.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[License],
            "GET",
            "/licenses",
            query={"status": status, "expires_before": expires_before, "cursor": cursor, "page": page, "limit": limit},
        )

    def iter(
        self,
        *,
        status: ListLicensesStatus | None = None,
        expires_before: datetime | str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[License]:
        """List licenses, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            status: As shown: an unswept license whose time has passed is `expired`.
            expires_before: Exclusive; lifetime licenses never match.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            License,
            "/licenses",
            query={"status": status, "expires_before": expires_before, "limit": limit},
        )

    async def summarize(
        self,
    ) -> LicenseSummary:
        """Count licenses by type and status, and those that expire soon.

        Scope: `licenses:read`.
        """
        return await self._call(
            LicenseSummary,
            "GET",
            "/licenses/summary",
        )

    async def get(
        self,
        id: str,
    ) -> License:
        """Get a license.

        Scope: `licenses:read`.

        Args:
            id: A license.
        """
        return await self._call(
            License,
            "GET",
            "/licenses/{id}",
            path={"id": id},
        )

    async def extend(
        self,
        id: str,
        *,
        days: int | Omit = OMIT,
        expires_at: datetime | str | Omit = OMIT,
        idempotency_key: str | None = None,
    ) -> License:
        """Extend a license by days or to a moment; an expired one becomes active.

        Scope: `licenses:write`. Exactly one of `days` and `expires_at`. A suspended license stays suspended; revoked
        and lifetime licenses: 409. The new expiry must be in the future, at most 100 years (36,500 days) away. If the
        license has expired without an event, `license.expired` is emitted before it becomes active.

        Args:
            id: A license.
            days: Counts from the later of now and the present expiry. Exactly one of `days` and `expires_at`.
            expires_at: The new expiry, in the future. Exactly one of `days` and `expires_at`.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            License,
            "POST",
            "/licenses/{id}/extend",
            path={"id": id},
            json={"days": days, "expires_at": expires_at},
            idempotency_key=idempotency_key,
        )

    async def revoke(
        self,
        id: str,
        *,
        reason: str | Omit | None = OMIT,
        idempotency_key: str | None = None,
    ) -> License:
        """Revoke a license; its apps sign out within 5 minutes.

        Scope: `licenses:write`. Its seats end at once. Revoking a revoked license returns it unchanged.

        Args:
            id: A license.
            reason: Kept with the license.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            License,
            "POST",
            "/licenses/{id}/revoke",
            path={"id": id},
            json={"reason": reason},
            json_optional=True,
            idempotency_key=idempotency_key,
        )

    async def list_devices(
        self,
        id: str,
        *,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Devices:
        """List the devices of a license: its active seats in the apps, and every device that it has seen.

        Scope: `licenses:read`. Each app gives a person two seats; a third device that signs in has the one signed out
        that signed in longest ago. A seat is kept while its app is not used, also beyond the 12 hours of a session.
        `page` and `limit` are those of `activations`.

        Args:
            id: A license.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Devices,
            "GET",
            "/licenses/{id}/devices",
            path={"id": id},
            query={"cursor": cursor, "page": page, "limit": limit},
        )

    async def revoke_seat(
        self,
        id: str,
        seat_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> RevokedSeat:
        """Revoke a device's seat: its session ends at once, its app signs out at the next heartbeat.

        Scope: `licenses:write`. The device may sign in again, to a new seat; to keep somebody out, suspend them or
        revoke the license. What the device did not hand in yet stays on it. A seat that is not active any more:
        not_found.

        Args:
            id: A license.
            seat_id: An active seat of the license.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            RevokedSeat,
            "POST",
            "/licenses/{id}/devices/{seatId}/revoke",
            path={"id": id, "seatId": seat_id},
            idempotency_key=idempotency_key,
        )


class AsyncExamsResource(AsyncResource):
    async def list(
        self,
        *,
        app: ListExamsApp | None = None,
        status: ListExamsStatus | None = None,
        updated_since: datetime | str | None = None,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[ExamSummary]:
        """List exams, newest first.

        Scope: `exams:read`. Items have everything of an exam but `code_spec`, groups and stats, which GET /exams/{id}
        has.

        Args:
            app: `svccode` where the exam has a `code_spec`, else `svc`.
            status: Only exams with this status.
            updated_since: Inclusive. Ask from a minute before the newest `updated_at` that you have seen: changes
                bear the moment at which their call began. At most 5 minutes ahead.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[ExamSummary],
            "GET",
            "/exams",
            query={"app": app, "status": status, "updated_since": updated_since, "cursor": cursor, "page": page, "limit": limit},
        )

    def iter(
        self,
        *,
        app: ListExamsApp | None = None,
        status: ListExamsStatus | None = None,
        updated_since: datetime | str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[ExamSummary]:
        """List exams, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            app: `svccode` where the exam has a `code_spec`, else `svc`.
            status: Only exams with this status.
            updated_since: Inclusive. Ask from a minute before the newest `updated_at` that you have seen: changes
                bear the moment at which their call began. At most 5 minutes ahead.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            ExamSummary,
            "/exams",
            query={"app": app, "status": status, "updated_since": updated_since, "limit": limit},
        )

    async def create(
        self,
        *,
        faculty_id: str,
        title: str,
        exam_type: CreateExamExamType | Omit = OMIT,
        max_score: float | Omit = OMIT,
        due_date: datetime | str | Omit | None = OMIT,
        time_limit_minutes: int | Omit | None = OMIT,
        allow_late_submission: bool | Omit = OMIT,
        late_penalty_percentage: float | Omit = OMIT,
        proctoring: ReplaceInstitutionConfigDefaultProctoring | Omit = OMIT,
        ai_policy: CreateExamAiPolicy | Omit = OMIT,
        code_spec: CreateExamCodeSpec | Omit | None = OMIT,
        publish: bool | Omit = OMIT,
        group_ids: Sequence[str] | Omit = OMIT,
        idempotency_key: str | None = None,
    ) -> Exam:
        """Create an exam, published unless `publish` is false.

        Scope: `exams:write`. A published exam with `group_ids` is assigned, announced and mailed at once; a draft
        when it is published. A group that is not of the institution: not_found, and nothing is created. A coding exam
        with hidden tests is created with `publish` false (otherwise `conflict`), and published once its code secret
        is set.

        Args:
            faculty_id: The owner: id or login email of an active faculty member.
            title: Shown to students and guardians.
            exam_type: What kind of work it is, for those who read it; the rules are the same for all.
            max_score: Above 0; up to two decimals.
            due_date: A submission after it is late; null: no submission is.
            time_limit_minutes: A countdown from when the student opens the exam; null: none. A change moves the end
                of attempts in progress, those of all students: more minutes are added at once, and fewer may end them at
                once.
            allow_late_submission: Whether work is accepted after `due_date`.
            late_penalty_percentage: Taken off late submissions; up to two decimals.
            proctoring: What the student must grant before the exam opens. Parts left out take `default_proctoring` of
                the institution config (nothing, unless it says otherwise); in a PATCH they stay.
            ai_policy: What the assistant may do. Parts left out take `default_ai_policy` of the institution config
                (not allowed, unless it says otherwise); in a PATCH they stay.
            code_spec: Makes it a coding exam.
            publish: False keeps a draft.
            group_ids: Assigns in the same call; of a published exam, students and verified guardians are emailed.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Exam,
            "POST",
            "/exams",
            json={"faculty_id": faculty_id, "title": title, "exam_type": exam_type, "max_score": max_score, "due_date": due_date, "time_limit_minutes": time_limit_minutes, "allow_late_submission": allow_late_submission, "late_penalty_percentage": late_penalty_percentage, "proctoring": proctoring, "ai_policy": ai_policy, "code_spec": code_spec, "publish": publish, "group_ids": group_ids},
            idempotency_key=idempotency_key,
        )

    async def get(
        self,
        id: str,
    ) -> Exam:
        """Get an exam with its groups and stats.

        Scope: `exams:read`.

        Args:
            id: The exam.
        """
        return await self._call(
            Exam,
            "GET",
            "/exams/{id}",
            path={"id": id},
        )

    async def update(
        self,
        id: str,
        *,
        faculty_id: str | Omit = OMIT,
        title: str | Omit = OMIT,
        exam_type: CreateExamExamType | Omit = OMIT,
        max_score: float | Omit = OMIT,
        due_date: datetime | str | Omit | None = OMIT,
        time_limit_minutes: int | Omit | None = OMIT,
        allow_late_submission: bool | Omit = OMIT,
        late_penalty_percentage: float | Omit = OMIT,
        proctoring: ReplaceInstitutionConfigDefaultProctoring | Omit = OMIT,
        ai_policy: CreateExamAiPolicy | Omit = OMIT,
        code_spec: CreateExamCodeSpec | Omit | None = OMIT,
        group_ids: Sequence[str] | Omit = OMIT,
        idempotency_key: str | None = None,
    ) -> Exam:
        """Change an exam; fields left out stay, `group_ids` replaces the assignments.

        Scope: `exams:write`. Conflict: anything but title, due_date, allow_late_submission and
        late_penalty_percentage of a closed exam; max_score below a score that was given; another code_spec once an
        attempt has started; hidden tests in a published exam without its code secret. Groups newly assigned to a
        published exam are announced.

        Args:
            id: The exam.
            faculty_id: The owner: id or login email of an active faculty member.
            title: Shown to students and guardians.
            exam_type: What kind of work it is, for those who read it; the rules are the same for all.
            max_score: Above 0; up to two decimals.
            due_date: A submission after it is late; null: no submission is.
            time_limit_minutes: A countdown from when the student opens the exam; null: none. A change moves the end
                of attempts in progress, those of all students: more minutes are added at once, and fewer may end them at
                once.
            allow_late_submission: Whether work is accepted after `due_date`.
            late_penalty_percentage: Taken off late submissions; up to two decimals.
            proctoring: What the student must grant before the exam opens. Parts left out take `default_proctoring` of
                the institution config (nothing, unless it says otherwise); in a PATCH they stay.
            ai_policy: What the assistant may do. Parts left out take `default_ai_policy` of the institution config
                (not allowed, unless it says otherwise); in a PATCH they stay.
            code_spec: Makes it a coding exam.
            group_ids: Replaces the assignments.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Exam,
            "PATCH",
            "/exams/{id}",
            path={"id": id},
            json={"faculty_id": faculty_id, "title": title, "exam_type": exam_type, "max_score": max_score, "due_date": due_date, "time_limit_minutes": time_limit_minutes, "allow_late_submission": allow_late_submission, "late_penalty_percentage": late_penalty_percentage, "proctoring": proctoring, "ai_policy": ai_policy, "code_spec": code_spec, "group_ids": group_ids},
            json_optional=True,
            idempotency_key=idempotency_key,
        )

    async def delete(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> DeleteExamResult:
        """Delete an exam that nobody has attempted, with its assignments.

        Scope: `exams:write`. Conflict once an attempt has started.

        Args:
            id: The exam.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            DeleteExamResult,
            "DELETE",
            "/exams/{id}",
            path={"id": id},
            idempotency_key=idempotency_key,
        )

    async def publish(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Exam:
        """Publish a draft: its groups see it, and their students and guardians are notified by mail.

        Scope: `exams:write`. No-op for a published exam. Conflict for a closed exam, and for a draft with hidden
        tests but no code secret (PUT /exams/{id}/code-secret sets it).

        Args:
            id: The exam.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Exam,
            "POST",
            "/exams/{id}/publish",
            path={"id": id},
            idempotency_key=idempotency_key,
        )

    async def close(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Exam:
        """Close a published exam: no attempt begins any more, and those in progress end.

        Scope: `exams:write`. What is not handed in by then cannot be handed in any more, and nothing opens the exam
        again. To let those who are writing finish, set a `due_date` by which they can, with `allow_late_submission`
        false, and close the exam after it; GET /exams/{id}/attempts lists who is still in progress. Grading stays
        possible. A closed exam is answered as it is; a draft is a conflict.

        Args:
            id: The exam.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Exam,
            "POST",
            "/exams/{id}/close",
            path={"id": id},
            idempotency_key=idempotency_key,
        )

    async def list_assignments(
        self,
        id: str,
        *,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[AssignedGroup]:
        """List the groups that an exam is assigned to, the newest assignment first.

        Scope: `exams:read`.

        Args:
            id: The exam.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[AssignedGroup],
            "GET",
            "/exams/{id}/assignments",
            path={"id": id},
            query={"cursor": cursor, "page": page, "limit": limit},
        )

    def iter_assignments(
        self,
        id: str,
        *,
        limit: int | None = None,
    ) -> AsyncIterator[AssignedGroup]:
        """List the groups that an exam is assigned to, the newest assignment first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            id: The exam.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            AssignedGroup,
            "/exams/{id}/assignments",
            path={"id": id},
            query={"limit": limit},
        )

    async def assign(
        self,
        id: str,
        *,
        group_ids: Sequence[str],
        idempotency_key: str | None = None,
    ) -> Page[AssignedGroup]:
        """Assign an exam to further groups.

        Scope: `exams:write`. Of a published exam, emits exam.assigned for each new group, and mails its students and
        their verified guardians. A group that is not of the institution: not_found, and nothing is assigned. Conflict
        for a closed exam, and beyond 500 groups. Returns the first page of all groups.

        Args:
            id: The exam.
            group_ids: Groups of the institution. No-op for groups that have the exam.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Page[AssignedGroup],
            "POST",
            "/exams/{id}/assignments",
            path={"id": id},
            json={"group_ids": group_ids},
            idempotency_key=idempotency_key,
        )

    async def list_attempts(
        self,
        id: str,
        *,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[ExamAttempt]:
        """List the attempts at an exam: who started and when, the latest first.

        Scope: `submissions:read`.

        Args:
            id: The exam.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[ExamAttempt],
            "GET",
            "/exams/{id}/attempts",
            path={"id": id},
            query={"cursor": cursor, "page": page, "limit": limit},
        )

    def iter_attempts(
        self,
        id: str,
        *,
        limit: int | None = None,
    ) -> AsyncIterator[ExamAttempt]:
        """List the attempts at an exam: who started and when, the latest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            id: The exam.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            ExamAttempt,
            "/exams/{id}/attempts",
            path={"id": id},
            query={"limit": limit},
        )

    async def list_scores(
        self,
        id: str,
        *,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[ExamScore]:
        """List the students assigned to an exam with their scores, by login email.

        Scope: `submissions:read`. Each student appears once, with the latest version of their submission; those
        without one are not_submitted.

        Args:
            id: The exam.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[ExamScore],
            "GET",
            "/exams/{id}/scores",
            path={"id": id},
            query={"cursor": cursor, "page": page, "limit": limit},
        )

    def iter_scores(
        self,
        id: str,
        *,
        limit: int | None = None,
    ) -> AsyncIterator[ExamScore]:
        """List the students assigned to an exam with their scores, by login email.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            id: The exam.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            ExamScore,
            "/exams/{id}/scores",
            path={"id": id},
            query={"limit": limit},
        )

    async def get_analytics(
        self,
        id: str,
    ) -> ExamAnalytics:
        """Get the analytics of an exam: statistics of its submissions and attempts.

        Scope: `submissions:read`. Each student counts once, with the latest version of their submission, also after
        leaving the groups that the exam is assigned to.

        Args:
            id: The exam.
        """
        return await self._call(
            ExamAnalytics,
            "GET",
            "/exams/{id}/analytics",
            path={"id": id},
        )

    async def export_scores(
        self,
        id: str,
    ) -> str:
        """Export the scores of an exam as CSV, a record for each assigned student.

        Scope: `submissions:read`. RFC 4180 in UTF-8 with a header record, by login email. A student counts once, by
        the latest version of their submission; without one the status is `not_submitted`. `student_id` is the
        institution’s own. A text that a spreadsheet would run as a formula has an apostrophe in front. The answer is
        sent as it is made: where something fails in between, the connection is reset and the file is to be asked for
        again.

        Args:
            id: The exam.
        """
        return await self._call_text(
            "GET",
            "/exams/{id}/export.csv",
            path={"id": id},
        )

    async def unassign(
        self,
        id: str,
        group_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> UnassignExamResult:
        """Unassign an exam from a group; attempts and submissions stay.

        Scope: `exams:write`.

        Args:
            id: The exam.
            group_id: The group.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            UnassignExamResult,
            "DELETE",
            "/exams/{id}/assignments/{groupId}",
            path={"id": id, "groupId": group_id},
            idempotency_key=idempotency_key,
        )

    async def set_code_secret(
        self,
        id: str,
        *,
        hidden_key_b64: str,
        idempotency_key: str | None = None,
    ) -> CodeSecretSet:
        """Set or replace the key of the hidden tests.

        Scope: `exams:write`.

        Args:
            id: The exam.
            hidden_key_b64: Base64 of the 32-byte AES key. Sealed before it is kept; never logged, never read back but
                by a release.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            CodeSecretSet,
            "PUT",
            "/exams/{id}/code-secret",
            path={"id": id},
            json={"hidden_key_b64": hidden_key_b64},
            idempotency_key=idempotency_key,
        )

    async def upload_file(
        self,
        id: str,
        *,
        file: FileInput,
        idempotency_key: str | None = None,
    ) -> StoredFile:
        """Upload a file of a coding exam: a starter, sample tests, or encrypted hidden tests.

        Scope: `exams:write`. multipart/form-data with one part, `file`; at most 50 MiB unless agreed otherwise. What
        is answered as `file` goes into `code_spec`, of this or another exam. A closed exam takes none, and none takes
        more than 100: conflict.

        Args:
            id: The exam.
            file: The file, with a filename.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            StoredFile,
            "POST",
            "/exams/{id}/files",
            path={"id": id},
            files={"file": file},
            idempotency_key=idempotency_key,
        )

    async def get_code_secret_status(
        self,
        id: str,
    ) -> CodeSecretStatus:
        """Get whether a key is set, and when it was released to whom; never the key.

        Scope: `exams:read`.

        Args:
            id: The exam.
        """
        return await self._call(
            CodeSecretStatus,
            "GET",
            "/exams/{id}/code-secret/status",
            path={"id": id},
        )

    async def release_code_secret(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> CodeSecret:
        """Read the key of the hidden tests, to re-run them; each time is kept on record.

        Scope: `exams:write`.

        Args:
            id: The exam.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            CodeSecret,
            "POST",
            "/exams/{id}/code-secret/release",
            path={"id": id},
            idempotency_key=idempotency_key,
        )


class AsyncSubmissionsResource(AsyncResource):
    async def list(
        self,
        *,
        exam_id: str | None = None,
        status: ListSubmissionsStatus | None = None,
        student_id: str | None = None,
        since: datetime | str | None = None,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[SubmissionSummary]:
        """List submissions, every version, newest first.

        Scope: `submissions:read`. Items have everything of a submission but text, files, `ai_usage_data` and
        versions, which GET /submissions/{id} has.

        Args:
            exam_id: Only submissions of this exam.
            status: Only submissions with this status.
            student_id: Internal id or login email; a text in neither form is a `validation_error`.
            since: Exclusive, of `updated_at`. Ask from a minute before the newest that you have seen: changes bear
                the moment at which their call began. At most 5 minutes ahead.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[SubmissionSummary],
            "GET",
            "/submissions",
            query={"exam_id": exam_id, "status": status, "student_id": student_id, "since": since, "cursor": cursor, "page": page, "limit": limit},
        )

    def iter(
        self,
        *,
        exam_id: str | None = None,
        status: ListSubmissionsStatus | None = None,
        student_id: str | None = None,
        since: datetime | str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[SubmissionSummary]:
        """List submissions, every version, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            exam_id: Only submissions of this exam.
            status: Only submissions with this status.
            student_id: Internal id or login email; a text in neither form is a `validation_error`.
            since: Exclusive, of `updated_at`. Ask from a minute before the newest that you have seen: changes bear
                the moment at which their call began. At most 5 minutes ahead.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            SubmissionSummary,
            "/submissions",
            query={"exam_id": exam_id, "status": status, "student_id": student_id, "since": since, "limit": limit},
        )

    async def get(
        self,
        id: str,
    ) -> Submission:
        """Get a submission with its files and all versions.

        Scope: `submissions:read`. URLs of files are valid for one hour. `recordings` is there for keys with
        submissions:write alone.

        Args:
            id: The submission.
        """
        return await self._call(
            Submission,
            "GET",
            "/submissions/{id}",
            path={"id": id},
        )

    async def list_events(
        self,
        id: str,
        *,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> SubmissionEvents:
        """Read what happened in the attempt that a submission came from, oldest first.

        Scope: `submissions:read`.

        Args:
            id: The submission.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            SubmissionEvents,
            "GET",
            "/submissions/{id}/events",
            path={"id": id},
            query={"cursor": cursor, "page": page, "limit": limit},
        )

    async def grade(
        self,
        id: str,
        *,
        score: float,
        feedback: str | Omit | None = OMIT,
        graded_by: str | Omit | None = OMIT,
        idempotency_key: str | None = None,
    ) -> Submission:
        """Grade a submission, again too, or ask for a resubmission with the score -1.

        Scope: `submissions:write`. A late one loses the exam's late penalty. Emits exam.graded; -1 also mails the
        student and their verified guardians, and lets the student submit again while the exam is published and still
        takes submissions; what comes after the due date is late. Conflict: a voided submission, any version but the
        latest, and one of a student who was erased.

        Args:
            id: The submission.
            score: From 0 to the exam's max_score, with up to two decimals; -1 asks for a resubmission.
            feedback: Replaces earlier feedback; if absent, there is no feedback.
            graded_by: An active faculty member, by id or login email; the exam's owner by default.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Submission,
            "POST",
            "/submissions/{id}/grade",
            path={"id": id},
            json={"score": score, "feedback": feedback, "graded_by": graded_by},
            idempotency_key=idempotency_key,
        )

    async def void(
        self,
        id: str,
        *,
        reason: str | Omit | None = OMIT,
        idempotency_key: str | None = None,
    ) -> Submission:
        """Void a submission: it counts no more, and the student may submit again.

        Scope: `submissions:write`. They may while the exam is published and still takes submissions; what comes after
        the due date is late. void_failed: a voided submission, one that is to be made again, any version but the
        latest, and one of a student who was erased. No event.

        Args:
            id: The submission.
            reason: Why; returned as `void_reason`.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Submission,
            "POST",
            "/submissions/{id}/void",
            path={"id": id},
            json={"reason": reason},
            json_optional=True,
            idempotency_key=idempotency_key,
        )


class AsyncGuardiansResource(AsyncResource):
    async def list(
        self,
        *,
        student_id: str | None = None,
        verified: bool | None = None,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[GuardianLink]:
        """List guardian links, newest first.

        Scope: `guardians:read`.

        Args:
            student_id: Internal id or login email; a text in neither form is a `validation_error`.
            verified: Whether the guardian has signed in.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[GuardianLink],
            "GET",
            "/guardians",
            query={"student_id": student_id, "verified": verified, "cursor": cursor, "page": page, "limit": limit},
        )

    def iter(
        self,
        *,
        student_id: str | None = None,
        verified: bool | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[GuardianLink]:
        """List guardian links, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            student_id: Internal id or login email; a text in neither form is a `validation_error`.
            verified: Whether the guardian has signed in.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            GuardianLink,
            "/guardians",
            query={"student_id": student_id, "verified": verified, "limit": limit},
        )

    async def invite(
        self,
        *,
        student_id: str,
        guardian_email: str,
        guardian_type: InviteGuardianGuardianType,
        guardian_name: str | Omit | None = OMIT,
        is_primary: bool | Omit = OMIT,
        idempotency_key: str | None = None,
    ) -> GuardianLink:
        """Link a guardian to a student, and invite them by mail.

        Scope: `guardians:write`. Emits guardian.invited. The email is sent after the response, and a reminder after 3
        days; the invitation expires after 14 days and can be sent again. At most 20 guardians a student, and 10
        invitations to one address within 24 hours: conflict.

        Args:
            student_id: Internal id or login email.
            guardian_email: An address of the guardian’s own. One address is one guardian, of whom a student has one
                link.
            guardian_type: What the guardian is to the student.
            guardian_name: The guardian's name, if you know it.
            is_primary: False by default. A primary guardian takes the place of the primary one before.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            GuardianLink,
            "POST",
            "/guardians",
            json={"student_id": student_id, "guardian_email": guardian_email, "guardian_type": guardian_type, "guardian_name": guardian_name, "is_primary": is_primary},
            idempotency_key=idempotency_key,
        )

    async def remove(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> RemoveGuardianResult:
        """Remove a guardian from a student; their access to the student ends at once.

        Scope: `guardians:write`. Removing the last link of a guardian ends their sessions. No event.

        Args:
            id: The guardian link.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            RemoveGuardianResult,
            "DELETE",
            "/guardians/{id}",
            path={"id": id},
            idempotency_key=idempotency_key,
        )

    async def list_reports(
        self,
        *,
        since: datetime | str | None = None,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[WeeklyReport]:
        """List the weekly Alpha reports of verified guardians, newest first.

        Scope: `guardians:read`. One item for each report and verified guardian of its student. The reports of a week
        are written on the Monday after it, at 12:10 UTC, for students with a verified guardian who are enrolled or
        were active in the week, and sent to the guardians by mail, one email each. They are kept for 104 weeks.
        `since` is exclusive: give the newest `created_at` that you have. An item is created when the report is
        written and its guardian verified: older reports come as new items of a guardian who is verified later. A
        later change of `sent_at` does not return the item again.

        Args:
            since: Exclusive, of `created_at`: give the newest that you have. At most 5 minutes ahead.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[WeeklyReport],
            "GET",
            "/guardians/reports",
            query={"since": since, "cursor": cursor, "page": page, "limit": limit},
        )

    def iter_reports(
        self,
        *,
        since: datetime | str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[WeeklyReport]:
        """List the weekly Alpha reports of verified guardians, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            since: Exclusive, of `created_at`: give the newest that you have. At most 5 minutes ahead.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            WeeklyReport,
            "/guardians/reports",
            query={"since": since, "limit": limit},
        )

    async def erase(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> Erasure:
        """Erase the guardian of a link, with all links of this address in the institution.

        Scope: `guardians:write`. At once the person, their links, sessions and sign-in codes are deleted; a workflow
        erases everything else; GET …/erasure shows its progress and, at the end, the certificate. A second call
        returns the erasure as it is. This cannot be undone. Both are found by the id of any of the links. No event.

        Args:
            id: The guardian link.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Erasure,
            "POST",
            "/guardians/{id}/erase",
            path={"id": id},
            idempotency_key=idempotency_key,
        )

    async def get_erasure(
        self,
        id: str,
    ) -> Erasure:
        """Get a guardian's erasure by the id of a former link: its progress, and the certificate once it is done.

        Scope: `guardians:read`.

        Args:
            id: The guardian link.
        """
        return await self._call(
            Erasure,
            "GET",
            "/guardians/{id}/erasure",
            path={"id": id},
        )

    async def resend_invitation(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> GuardianLink:
        """Resend the invitation of a guardian link; valid for 14 days from now.

        Scope: `guardians:write`. The previous invitation is no longer valid, even if it was accepted. Conflict within
        10 minutes of the previous invitation (the message says when it can be sent again), and after 10 invitations
        to the address within 24 hours. No event.

        Args:
            id: The guardian link.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            GuardianLink,
            "POST",
            "/guardians/{id}/resend",
            path={"id": id},
            idempotency_key=idempotency_key,
        )


class AsyncAlphaResource(AsyncResource):
    async def get_leaderboard(
        self,
        *,
        limit: int | None = None,
    ) -> GetLeaderboardResult:
        """The students with the most points; suspended ones and those without points are left out.

        Scope: `alpha:read`.

        Args:
            limit: So many students, 100 at most.
        """
        return await self._call(
            GetLeaderboardResult,
            "GET",
            "/alpha/leaderboard",
            query={"limit": limit},
        )

    async def list_curricula(
        self,
        *,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[Curriculum]:
        """List the published curricula, shared ones and the institution's own, newest first.

        Scope: `alpha:read`. Without their concepts, which `GET /alpha/curricula/{id}` has.

        Args:
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[Curriculum],
            "GET",
            "/alpha/curricula",
            query={"cursor": cursor, "page": page, "limit": limit},
        )

    def iter_curricula(
        self,
        *,
        limit: int | None = None,
    ) -> AsyncIterator[Curriculum]:
        """List the published curricula, shared ones and the institution's own, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            Curriculum,
            "/alpha/curricula",
            query={"limit": limit},
        )

    async def list_enrollments(
        self,
        *,
        student_id: str | None = None,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[Enrollment]:
        """List enrollments, newest first.

        Scope: `alpha:read`.

        Args:
            student_id: The student's internal id or login email; a text in neither form is a `validation_error`.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[Enrollment],
            "GET",
            "/alpha/enrollments",
            query={"student_id": student_id, "cursor": cursor, "page": page, "limit": limit},
        )

    def iter_enrollments(
        self,
        *,
        student_id: str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[Enrollment]:
        """List enrollments, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            student_id: The student's internal id or login email; a text in neither form is a `validation_error`.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            Enrollment,
            "/alpha/enrollments",
            query={"student_id": student_id, "limit": limit},
        )

    async def enroll_students(
        self,
        *,
        curriculum_id: str,
        student_ids: Sequence[str],
        daily_target_minutes: int | Omit = OMIT,
        idempotency_key: str | None = None,
    ) -> Enrolled:
        """Enroll up to 200 students in a published curriculum.

        Scope: `alpha:write`. Students who already have an enrollment in it that is not withdrawn keep it unchanged,
        with its daily target, so the call is safe to repeat.

        Args:
            curriculum_id: A published curriculum.
            student_ids: By internal id or login email; unknown, foreign, repeated and suspended ones are skipped.
                `no_valid_students` when all are.
            daily_target_minutes: Minutes a day that count towards the streak; 30 without it.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Enrolled,
            "POST",
            "/alpha/enrollments",
            json={"curriculum_id": curriculum_id, "student_ids": student_ids, "daily_target_minutes": daily_target_minutes},
            idempotency_key=idempotency_key,
        )

    async def get_student(
        self,
        id: str,
    ) -> AlphaStudent:
        """Get a student's points, streak, badges, enrollments and last days.

        Scope: `alpha:read`.

        Args:
            id: Internal id or generated login email.
        """
        return await self._call(
            AlphaStudent,
            "GET",
            "/alpha/students/{id}",
            path={"id": id},
        )

    async def get_curriculum(
        self,
        id: str,
    ) -> CurriculumDetails:
        """Get a published curriculum, shared or the institution's own, with its concepts.

        Scope: `alpha:read`.

        Args:
            id: Id of the curriculum.
        """
        return await self._call(
            CurriculumDetails,
            "GET",
            "/alpha/curricula/{id}",
            path={"id": id},
        )

    async def update_enrollment(
        self,
        id: str,
        *,
        status: UpdateEnrollmentStatus,
        idempotency_key: str | None = None,
    ) -> Enrollment:
        """Pause, resume or withdraw an enrollment.

        Scope: `alpha:write`. Completed and withdrawn enrollments cannot be changed: conflict. To undo a withdrawal,
        enroll the student again; mastered concepts are kept.

        Args:
            id: Id of the enrollment.
            status: `completed` is reached by mastering every concept.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Enrollment,
            "PATCH",
            "/alpha/enrollments/{id}",
            path={"id": id},
            json={"status": status},
            idempotency_key=idempotency_key,
        )

    async def list_mastery(
        self,
        id: str,
        *,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[ConceptMastery]:
        """List a student's concepts with score and status.

        Scope: `alpha:read`. Every concept of each curriculum that the student is or was enrolled in: the curriculum
        of the newest enrollment first, its concepts in their own order.

        Args:
            id: Internal id or generated login email.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[ConceptMastery],
            "GET",
            "/alpha/students/{id}/mastery",
            path={"id": id},
            query={"cursor": cursor, "page": page, "limit": limit},
        )

    def iter_mastery(
        self,
        id: str,
        *,
        limit: int | None = None,
    ) -> AsyncIterator[ConceptMastery]:
        """List a student's concepts with score and status.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            id: Internal id or generated login email.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            ConceptMastery,
            "/alpha/students/{id}/mastery",
            path={"id": id},
            query={"limit": limit},
        )

    async def get_points(
        self,
        id: str,
        *,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> StudentPoints:
        """Get a student's points: stats, and one page of the ledger.

        Scope: `alpha:read`.

        Args:
            id: Internal id or generated login email.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            StudentPoints,
            "GET",
            "/alpha/students/{id}/points",
            path={"id": id},
            query={"cursor": cursor, "page": page, "limit": limit},
        )

    async def award_points(
        self,
        id: str,
        *,
        points: int,
        ref: str,
        note: str | Omit | None = OMIT,
        idempotency_key: str | None = None,
    ) -> PointsAwarded:
        """Award or deduct points; idempotent per `ref`.

        Scope: `alpha:write`. A repeat with the same student, points and note returns the first result, with `applied:
        false`. Conflict for a different request under the same ref, and for a deduction of more points than the
        student has. Emits alpha.points_awarded.

        Args:
            id: Internal id or generated login email.
            points: Negative takes points; not 0.
            ref: Unique in the institution: a repeat of the same award under it is answered as the first time and
                awards nothing.
            note: What the points are for.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            PointsAwarded,
            "POST",
            "/alpha/students/{id}/points",
            path={"id": id},
            json={"points": points, "note": note, "ref": ref},
            idempotency_key=idempotency_key,
        )


class AsyncMeritsResource(AsyncResource):
    async def get_allowance(
        self,
    ) -> Allowance:
        """Get what the institution has left to credit.

        Scope: `merits:read`.
        """
        return await self._call(
            Allowance,
            "GET",
            "/merits/allowance",
        )

    async def credit(
        self,
        *,
        email: str,
        amount_cents: int,
        ref: str,
        reason: str | Omit | None = OMIT,
        idempotency_key: str | None = None,
    ) -> Credit:
        """Credit a person's wallet from the allowance; idempotent per ref.

        Scope: `merits:write`. A repeat with the same body always returns the first result, with `applied: false`; the
        same ref with another person, amount or reason: conflict. An error response changes nothing, so the same ref
        may be sent again. Emits merits.credited.

        Args:
            email: The login email of a student or faculty member; the internal id is taken, too.
            amount_cents: Cents; 100 cents are 1 merit.
            ref: The caller's own, unique in the institution: what is sent again under it moves nothing again.
            reason: Kept with the move.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Credit,
            "POST",
            "/merits/credits",
            json={"email": email, "amount_cents": amount_cents, "reason": reason, "ref": ref},
            idempotency_key=idempotency_key,
        )

    async def list_ledger(
        self,
        *,
        since: datetime | str | None = None,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[LedgerMove]:
        """List every move of money in the institution, newest first.

        Scope: `merits:read`. Each move has a unique `created_at`, later than that of every move before it: a caller
        that sends the newest `created_at` it has as `since` misses no move.

        Args:
            since: Exclusive, of `created_at`. At most 5 minutes ahead.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[LedgerMove],
            "GET",
            "/merits/ledger",
            query={"since": since, "cursor": cursor, "page": page, "limit": limit},
        )

    def iter_ledger(
        self,
        *,
        since: datetime | str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[LedgerMove]:
        """List every move of money in the institution, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            since: Exclusive, of `created_at`. At most 5 minutes ahead.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            LedgerMove,
            "/merits/ledger",
            query={"since": since, "limit": limit},
        )

    async def get_wallet(
        self,
        email: str,
    ) -> Wallet:
        """Get a person's wallet: balance and last 50 moves.

        Scope: `merits:read`. Every student and faculty member has one, empty before its first move, and keeps it when
        suspended.

        Args:
            email: Login email of a student or faculty member, case-insensitive, percent-encoded or not; or the
                internal id.
        """
        return await self._call(
            Wallet,
            "GET",
            "/merits/wallets/{email}",
            path={"email": email},
        )


class AsyncCouponsResource(AsyncResource):
    async def list_batches(
        self,
        *,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[CouponBatchSummary]:
        """List coupon batches, newest first.

        Scope: `coupons:read`.

        Args:
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[CouponBatchSummary],
            "GET",
            "/coupons/batches",
            query={"cursor": cursor, "page": page, "limit": limit},
        )

    def iter_batches(
        self,
        *,
        limit: int | None = None,
    ) -> AsyncIterator[CouponBatchSummary]:
        """List coupon batches, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            CouponBatchSummary,
            "/coupons/batches",
            query={"limit": limit},
        )

    async def request_batch(
        self,
        *,
        name: str,
        total_coupons: int,
        value_cents: int,
        expiry_date: datetime | str,
        idempotency_key: str | None = None,
    ) -> CouponBatch:
        """Request a batch of coupons; a platform admin approves or rejects it.

        Scope: `coupons:write`. After a call that got no answer, send it again with the same Idempotency-Key: without
        one, the same call requests another batch. Conflict while 100 wait for a decision. Emits
        coupon.batch_requested.

        Args:
            name: For people; need not be unique.
            total_coupons: How many codes are wanted.
            value_cents: What each coupon credits, in cents.
            expiry_date: In the future, ten years away at most. Undecided, the request expires then; the coupons of an
                approved one too.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            CouponBatch,
            "POST",
            "/coupons/batches",
            json={"name": name, "total_coupons": total_coupons, "value_cents": value_cents, "expiry_date": expiry_date},
            idempotency_key=idempotency_key,
        )

    async def list_redemptions(
        self,
        *,
        since: datetime | str | None = None,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[CouponRedemption]:
        """List who has redeemed which coupons, newest first.

        Scope: `coupons:read`.

        Args:
            since: Exclusive, of `redeemed_at`: pass the newest that you have seen, and none is missed or repeated. At
                most 5 minutes ahead.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[CouponRedemption],
            "GET",
            "/coupons/redemptions",
            query={"since": since, "cursor": cursor, "page": page, "limit": limit},
        )

    def iter_redemptions(
        self,
        *,
        since: datetime | str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CouponRedemption]:
        """List who has redeemed which coupons, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            since: Exclusive, of `redeemed_at`: pass the newest that you have seen, and none is missed or repeated. At
                most 5 minutes ahead.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            CouponRedemption,
            "/coupons/redemptions",
            query={"since": since, "limit": limit},
        )

    async def get_batch(
        self,
        id: str,
    ) -> CouponBatch:
        """Get a coupon batch; its codes once it is approved.

        Scope: `coupons:read`.

        Args:
            id: A coupon batch.
        """
        return await self._call(
            CouponBatch,
            "GET",
            "/coupons/batches/{id}",
            path={"id": id},
        )


class AsyncEventsResource(AsyncResource):
    async def list(
        self,
        *,
        since: datetime | str | None = None,
        type: EventPattern | None = None,
        limit: int | None = None,
    ) -> ListEventsResult:
        """Follow the events without webhooks, oldest first.

        Scope: `webhooks:read`. Pass `next_since` of each response as the next `since`: no event is missed and none
        repeated. Events are kept for 30 days; `event_pruned` says that one which would have matched after `since` is
        no longer kept.

        Args:
            since: Returns events created after this time, exclusive: pass next_since of the last response, which is
                always accepted. At most 5 minutes ahead otherwise.
            type: An event type, a prefix such as `exam.*`, or `*`. Operational events (`endpoint.*`) are listed only
                where their type is named.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            ListEventsResult,
            "GET",
            "/events",
            query={"since": since, "type": type, "limit": limit},
        )

    async def list_types(
        self,
    ) -> ListEventTypesResult:
        """List the event types with the schema of their data.

        Scope: `webhooks:read`.
        """
        return await self._call(
            ListEventTypesResult,
            "GET",
            "/events/types",
        )


class AsyncWebhooksResource(AsyncResource):
    async def list_endpoints(
        self,
        *,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[WebhookEndpoint]:
        """List webhook endpoints, newest first.

        Scope: `webhooks:read`.

        Args:
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[WebhookEndpoint],
            "GET",
            "/webhooks/endpoints",
            query={"cursor": cursor, "page": page, "limit": limit},
        )

    def iter_endpoints(
        self,
        *,
        limit: int | None = None,
    ) -> AsyncIterator[WebhookEndpoint]:
        """List webhook endpoints, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            WebhookEndpoint,
            "/webhooks/endpoints",
            query={"limit": limit},
        )

    async def create_endpoint(
        self,
        *,
        url: str,
        events: Sequence[EventPattern],
        description: str | Omit | None = OMIT,
        rate_limit: int | Omit | None = OMIT,
        headers: Mapping[str, str] | Omit | None = OMIT,
        signature_scheme: CreateWebhookEndpointSignatureScheme | Omit = OMIT,
        idempotency_key: str | None = None,
    ) -> WebhookEndpointWithSecret:
        """Create a webhook endpoint; its signing secret is returned only once.

        Scope: `webhooks:write`. At most 20 endpoints an institution, and 60 created within an hour, deleted ones
        included (`endpoint_limit`). The host must be public, by its name and by what it resolves to.

        Args:
            url: Public https, without credentials or fragment, port 443 or 1024 to 65535.
            events: `*`, prefixes such as `exam.*`, or exact types; at least one (`events_required`), each kept once.
                `*` leaves out operational events (`endpoint.*`).
            description: Of your choice, such as what receives the events; null for none.
            rate_limit: Deliveries per second at most, first attempts and retries together; further ones wait as
                `pending`, oldest first. Null: no limit.
            headers: Headers that each attempt also has, by name: all of them, in place of the earlier ones; null
                removes them. At most 10, and 4096 bytes in all. Names that HTTP or this service uses itself are refused.
                Stored sealed, and shown by name only.
            signature_scheme: `ed25519` adds a signature that anyone can verify with `public_key` and nobody forge;
                the signatures by the secret stay. `hmac` takes the key away.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            WebhookEndpointWithSecret,
            "POST",
            "/webhooks/endpoints",
            json={"url": url, "description": description, "events": events, "rate_limit": rate_limit, "headers": headers, "signature_scheme": signature_scheme},
            idempotency_key=idempotency_key,
        )

    async def list_deliveries(
        self,
        *,
        status: ListDeliveriesStatus | None = None,
        endpoint_id: str | None = None,
        event_id: str | None = None,
        event_type: ListDeliveriesEventType | None = None,
        response_code: str | None = None,
        error_class: ListDeliveriesErrorClass | None = None,
        sent_by: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[Delivery]:
        """List deliveries, newest first.

        Scope: `webhooks:read`.

        Args:
            status: For example `dead`. `open`: those that have not ended: `pending`, `retrying` or `held`.
            endpoint_id: Deliveries to this endpoint.
            event_id: Deliveries of this event.
            event_type: An exact event type, no pattern such as `exam.*`. A `ping` is no delivery.
            response_code: Status code of the last attempt's response, such as `503`, or a class such as `5xx`.
            error_class: Where the last attempt failed; those that are delivered have none.
            sent_by: Sent by this recovery or replay of dead deliveries, its `workflow_id`, or under this `ref` of a
                replay. `total` is how many it has released so far.
            since: Created after this moment, exclusively. At most 5 minutes ahead.
            until: Created up to this moment, inclusively.
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[Delivery],
            "GET",
            "/webhooks/deliveries",
            query={"status": status, "endpoint_id": endpoint_id, "event_id": event_id, "event_type": event_type, "response_code": response_code, "error_class": error_class, "sent_by": sent_by, "since": since, "until": until, "cursor": cursor, "page": page, "limit": limit},
        )

    def iter_deliveries(
        self,
        *,
        status: ListDeliveriesStatus | None = None,
        endpoint_id: str | None = None,
        event_id: str | None = None,
        event_type: ListDeliveriesEventType | None = None,
        response_code: str | None = None,
        error_class: ListDeliveriesErrorClass | None = None,
        sent_by: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[Delivery]:
        """List deliveries, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            status: For example `dead`. `open`: those that have not ended: `pending`, `retrying` or `held`.
            endpoint_id: Deliveries to this endpoint.
            event_id: Deliveries of this event.
            event_type: An exact event type, no pattern such as `exam.*`. A `ping` is no delivery.
            response_code: Status code of the last attempt's response, such as `503`, or a class such as `5xx`.
            error_class: Where the last attempt failed; those that are delivered have none.
            sent_by: Sent by this recovery or replay of dead deliveries, its `workflow_id`, or under this `ref` of a
                replay. `total` is how many it has released so far.
            since: Created after this moment, exclusively. At most 5 minutes ahead.
            until: Created up to this moment, inclusively.
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            Delivery,
            "/webhooks/deliveries",
            query={"status": status, "endpoint_id": endpoint_id, "event_id": event_id, "event_type": event_type, "response_code": response_code, "error_class": error_class, "sent_by": sent_by, "since": since, "until": until, "limit": limit},
        )

    async def get_endpoint(
        self,
        id: str,
    ) -> WebhookEndpoint:
        """Get a webhook endpoint.

        Scope: `webhooks:read`.

        Args:
            id: Id of the webhook endpoint.
        """
        return await self._call(
            WebhookEndpoint,
            "GET",
            "/webhooks/endpoints/{id}",
            path={"id": id},
        )

    async def update_endpoint(
        self,
        id: str,
        *,
        url: str | Omit = OMIT,
        description: str | Omit | None = OMIT,
        events: Sequence[EventPattern] | Omit = OMIT,
        rate_limit: int | Omit | None = OMIT,
        headers: Mapping[str, str] | Omit | None = OMIT,
        signature_scheme: CreateWebhookEndpointSignatureScheme | Omit = OMIT,
        status: UpdateWebhookEndpointStatus | Omit = OMIT,
        idempotency_key: str | None = None,
    ) -> WebhookEndpoint:
        """Change, pause or resume a webhook endpoint; fields left out stay.

        Scope: `webhooks:write`. A disabled endpoint comes back with `status: active`; pausing it is a `conflict`.
        Support staff may change `status` alone.

        Args:
            id: Id of the webhook endpoint.
            url: Public https, without credentials or fragment, port 443 or 1024 to 65535.
            description: Of your choice, such as what receives the events; null for none.
            events: `*`, prefixes such as `exam.*`, or exact types; at least one (`events_required`), each kept once.
                `*` leaves out operational events (`endpoint.*`).
            rate_limit: Deliveries per second at most, first attempts and retries together; further ones wait as
                `pending`, oldest first. Null: no limit.
            headers: Headers that each attempt also has, by name: all of them, in place of the earlier ones; null
                removes them. At most 10, and 4096 bytes in all. Names that HTTP or this service uses itself are refused.
                Stored sealed, and shown by name only.
            signature_scheme: `ed25519` adds a signature that anyone can verify with `public_key` and nobody forge;
                the signatures by the secret stay. `hmac` takes the key away.
            status: `paused` holds deliveries and stops their clock; `active` releases them, and reactivates a
                disabled endpoint.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            WebhookEndpoint,
            "PATCH",
            "/webhooks/endpoints/{id}",
            path={"id": id},
            json={"url": url, "description": description, "events": events, "rate_limit": rate_limit, "headers": headers, "signature_scheme": signature_scheme, "status": status},
            json_optional=True,
            idempotency_key=idempotency_key,
        )

    async def delete_endpoint(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> DeleteWebhookEndpointResult:
        """Delete a webhook endpoint; its open deliveries are cancelled, all stay readable.

        Scope: `webhooks:write`.

        Args:
            id: Id of the webhook endpoint.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            DeleteWebhookEndpointResult,
            "DELETE",
            "/webhooks/endpoints/{id}",
            path={"id": id},
            idempotency_key=idempotency_key,
        )

    async def get_delivery(
        self,
        id: str,
    ) -> DeliveryWithLog:
        """Get a delivery with its attempts.

        Scope: `webhooks:read`.

        Args:
            id: Id of the delivery.
        """
        return await self._call(
            DeliveryWithLog,
            "GET",
            "/webhooks/deliveries/{id}",
            path={"id": id},
        )

    async def rotate_secret(
        self,
        id: str,
        *,
        grace_hours: int | Omit = OMIT,
        idempotency_key: str | None = None,
    ) -> WebhookEndpointWithSecret:
        """Rotate the signing secret; the new secret is returned only once.

        Scope: `webhooks:write`. During the grace attempts carry the signatures of both secrets, newest first, and of
        both keys where the endpoint has one; `grace_hours: 0` ends the old one at once.

        Args:
            id: Id of the webhook endpoint.
            grace_hours: For how many hours attempts carry the signatures of both secrets.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            WebhookEndpointWithSecret,
            "POST",
            "/webhooks/endpoints/{id}/rotate-secret",
            path={"id": id},
            json={"grace_hours": grace_hours},
            json_optional=True,
            idempotency_key=idempotency_key,
        )

    async def test_endpoint(
        self,
        id: str,
        *,
        event_type: TestWebhookEndpointEventType | Omit = OMIT,
        idempotency_key: str | None = None,
    ) -> WebhookTest:
        """Send a `ping`, or the sample of another event type, to a webhook endpoint and wait for its response.

        Scope: `webhooks:write`. Signed and checked as every delivery is, once and for 10 seconds at most; it appears
        neither among events nor deliveries. Where it is accepted and deliveries are held because their attempts
        failed, the oldest of them is tried at once.

        Args:
            id: Id of the webhook endpoint.
            event_type: Its sample is sent, as `GET /events/types` shows it.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            WebhookTest,
            "POST",
            "/webhooks/endpoints/{id}/test",
            path={"id": id},
            json={"event_type": event_type},
            json_optional=True,
            idempotency_key=idempotency_key,
        )

    async def replay_dead_deliveries(
        self,
        id: str,
        *,
        since: datetime | str,
        until: datetime | str | Omit = OMIT,
        event_types: Sequence[EventPattern] | Omit = OMIT,
        response_codes: Sequence[str] | Omit = OMIT,
        dry_run: bool | Omit = OMIT,
        idempotency_key: str | None = None,
    ) -> BulkReplay:
        """Resend every dead delivery of an endpoint, oldest first.

        Scope: `webhooks:write`. Those whose events are still kept, each with a new window of 12 hours; with `until`,
        `event_types` or `response_codes`, only those that match all of them. With `dry_run` it only counts. The
        replay continues after the response, and stops when the endpoint is paused, disabled or deleted.

        Args:
            id: Id of the webhook endpoint.
            since: Dead deliveries created after this moment, exclusively. At most 5 minutes ahead.
            until: Created up to this moment, inclusively; without it, up to the newest event.
            event_types: Only of these types: exact ones, prefixes such as `exam.*`, or `*`.
            response_codes: Only those whose last attempt was answered so: status codes such as `503`, or classes such
                as `5xx`.
            dry_run: Only counts, also for an endpoint that is paused or disabled; nothing is sent.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            BulkReplay,
            "POST",
            "/webhooks/endpoints/{id}/replay-dead",
            path={"id": id},
            json={"since": since, "until": until, "event_types": event_types, "response_codes": response_codes, "dry_run": dry_run},
            idempotency_key=idempotency_key,
        )

    async def recover_deliveries(
        self,
        id: str,
        *,
        since: datetime | str,
        until: datetime | str | Omit = OMIT,
        event_types: Sequence[EventPattern] | Omit = OMIT,
        dry_run: bool | Omit = OMIT,
        idempotency_key: str | None = None,
    ) -> EndpointRecovery:
        """Send an endpoint the events of a time for which it has no delivery, oldest first.

        Scope: `webhooks:write`. For events that happened while the endpoint was disabled, or before it existed: those
        that it subscribes to now and that are still kept each get a delivery, with a window of 12 hours from now. An
        event with a delivery, in any status, gets no other. With `dry_run` it only counts. The recovery continues
        after the response, and stops when the endpoint is paused, disabled or deleted.

        Args:
            id: Id of the webhook endpoint.
            since: Events that happened after this moment, exclusively. At most 5 minutes ahead.
            until: Events that happened up to this moment, inclusively; without it, up to the newest event.
            event_types: Only events of these types, of those that the endpoint subscribes to: exact ones, prefixes
                such as `exam.*`, or `*`.
            dry_run: Only counts, also for an endpoint that is paused or disabled; nothing is sent.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            EndpointRecovery,
            "POST",
            "/webhooks/endpoints/{id}/recover",
            path={"id": id},
            json={"since": since, "until": until, "event_types": event_types, "dry_run": dry_run},
            idempotency_key=idempotency_key,
        )

    async def replay_delivery(
        self,
        id: str,
        *,
        ref: str | Omit = OMIT,
        idempotency_key: str | None = None,
    ) -> ReplayedDelivery:
        """Resend a delivered, dead or cancelled delivery, with a new window of 12 hours.

        Scope: `webhooks:write`. The same delivery id and the same envelope. While the delivery is open: `conflict`.
        While the endpoint is paused or disabled, a replay is always `endpoint_inactive`, even where the delivery is
        still open.

        Args:
            id: Id of the delivery.
            ref: Makes the replay idempotent: the same ref again for this delivery answers it with `applied: false`.
                Each delivery has refs of its own.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            ReplayedDelivery,
            "POST",
            "/webhooks/deliveries/{id}/replay",
            path={"id": id},
            json={"ref": ref},
            json_optional=True,
            idempotency_key=idempotency_key,
        )

    async def get_endpoint_statistics(
        self,
        id: str,
        *,
        period: GetWebhookEndpointStatisticsPeriod | None = None,
    ) -> EndpointStatistics:
        """Count the attempts at a webhook endpoint, their failures and latency.

        Scope: `webhooks:read`. By the hour of the last 24 hours, or by 24 hours of the last 30 days.

        Args:
            id: Id of the webhook endpoint.
            period: `24h`: 24 ranges of an hour. `30d`: 30 ranges of 24 hours. Both end with the present hour.
        """
        return await self._call(
            EndpointStatistics,
            "GET",
            "/webhooks/endpoints/{id}/statistics",
            path={"id": id},
            query={"period": period},
        )


class AsyncSandboxResource(AsyncResource):
    async def reset(
        self,
        *,
        idempotency_key: str | None = None,
    ) -> ResetSandboxResult:
        """Reset the sandbox: erase its data, as if it was new.

        Scope: `institution:write`. Test keys alone: `not_found` with a live key. Answers at once; a workflow erases
        the data, the files and the clock. Until it is done every other call of a test key is `conflict`. Keys and
        audit log stay, and the config is that of the institution again. A repetition while a reset is under way
        changes nothing.

        Args:
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            ResetSandboxResult,
            "DELETE",
            "/sandbox",
            idempotency_key=idempotency_key,
        )

    async def list_emails(
        self,
        *,
        cursor: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Page[SandboxEmail]:
        """List the emails that the sandbox kept instead of sending them, newest first.

        Scope: `institution:read`. Test keys alone: `not_found` with a live key. Sign-in codes and links of
        invitations are in them. The newest 1,000 are kept, for 30 days.

        Args:
            cursor: Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at
                least, with the same filters.
            page: Which page, from 1.
            limit: Items a page, 200 at most.
        """
        return await self._call(
            Page[SandboxEmail],
            "GET",
            "/sandbox/emails",
            query={"cursor": cursor, "page": page, "limit": limit},
        )

    def iter_emails(
        self,
        *,
        limit: int | None = None,
    ) -> AsyncIterator[SandboxEmail]:
        """List the emails that the sandbox kept instead of sending them, newest first.

        Yields each item that is there throughout once, reading page after page by cursor; `limit` is the size of a
        page, 200 by default.

        Args:
            limit: Items a page, 200 at most.
        """
        return self._iterate(
            SandboxEmail,
            "/sandbox/emails",
            query={"limit": limit},
        )

    async def read_clock(
        self,
    ) -> SandboxClock:
        """Show the sandbox's own clock.

        Scope: `institution:read`. Test keys alone: `not_found` with a live key.
        """
        return await self._call(
            SandboxClock,
            "GET",
            "/sandbox/clock",
        )

    async def advance_clock(
        self,
        *,
        advance_seconds: int,
        idempotency_key: str | None = None,
    ) -> SandboxClock:
        """Move the sandbox's own clock forward; what falls due happens within seconds.

        Scope: `institution:write`. Test keys alone: `not_found` with a live key. At most 7776000 seconds (90 days) a
        call, and 3,650 days ahead of the real time in all; the clock never moves back. Licenses expire, invitations
        and coupon batches lapse, attempts and due dates pass, weekly reports are written and webhook deliveries are
        retried. Two calls at the same time add up. Signatures, download URLs and keys stay on the real time.

        Args:
            advance_seconds: The clock only moves forward.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            SandboxClock,
            "POST",
            "/sandbox/clock",
            json={"advance_seconds": advance_seconds},
            idempotency_key=idempotency_key,
        )

    async def redeem_coupon(
        self,
        *,
        student_id: str,
        code: str,
        idempotency_key: str | None = None,
    ) -> Redeemed:
        """Redeem a coupon into a student's wallet, once, as the app does.

        Scope: `coupons:write`. Test keys alone: `not_found` with a live key. The student has signed in before. Emits
        merits.credited and coupon.redeemed. Conflict for a coupon that is expired or already redeemed.

        Args:
            student_id: Internal id or generated login email.
            code: As it was typed: in any case, with or without blanks and hyphens.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Redeemed,
            "POST",
            "/sandbox/coupons/redeem",
            json={"student_id": student_id, "code": code},
            idempotency_key=idempotency_key,
        )

    async def publish_curriculum(
        self,
        *,
        title: str,
        concepts: Sequence[PublishSandboxCurriculumConceptsItem],
        idempotency_key: str | None = None,
    ) -> CurriculumDetails:
        """Create a curriculum of the sandbox's own and publish it, as an admin does in the portal.

        Scope: `alpha:write`. Test keys alone: `not_found` with a live key. Students can be enrolled in it at once. An
        institution has at most 500 of its own: conflict beyond.

        Args:
            title: Shown to students.
            concepts: What is learned, in the order in which it is shown.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            CurriculumDetails,
            "POST",
            "/sandbox/alpha/curricula",
            json={"title": title, "concepts": concepts},
            idempotency_key=idempotency_key,
        )

    async def start_attempt(
        self,
        id: str,
        *,
        student_id: str,
        idempotency_key: str | None = None,
    ) -> BegunAttempt:
        """Start a student's attempt at an exam, or resume the one in progress, as the app does.

        Scope: `exams:write`. Test keys alone: `not_found` with a live key. The student has signed in before, and sees
        the exam: it is published, and assigned to a group of theirs. Emits exam.attempt_started. Conflict when the
        exam takes nothing more, when the time of the attempt is over, and after a submission; unless it was voided,
        or asked for again.

        Args:
            id: The exam.
            student_id: Internal id or generated login email.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            BegunAttempt,
            "POST",
            "/sandbox/exams/{id}/attempts",
            path={"id": id},
            json={"student_id": student_id},
            idempotency_key=idempotency_key,
        )

    async def record_attempt_events(
        self,
        id: str,
        *,
        events: Sequence[RecordSandboxAttemptEventsEventsItemFocusLost | RecordSandboxAttemptEventsEventsItemFocusGained | RecordSandboxAttemptEventsEventsItemSampleTestsRun],
        idempotency_key: str | None = None,
    ) -> RecordedEvents:
        """Store a batch of proctoring events of an attempt, each once, as the app does.

        Scope: `submissions:write`. Test keys alone: `not_found` with a live key. Taken until 24 hours after the end
        of the attempt, and 20,000 an attempt: conflict beyond.

        Args:
            id: The attempt.
            events: What happened in the app.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            RecordedEvents,
            "POST",
            "/sandbox/attempts/{id}/events",
            path={"id": id},
            json={"events": events},
            idempotency_key=idempotency_key,
        )

    async def upload_attempt_file(
        self,
        id: str,
        *,
        file: FileInput,
        kind: UploadSandboxAttemptFileKind,
        idempotency_key: str | None = None,
    ) -> StoredFile:
        """Upload a file of an attempt, as the app does: an attachment, or a segment of a recording.

        Scope: `submissions:write`. Test keys alone: `not_found` with a live key. multipart/form-data with the parts
        `kind` and `file`. An attachment is part of the submission once `attachments` names it. Attachments are taken
        while the attempt is in progress, recordings until 24 hours after its end, and 1,000 files in all: conflict
        beyond.

        Args:
            id: The attempt.
            file: The file, with a filename.
            kind: What the student hands in (attachment), or a segment of a recording. Before the file or behind it.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            StoredFile,
            "POST",
            "/sandbox/attempts/{id}/files",
            path={"id": id},
            files={"file": file},
            texts={"kind": kind},
            idempotency_key=idempotency_key,
        )

    async def submit_attempt(
        self,
        id: str,
        *,
        text: Literal[""] | str | Omit | None = OMIT,
        attachments: Sequence[SubmitSandboxAttemptAttachmentsItem] | Omit = OMIT,
        ai_usage_data: SubmitSandboxAttemptAiUsageDataSvccode | SubmitSandboxAttemptAiUsageData2 | Omit | None = OMIT,
        idempotency_key: str | None = None,
    ) -> SubmittedVersion:
        """Submit an attempt, once, as the app does: the next version of the submission.

        Scope: `submissions:write`. Test keys alone: `not_found` with a live key. Emits exam.submitted. Late after the
        due date. Conflict when the attempt is over, the exam closed, or the due date past where nothing may be late.
        An attempt that ended before it was handed in is used up: another one begins only where an earlier submission
        of the exam is asked for again or voided.

        Args:
            id: The attempt.
            text: What the student wrote.
            attachments: No two have the same name, or are the same file.
            ai_usage_data: Usage data of the app for the attempt: with `kind` svccode for a coding exam, without it
                for a document exam.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            SubmittedVersion,
            "POST",
            "/sandbox/attempts/{id}/submit",
            path={"id": id},
            json={"text": text, "attachments": attachments, "ai_usage_data": ai_usage_data},
            idempotency_key=idempotency_key,
        )

    async def accept_invitation(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> GuardianLink:
        """Accept the newest invitation of a guardian link, as the link in its email does.

        Scope: `guardians:write`. Test keys alone: `not_found` with a live key. Conflict if it was accepted or has
        expired. No event: the first sign-in verifies the link.

        Args:
            id: The guardian link.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            GuardianLink,
            "POST",
            "/sandbox/guardians/{id}/accept",
            path={"id": id},
            idempotency_key=idempotency_key,
        )

    async def sign_in_guardian(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> GuardianLink:
        """Sign the guardian of a link in, as the code from their mailbox does.

        Scope: `guardians:write`. Test keys alone: `not_found` with a live key. Verifies every link that they have
        accepted (guardian.verified each). Conflict for a guardian who has accepted no invitation, or only expired
        ones.

        Args:
            id: The guardian link.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            GuardianLink,
            "POST",
            "/sandbox/guardians/{id}/sign-in",
            path={"id": id},
            idempotency_key=idempotency_key,
        )

    async def expire_license(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> License:
        """Let the term of a license end now; the license expires.

        Scope: `licenses:write`. Test keys alone: `not_found` with a live key. Emits license.expired. An expired
        license is answered unchanged. Conflict for a suspended, revoked or lifetime license.

        Args:
            id: A license.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            License,
            "POST",
            "/sandbox/licenses/{id}/expire",
            path={"id": id},
            idempotency_key=idempotency_key,
        )

    async def sign_in_student(
        self,
        id: str,
        *,
        personal_email: str | Omit = OMIT,
        app: SignInSandboxStudentApp | Omit = OMIT,
        device: SignInSandboxStudentDevice | Omit = OMIT,
        idempotency_key: str | None = None,
    ) -> SandboxSignIn:
        """Sign a student in, on a device too, as the app and the code from their mailbox do.

        Scope: `students:write`. Test keys alone: `not_found` with a live key. The first sign-in makes a pending
        student active (student.updated) and maps `personal_email` (student.email_mapped). With `app` and `device` it
        takes a seat, conflict if the license is not active; a device that is new to the license is registered
        (license.device_registered). Without them the license is not looked at. Conflict if another person has the
        email. Answers without the session, which nothing needs here.

        Args:
            id: Internal id or generated login email.
            personal_email: The address that the student names for the code; required for a student without a mapped
                personal email, and ignored for others.
            app: The app that signs in, together with `device`; left out where no seat is to be taken. For students
                and faculty.
            device: The device that the app runs on, together with `app`.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            SandboxSignIn,
            "POST",
            "/sandbox/students/{id}/sign-in",
            path={"id": id},
            json={"personal_email": personal_email, "app": app, "device": device},
            json_optional=True,
            idempotency_key=idempotency_key,
        )

    async def approve_coupon_batch(
        self,
        id: str,
        *,
        reason: str | Omit | None = OMIT,
        idempotency_key: str | None = None,
    ) -> CouponBatch:
        """Approve a coupon batch, as a platform admin does: its codes are made.

        Scope: `coupons:write`. Test keys alone: `not_found` with a live key. It answers before they are: GET
        /coupons/batches/{id} has them once it is `approved`, within seconds, and coupon.batch_approved is emitted. An
        approved batch is answered unchanged. Conflict for one that is rejected, and from its expiry date on.

        Args:
            id: A coupon batch.
            reason: Shown with the batch.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            CouponBatch,
            "POST",
            "/sandbox/coupons/batches/{id}/approve",
            path={"id": id},
            json={"reason": reason},
            json_optional=True,
            idempotency_key=idempotency_key,
        )

    async def reject_coupon_batch(
        self,
        id: str,
        *,
        reason: str | Omit | None = OMIT,
        idempotency_key: str | None = None,
    ) -> CouponBatch:
        """Reject a coupon batch, as a platform admin does.

        Scope: `coupons:write`. Test keys alone: `not_found` with a live key. A rejected batch is answered unchanged.
        Conflict for one that is approved, and from its expiry date on.

        Args:
            id: A coupon batch.
            reason: Shown with the batch.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            CouponBatch,
            "POST",
            "/sandbox/coupons/batches/{id}/reject",
            path={"id": id},
            json={"reason": reason},
            json_optional=True,
            idempotency_key=idempotency_key,
        )

    async def report_progress(
        self,
        id: str,
        *,
        enrollment_id: str,
        concept_id: str,
        score: float,
        minutes: int,
        ref: str,
        idempotency_key: str | None = None,
    ) -> Progress:
        """Report a student's progress on a concept, as the app does; idempotent per `ref`.

        Scope: `alpha:write`. Test keys alone: `not_found` with a live key. The student has signed in before. The
        rules are those of the app: conflict for a paused or withdrawn enrollment, and after 1,000 reports in a day.

        Args:
            id: Internal id or generated login email.
            enrollment_id: One of the student's own.
            concept_id: A concept of its curriculum.
            score: Of 100, with up to two decimals.
            minutes: That the work took. They count for today, in the institution's time zone.
            ref: Unique for the student: a repeat of the same progress under it changes nothing.
            idempotency_key: A key of your own, to repeat the call after a restart; without one the client makes a new
                one.
        """
        return await self._call(
            Progress,
            "POST",
            "/sandbox/alpha/students/{id}/progress",
            path={"id": id},
            json={"enrollment_id": enrollment_id, "concept_id": concept_id, "score": score, "minutes": minutes, "ref": ref},
            idempotency_key=idempotency_key,
        )


class AsyncNamespaces:
    """Every operation of the API, by namespace."""

    def __init__(self, calls: AsyncCalls) -> None:
        self.meta = AsyncMetaResource(calls)
        self.institution = AsyncInstitutionResource(calls)
        self.students = AsyncStudentsResource(calls)
        self.faculty = AsyncFacultyResource(calls)
        self.groups = AsyncGroupsResource(calls)
        self.licenses = AsyncLicensesResource(calls)
        self.exams = AsyncExamsResource(calls)
        self.submissions = AsyncSubmissionsResource(calls)
        self.guardians = AsyncGuardiansResource(calls)
        self.alpha = AsyncAlphaResource(calls)
        self.merits = AsyncMeritsResource(calls)
        self.coupons = AsyncCouponsResource(calls)
        self.events = AsyncEventsResource(calls)
        self.webhooks = AsyncWebhooksResource(calls)
        self.sandbox = AsyncSandboxResource(calls)
