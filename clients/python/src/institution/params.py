"""Dictionaries that calls take.

Made by `npm run generate` of the service's repository; changes here are lost.
"""

from __future__ import annotations

from collections.abc import (
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

from typing_extensions import (
    NotRequired,
    TypedDict,
)


ReplaceInstitutionConfigDefaultAiPolicyModelTier = Literal[
    "any",
    "cloud",
    "local",
]


class ReplaceInstitutionConfigDefaultAiPolicy(TypedDict):
    """What new exams take where they name no ai_policy."""
    allowed: NotRequired[bool]
    """False disables the assistant entirely."""
    model_tier: NotRequired[ReplaceInstitutionConfigDefaultAiPolicyModelTier]
    """`cloud`: hosted models only; `local`: models on the device only; `any`: both."""
    max_interactions: NotRequired[int | None]
    """A budget per attempt; null sets none."""


class ReplaceInstitutionConfigDefaultProctoring(TypedDict):
    """What new exams take where they name no proctoring."""
    camera: NotRequired[bool]
    """Whether the student must grant the camera."""
    microphone: NotRequired[bool]
    """Whether the student must grant the microphone."""
    screen: NotRequired[bool]
    """Whether the student must grant the recording of the screen."""


ReplaceInstitutionConfigAllowedToolchainsItem = Literal[
    "c",
    "cpp",
    "java",
    "python",
    "node",
    "sqlite",
]


class ReplaceInstitutionConfigToolchainMirror(TypedDict):
    """Where apps install toolchains from."""
    base_url: str
    """An https URL without a user name and password."""


ListStudentsStatus = Literal[
    "pending",
    "active",
    "suspended",
]


UpdateStudentStatus = Literal[
    "active",
    "suspended",
]


class CreateStudentsBulkStudentsItem(TypedDict):
    full_name: NotRequired[str | None]
    """Shown in the apps."""
    student_id: NotRequired[str | None]
    """The institution's own (SIS) identifier; need not be unique unless the config has `unique_student_ids`."""
    personal_email: NotRequired[str | None]
    """Write-only: one-time codes and announcements of exams go there. Never returned. A login email of the institution
    has no mailbox: validation_error.
    """
    license_days: NotRequired[int]
    """How long the license runs, in days."""


ListStudentDisclosuresAbout = Literal[
    "person",
    "many",
]


ListLicensesStatus = Literal[
    "active",
    "expired",
    "suspended",
    "revoked",
]


ListExamsApp = Literal[
    "svc",
    "svccode",
]


ListExamsStatus = Literal[
    "draft",
    "published",
    "closed",
]


CreateExamExamType = Literal[
    "exam",
    "homework",
    "assignment",
    "quiz",
    "project",
]


class CreateExamAiPolicy(TypedDict):
    """What the assistant may do. Parts left out take `default_ai_policy` of the institution config (not allowed, unless
    it says otherwise); in a PATCH they stay.
    """
    allowed: NotRequired[bool]
    """False disables the assistant entirely."""
    model_tier: NotRequired[ReplaceInstitutionConfigDefaultAiPolicyModelTier]
    """`cloud`: hosted models only; `local`: models on the device only; `any`: both."""
    max_interactions: NotRequired[int | None]
    """A budget per attempt; null sets none."""


class CreateExamCodeSpecStarterZipFile(TypedDict):
    """A file uploaded through POST /exams/{id}/files, of this or another exam."""
    id: str
    """The `id` of the upload's response."""


class CreateExamCodeSpecStarterZip(TypedDict):
    kind: Literal["zip"]
    """Here `zip`; the other fields depend on it."""
    file: CreateExamCodeSpecStarterZipFile | str
    """The `file` of the response of POST /exams/{id}/files, or its `ref`; a file of this or another exam."""


class CreateExamCodeSpecStarterEmpty(TypedDict):
    kind: Literal["empty"]
    """Here `empty`; the other fields depend on it."""


class CreateExamCodeSpecSampleTestsInlineFilesItem(TypedDict):
    path: str
    """Relative, with `/` between its parts and no `..`; no two files have the same."""
    content: Literal[""] | str
    """The text of the file."""


class CreateExamCodeSpecSampleTestsInline(TypedDict):
    kind: Literal["inline"]
    """Here `inline`; the other fields depend on it."""
    files: Sequence[CreateExamCodeSpecSampleTestsInlineFilesItem]
    """At most 200 files and 1 MiB in all."""


class CreateExamCodeSpecHiddenTests(TypedDict):
    """A zip encrypted with AES-256-GCM: ciphertext followed by the tag. Its key is set with PUT /exams/{id}/code-secret."""
    kind: Literal["zip-encrypted"]
    """Always `zip-encrypted`: an exam without hidden tests leaves `hidden_tests` out, or has null."""
    file: CreateExamCodeSpecStarterZipFile | str
    """The `file` of the response of POST /exams/{id}/files, or its `ref`; a file of this or another exam."""
    iv_b64: str
    """Base64 of the 12-byte initialisation vector."""
    sha256: str
    """Hexadecimal SHA-256 of the ciphertext, which must be that of the stored file."""


class CreateExamCodeSpecCommands(TypedDict):
    """What the app runs; a command that is left out is not there."""
    setup: NotRequired[str | None]
    """Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted."""
    run: NotRequired[str | None]
    """Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted."""
    test_sample: NotRequired[str | None]
    """Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted."""
    test_hidden: NotRequired[str | None]
    """Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted."""
    timeout_ms: NotRequired[int]
    """How long one command may run, in ms."""


class CreateExamCodeSpecAiPolicy(TypedDict):
    """Enforced on the student's machine; null or left out: the exam's own `ai_policy`."""
    allowed: bool
    """False disables the assistant entirely."""
    model_tier: NotRequired[ReplaceInstitutionConfigDefaultAiPolicyModelTier]
    """`cloud`: hosted models only; `local`: models on the device only; `any`: both."""


class CreateExamCodeSpec(TypedDict):
    """Makes it a coding exam."""
    v: Literal[1]
    """The version of this format: always 1."""
    brief_md: str
    """The exam brief, in Markdown."""
    toolchain: ReplaceInstitutionConfigAllowedToolchainsItem
    """Must be among the institution's `allowed_toolchains`; apps install what a machine lacks."""
    starter: NotRequired[CreateExamCodeSpecStarterZip | CreateExamCodeSpecStarterEmpty]
    """What a workspace begins with; empty by default."""
    sample_tests: NotRequired[CreateExamCodeSpecSampleTestsInline | CreateExamCodeSpecStarterZip | None]
    """Tests that the student sees."""
    hidden_tests: NotRequired[CreateExamCodeSpecHiddenTests | None]
    """A zip encrypted with AES-256-GCM: ciphertext followed by the tag. Its key is set with PUT /exams/{id}/code-secret."""
    commands: CreateExamCodeSpecCommands
    """What the app runs; a command that is left out is not there."""
    ai_policy: NotRequired[CreateExamCodeSpecAiPolicy | None]
    """Enforced on the student's machine; null or left out: the exam's own `ai_policy`."""
    rubric_md: NotRequired[str | None]
    """In Markdown; for those who grade: the app does not get it."""
    exclude_globs: NotRequired[Sequence[str]]
    """What is left out of the submitted workspace."""


ListSubmissionsStatus = Literal[
    "submitted",
    "graded",
    "resubmission_required",
    "voided",
]


InviteGuardianGuardianType = Literal[
    "father",
    "mother",
    "guardian",
]


UpdateEnrollmentStatus = Literal[
    "active",
    "paused",
    "withdrawn",
]


CreateWebhookEndpointSignatureScheme = Literal[
    "hmac",
    "ed25519",
]


ListDeliveriesStatus = Literal[
    "open",
    "pending",
    "retrying",
    "held",
    "delivered",
    "dead",
    "cancelled",
]


ListDeliveriesEventType = Literal[
    "student.created",
    "student.updated",
    "student.email_mapped",
    "faculty.created",
    "faculty.profile_completed",
    "license.generated",
    "license.expired",
    "license.device_registered",
    "exam.published",
    "exam.assigned",
    "exam.attempt_started",
    "exam.submitted",
    "exam.graded",
    "guardian.invited",
    "guardian.verified",
    "alpha.points_awarded",
    "alpha.badge_granted",
    "merits.credited",
    "coupon.batch_requested",
    "coupon.batch_approved",
    "coupon.redeemed",
    "endpoint.failing",
    "endpoint.recovered",
    "endpoint.disabled",
]


ListDeliveriesErrorClass = Literal[
    "dns",
    "connect",
    "tls",
    "timeout",
    "http",
    "blocked",
]


UpdateWebhookEndpointStatus = Literal[
    "active",
    "paused",
]


TestWebhookEndpointEventType = Literal[
    "ping",
    "student.created",
    "student.updated",
    "student.email_mapped",
    "faculty.created",
    "faculty.profile_completed",
    "license.generated",
    "license.expired",
    "license.device_registered",
    "exam.published",
    "exam.assigned",
    "exam.attempt_started",
    "exam.submitted",
    "exam.graded",
    "guardian.invited",
    "guardian.verified",
    "alpha.points_awarded",
    "alpha.badge_granted",
    "merits.credited",
    "coupon.batch_requested",
    "coupon.batch_approved",
    "coupon.redeemed",
    "endpoint.failing",
    "endpoint.recovered",
    "endpoint.disabled",
]


GetWebhookEndpointStatisticsPeriod = Literal[
    "24h",
    "30d",
]


class PublishSandboxCurriculumConceptsItem(TypedDict):
    id: str
    """Unique in the curriculum."""
    title: str
    """Shown to students."""
    requires: NotRequired[Sequence[str]]
    """Ids of concepts of this curriculum, each once, without circles."""


RecordSandboxAttemptEventsEventsItemFocusLostType = Literal[
    "focus_lost",
    "screen_locked",
    "screen_unlocked",
    "system_suspend",
    "system_resume",
    "recording_started",
    "recording_stopped",
    "recorder_error",
    "segment_uploaded",
    "segment_upload_failed",
]


class RecordSandboxAttemptEventsEventsItemFocusLost(TypedDict):
    id: str
    """The client's, unique in the attempt: what is sent again under it is stored once."""
    at: datetime | str
    """By the app's clock."""
    type: RecordSandboxAttemptEventsEventsItemFocusLostType
    """What happened."""
    detail: NotRequired[Mapping[str, Any] | None]
    """Any JSON object: at most 4 KiB serialised, at most 5 levels deep; its numbers 0, or in size at least 0.000001 and
    below 1e21.
    """


class RecordSandboxAttemptEventsEventsItemFocusGainedDetail(TypedDict):
    """Any JSON object: at most 4 KiB serialised, at most 5 levels deep; its numbers 0, or in size at least 0.000001 and
    below 1e21.
    """
    away_seconds: float
    """How long the window was without the focus, in seconds."""


class RecordSandboxAttemptEventsEventsItemFocusGained(TypedDict):
    id: str
    """The client's, unique in the attempt: what is sent again under it is stored once."""
    at: datetime | str
    """By the app's clock."""
    type: Literal["focus_gained"]
    """What happened."""
    detail: RecordSandboxAttemptEventsEventsItemFocusGainedDetail
    """Any JSON object: at most 4 KiB serialised, at most 5 levels deep; its numbers 0, or in size at least 0.000001 and
    below 1e21.
    """


class RecordSandboxAttemptEventsEventsItemSampleTestsRunDetail(TypedDict):
    """Any JSON object: at most 4 KiB serialised, at most 5 levels deep; its numbers 0, or in size at least 0.000001 and
    below 1e21.
    """
    passed: int
    """How many sample tests passed."""
    failed: int
    """How many sample tests failed."""


class RecordSandboxAttemptEventsEventsItemSampleTestsRun(TypedDict):
    id: str
    """The client's, unique in the attempt: what is sent again under it is stored once."""
    at: datetime | str
    """By the app's clock."""
    type: Literal["sample_tests_run"]
    """What happened."""
    detail: RecordSandboxAttemptEventsEventsItemSampleTestsRunDetail
    """Any JSON object: at most 4 KiB serialised, at most 5 levels deep; its numbers 0, or in size at least 0.000001 and
    below 1e21.
    """


UploadSandboxAttemptFileKind = Literal[
    "attachment",
    "recording",
]


class SubmitSandboxAttemptAttachmentsItem(TypedDict):
    file: CreateExamCodeSpecStarterZipFile
    """A file of kind `attachment` that was uploaded to this attempt."""
    name: str
    """A filename without a path. Of a coding exam: `workspace.zip`, `transcript.json` or `test-results.json`."""


class SubmitSandboxAttemptAiUsageDataSvccodeTestsSample(TypedDict):
    """Null where there are none, or they were not run."""
    passed: int
    """Tests that passed."""
    failed: int
    """Tests that failed."""


class SubmitSandboxAttemptAiUsageDataSvccodeTestsHidden(TypedDict):
    """Null where there are none, or they were not run."""
    passed: int
    """Tests that passed."""
    failed: int
    """Tests that failed."""
    hidden_zip_sha256: str
    """Hexadecimal SHA-256 of the zip of hidden tests."""
    workspace_sha256: str
    """Hexadecimal SHA-256 of the tested workspace."""


class SubmitSandboxAttemptAiUsageDataSvccodeTests(TypedDict):
    """Results of the tests."""
    sample: SubmitSandboxAttemptAiUsageDataSvccodeTestsSample | None
    """Null where there are none, or they were not run."""
    hidden: SubmitSandboxAttemptAiUsageDataSvccodeTestsHidden | None
    """Null where there are none, or they were not run."""


class SubmitSandboxAttemptAiUsageDataSvccodeTiming(TypedDict):
    """By the app's clock."""
    started_at: datetime | str
    """When the attempt began."""
    hidden_released_at: datetime | str | None
    """When the app fetched the hidden-test key; null if it did not."""
    submitted_at: datetime | str
    """When the student handed in."""


class SubmitSandboxAttemptAiUsageDataSvccodeFocus(TypedDict):
    """How the student was away from the window."""
    lost_count: int
    """How often the window lost the focus."""
    lost_seconds: float
    """0, or at least 0.000001."""


class SubmitSandboxAttemptAiUsageDataSvccodeApp(TypedDict):
    """The app that the student used."""
    name: str
    """Name of the app."""
    version: str
    """Version of the app."""
    platform: str
    """Operating system and architecture."""


class SubmitSandboxAttemptAiUsageDataSvccode(TypedDict):
    kind: Literal["svccode"]
    """Of a coding exam: always `svccode`."""
    v: Literal[1]
    """The version of this format: always 1."""
    tests: SubmitSandboxAttemptAiUsageDataSvccodeTests
    """Results of the tests."""
    timing: SubmitSandboxAttemptAiUsageDataSvccodeTiming
    """By the app's clock."""
    focus: SubmitSandboxAttemptAiUsageDataSvccodeFocus
    """How the student was away from the window."""
    toolchain: ReplaceInstitutionConfigAllowedToolchainsItem
    """The toolchain of the exam."""
    app: SubmitSandboxAttemptAiUsageDataSvccodeApp
    """The app that the student used."""
    total_interactions: int
    """Questions put to the assistant."""
    models_used: Sequence[str]
    """The models that answered."""


class SubmitSandboxAttemptAiUsageData2(TypedDict):
    total_interactions: int
    """Questions put to the assistant."""
    models_used: Sequence[str]
    """The models that answered."""


SignInSandboxStudentApp = Literal[
    "svcapp",
    "svccode",
    "svcfilm",
]


class SignInSandboxStudentDevice(TypedDict):
    """The device that the app runs on, together with `app`."""
    id: str
    """A stable identifier of the device, chosen by the app; two apps on one device must send the same identifier."""
    name: str
    """Shown to the institution."""
    platform: str
    """Operating system of the device."""
    app_version: str
    """The app's own."""
