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


class ReplaceInstitutionConfigDefaultAiPolicy(TypedDict):
    """What new exams take where they name no ai_policy."""
    allowed: NotRequired[bool]
    """False disables the assistant entirely."""
    model_tier: NotRequired[Literal["any", "cloud", "local"]]
    max_interactions: NotRequired[int | None]
    """A budget per attempt; null sets none."""


class ReplaceInstitutionConfigDefaultProctoring(TypedDict):
    """What new exams take where they name no proctoring."""
    camera: NotRequired[bool]
    microphone: NotRequired[bool]
    screen: NotRequired[bool]


class ReplaceInstitutionConfigToolchainMirror(TypedDict):
    """Where apps install toolchains from."""
    base_url: str


class CreateStudentsBulkStudentsItem(TypedDict):
    full_name: NotRequired[str | None]
    """Shown in the apps."""
    student_id: NotRequired[str | None]
    """The institution's own (SIS) identifier; need not be unique unless the config has `unique_student_ids`."""
    personal_email: NotRequired[str | None]
    """Write-only: one-time codes go there. Never returned."""
    license_days: NotRequired[int]
    """How long the license runs, in days."""


class CreateExamAiPolicy(TypedDict):
    """What the assistant may do. Parts left out take `default_ai_policy` of the institution config (not allowed, unless
    it says otherwise); in a PATCH they stay.
    """
    allowed: NotRequired[bool]
    """False disables the assistant entirely."""
    model_tier: NotRequired[Literal["any", "cloud", "local"]]
    max_interactions: NotRequired[int | None]
    """A budget per attempt; null sets none."""


class CreateExamCodeSpecStarterZipFile(TypedDict):
    """A file uploaded through POST /exams/{id}/files, of this or another exam."""
    id: str


class CreateExamCodeSpecStarterZip(TypedDict):
    kind: Literal["zip"]
    file: CreateExamCodeSpecStarterZipFile | str


class CreateExamCodeSpecStarterEmpty(TypedDict):
    kind: Literal["empty"]


class CreateExamCodeSpecSampleTestsInlineFilesItem(TypedDict):
    path: str
    """Relative, with `/` between its parts and no `..`; no two files have the same."""
    content: Literal[""] | str


class CreateExamCodeSpecSampleTestsInline(TypedDict):
    kind: Literal["inline"]
    files: Sequence[CreateExamCodeSpecSampleTestsInlineFilesItem]
    """At most 200 files and 1 MiB in all."""


class CreateExamCodeSpecHiddenTests(TypedDict):
    """A zip encrypted with AES-256-GCM: ciphertext followed by the tag. Its key is set with PUT /exams/{id}/code-secret."""
    kind: Literal["zip-encrypted"]
    file: CreateExamCodeSpecStarterZipFile | str
    iv_b64: str
    """Base64 of the 12-byte initialisation vector."""
    sha256: str
    """Hexadecimal SHA-256 of the ciphertext, which must be that of the stored file."""


class CreateExamCodeSpecCommands(TypedDict):
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
    model_tier: NotRequired[Literal["any", "cloud", "local"]]


class CreateExamCodeSpec(TypedDict):
    """Makes it a coding exam."""
    v: Literal[1]
    brief_md: str
    """The exam brief, in Markdown."""
    toolchain: Literal["c", "cpp", "java", "python", "node", "sqlite"]
    """Must be among the institution's `allowed_toolchains`; apps install what a machine lacks."""
    starter: NotRequired[CreateExamCodeSpecStarterZip | CreateExamCodeSpecStarterEmpty]
    """What a workspace begins with; empty by default."""
    sample_tests: NotRequired[CreateExamCodeSpecSampleTestsInline | CreateExamCodeSpecStarterZip | None]
    """Tests that the student sees."""
    hidden_tests: NotRequired[CreateExamCodeSpecHiddenTests | None]
    """A zip encrypted with AES-256-GCM: ciphertext followed by the tag. Its key is set with PUT /exams/{id}/code-secret."""
    commands: CreateExamCodeSpecCommands
    ai_policy: NotRequired[CreateExamCodeSpecAiPolicy | None]
    """Enforced on the student's machine; null or left out: the exam's own `ai_policy`."""
    rubric_md: NotRequired[str | None]
    """In Markdown; for those who grade: the app does not get it."""
    exclude_globs: NotRequired[Sequence[str]]
    """What is left out of the submitted workspace."""


class PublishSandboxCurriculumConceptsItem(TypedDict):
    id: str
    """Unique in the curriculum."""
    title: str
    requires: NotRequired[Sequence[str]]
    """Ids of concepts of this curriculum, each once, without circles."""


class RecordSandboxAttemptEventsEventsItemFocusLost(TypedDict):
    id: str
    """The client's, unique in the attempt: what is sent again under it is stored once."""
    at: datetime | str
    """By the app's clock."""
    type: Literal["focus_lost", "screen_locked", "screen_unlocked", "system_suspend", "system_resume", "recording_started", "recording_stopped", "recorder_error", "segment_uploaded", "segment_upload_failed"]
    detail: NotRequired[Mapping[str, Any] | None]
    """Any JSON object: at most 4 KiB serialised, at most 5 levels deep; its numbers 0, or in size at least 0.000001 and
    below 1e21.
    """


class RecordSandboxAttemptEventsEventsItemFocusGainedDetail(TypedDict):
    """Any JSON object: at most 4 KiB serialised, at most 5 levels deep; its numbers 0, or in size at least 0.000001 and
    below 1e21.
    """
    away_seconds: float


class RecordSandboxAttemptEventsEventsItemFocusGained(TypedDict):
    id: str
    """The client's, unique in the attempt: what is sent again under it is stored once."""
    at: datetime | str
    """By the app's clock."""
    type: Literal["focus_gained"]
    detail: RecordSandboxAttemptEventsEventsItemFocusGainedDetail
    """Any JSON object: at most 4 KiB serialised, at most 5 levels deep; its numbers 0, or in size at least 0.000001 and
    below 1e21.
    """


class RecordSandboxAttemptEventsEventsItemSampleTestsRunDetail(TypedDict):
    """Any JSON object: at most 4 KiB serialised, at most 5 levels deep; its numbers 0, or in size at least 0.000001 and
    below 1e21.
    """
    passed: int
    failed: int


class RecordSandboxAttemptEventsEventsItemSampleTestsRun(TypedDict):
    id: str
    """The client's, unique in the attempt: what is sent again under it is stored once."""
    at: datetime | str
    """By the app's clock."""
    type: Literal["sample_tests_run"]
    detail: RecordSandboxAttemptEventsEventsItemSampleTestsRunDetail
    """Any JSON object: at most 4 KiB serialised, at most 5 levels deep; its numbers 0, or in size at least 0.000001 and
    below 1e21.
    """


class SubmitSandboxAttemptAttachmentsItem(TypedDict):
    file: CreateExamCodeSpecStarterZipFile
    """A file of kind `attachment` that was uploaded to this attempt."""
    name: str
    """A filename without a path. Of a coding exam: `workspace.zip`, `transcript.json` or `test-results.json`."""


class SubmitSandboxAttemptAiUsageDataSvccodeTestsSample(TypedDict):
    """Null where there are none, or they were not run."""
    passed: int
    failed: int


class SubmitSandboxAttemptAiUsageDataSvccodeTestsHidden(TypedDict):
    """Null where there are none, or they were not run."""
    passed: int
    failed: int
    hidden_zip_sha256: str
    workspace_sha256: str


class SubmitSandboxAttemptAiUsageDataSvccodeTests(TypedDict):
    sample: SubmitSandboxAttemptAiUsageDataSvccodeTestsSample | None
    """Null where there are none, or they were not run."""
    hidden: SubmitSandboxAttemptAiUsageDataSvccodeTestsHidden | None
    """Null where there are none, or they were not run."""


class SubmitSandboxAttemptAiUsageDataSvccodeTiming(TypedDict):
    started_at: datetime | str
    hidden_released_at: datetime | str | None
    submitted_at: datetime | str


class SubmitSandboxAttemptAiUsageDataSvccodeFocus(TypedDict):
    lost_count: int
    lost_seconds: float
    """0, or at least 0.000001."""


class SubmitSandboxAttemptAiUsageDataSvccodeApp(TypedDict):
    name: str
    version: str
    platform: str


class SubmitSandboxAttemptAiUsageDataSvccode(TypedDict):
    kind: Literal["svccode"]
    v: Literal[1]
    tests: SubmitSandboxAttemptAiUsageDataSvccodeTests
    timing: SubmitSandboxAttemptAiUsageDataSvccodeTiming
    focus: SubmitSandboxAttemptAiUsageDataSvccodeFocus
    toolchain: Literal["c", "cpp", "java", "python", "node", "sqlite"]
    app: SubmitSandboxAttemptAiUsageDataSvccodeApp
    total_interactions: int
    """Questions put to the assistant."""
    models_used: Sequence[str]


class SubmitSandboxAttemptAiUsageData2(TypedDict):
    total_interactions: int
    """Questions put to the assistant."""
    models_used: Sequence[str]


class SignInSandboxStudentDevice(TypedDict):
    """The device that the app runs on, together with `app`."""
    id: str
    """A stable identifier of the device, chosen by the app; two apps on one device must send the same identifier."""
    name: str
    """Shown to the institution."""
    platform: str
    app_version: str
    """The app's own."""
