"""What the API answers. Fields and values that a later release adds are accepted.

Made by `npm run generate` of the service's repository; changes here are lost.
"""

from __future__ import annotations

from datetime import (
    datetime,
)
from typing import (
    Annotated,
    Any,
    Literal,
)

from pydantic import (
    Discriminator,
    Field,
    Tag,
)

from institution._model import (
    ListModel,
    Model,
)
from institution._page import (
    Page,
)

ErrorCode = Literal[
    "already_added",
    "already_verified",
    "conflict",
    "endpoint_inactive",
    "endpoint_limit",
    "event_pruned",
    "events_required",
    "file_too_large",
    "forbidden",
    "https_required",
    "insufficient_allowance",
    "insufficient_scope",
    "internal_error",
    "invalid_api_key",
    "invalid_faculty",
    "no_owner",
    "no_secret",
    "no_valid_students",
    "not_found",
    "private_host",
    "rate_limited",
    "rate_limiter_unavailable",
    "unauthorized",
    "user_inactive",
    "user_not_found",
    "validation_error",
    "void_failed",
]
"""What went wrong, for programs."""


class Activation(Model):
    device_id: str
    """The app's own name for the device; the same in every app."""
    device_name: str
    platform: str
    app_version: str
    """As of the last heartbeat that reported it."""
    first_seen_at: datetime
    last_seen_at: datetime
    """The last sign-in or heartbeat, to the minute."""


class Allowance(Model):
    allowance_cents: int
    """What is left to credit."""
    granted_cents: int
    """What the platform has granted in all, less what it took back: always `allowance_cents` + `credited_cents`."""
    credited_cents: int
    """What has been credited to wallets in all; coupons are not paid from the allowance."""


class AlphaBadgeGrantedEvent(Model):
    """An Alpha Learning badge was granted."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["alpha.badge_granted"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: AlphaBadgeGrantedEventData


class AlphaBadgeGrantedEventData(Model):
    student_id: str
    badge: Literal["first_mastery", "streak_7_days", "points_100", "points_1000", "curriculum_complete"] | str


class AlphaPointsAwardedEvent(Model):
    """Alpha Learning points were awarded or taken."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["alpha.points_awarded"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: AlphaPointsAwardedEventData


class AlphaPointsAwardedEventData(Model):
    student_id: str
    points: int
    balance: int
    ref: str | None


class AlphaStudentStudent(Model):
    id: str
    login_email: str
    full_name: str | None
    status: Literal["pending", "active", "suspended"] | str


class AlphaStudentStreak(Model):
    current: int
    """Consecutive days, up to today or yesterday, on which a daily target was met."""
    longest: int
    """The longest streak so far."""
    met_today: bool


class AlphaStudentDaysItem(Model):
    day: str
    minutes: int
    """In all enrollments."""
    met: bool
    """Whether a daily target was met."""


class AlphaStudent(Model):
    student: AlphaStudentStudent
    points: PointsStats
    streak: AlphaStudentStreak
    badges: list[Badge]
    """Oldest first."""
    enrollments: list[EnrollmentProgress]
    """The newest 50."""
    days: list[AlphaStudentDaysItem]
    """The last 14 days in the institution's time zone, today first."""


class ApiKeyInstitution(Model):
    id: str
    name: str


class ApiKey(Model):
    key_id: str
    name: str
    environment: Literal["live", "test"] | str
    """`test`: the key belongs to the sandbox of an institution."""
    institution: ApiKeyInstitution
    scopes: list[Literal["students:read", "students:write", "faculty:read", "faculty:write", "groups:read", "groups:write", "licenses:read", "licenses:write", "exams:read", "exams:write", "submissions:read", "submissions:write", "coupons:read", "coupons:write", "merits:read", "merits:write", "guardians:read", "guardians:write", "alpha:read", "alpha:write", "institution:read", "institution:write", "webhooks:read", "webhooks:write"] | str]
    rate_limit_per_min: int
    request_id: str
    """The same as the header X-Request-Id."""


class AssignedGroup(Model):
    id: str
    name: str
    member_count: int
    assigned_at: datetime


class Badge(Model):
    badge: Literal["first_mastery", "streak_7_days", "points_100", "points_1000", "curriculum_complete"] | str
    granted_at: datetime


class BegunAttempt(Model):
    id: str
    exam_id: str
    student_id: str
    started_at: datetime
    expires_at: datetime | None
    """The attempt is over from this very moment on; null where it has no end."""
    hidden_released_at: datetime | None
    """When the app fetched the hidden-test key."""
    status: Literal["in_progress", "submitted", "abandoned"] | str
    resumed: bool
    """Whether it had begun before."""
    code_spec: OpenedCodeSpec | None


class BulkReplay(Model):
    workflow_id: str | None
    """Names this replay to support, and in `sent_by` of the list of deliveries; null where nothing matched, and of a dry
    run.
    """
    matched: int
    """Dead deliveries that will be sent again."""


class BulkStudentCreated(Model):
    index: int
    """The place in the call, from 0."""
    id: str
    login_email: str
    """What the student types to sign in."""


class BulkStudentFailedIssuesItem(Model):
    path: str
    """Where in the item, in dotted form; empty for the item itself."""
    message: str
    """What would be right."""


class BulkStudentFailedExisting(Model):
    """With a `conflict` of the `student_id` only: the student who has it."""
    id: str
    login_email: str


class BulkStudentFailed(Model):
    index: int
    """The place in the call, from 0."""
    error: Literal["validation_error", "conflict", "internal_error"] | str
    """`validation_error`: `issues` names every problem. `conflict`: the personal email is mapped already, or an earlier
    item has it. With `unique_student_ids` also: the `student_id` is used already, or an earlier item has it;
    `existing` is that student. `internal_error`: not created in time, and not created later.
    """
    message: str
    """What went wrong, for people."""
    issues: list[BulkStudentFailedIssuesItem] | None = Field(default=None)
    """With `validation_error` only."""
    existing: BulkStudentFailedExisting | None = Field(default=None)
    """With a `conflict` of the `student_id` only: the student who has it."""


class BulkStudents(Model):
    created: int
    """How many students were created."""
    failed: int
    """How many were not."""
    results: list[Annotated[BulkStudentCreated | BulkStudentFailed | dict[str, Any], Field(union_mode="left_to_right")]]
    """One entry per item, in input order."""


class ChangedGroup(Model):
    id: str
    name: str
    description: str | None
    faculty_id: str
    """Internal id of the owner."""
    member_count: int
    created_at: datetime
    updated_at: datetime
    """The last change of the group or of its members."""
    skipped: list[str]
    """Entries of `student_ids` that are neither the internal id nor the login email of a student of the institution: as
    sent, each once.
    """


class CodeSecret(Model):
    hidden_key_b64: str = Field(repr=False)


class CodeSecretSet(Model):
    set: Literal[True]
    set_at: datetime


class CodeSecretStatusReleasesItem(Model):
    attempt_id: str | None
    """Null for a release to an integration."""
    student_id: str | None
    released_at: datetime
    by: str
    """`app`, or the id of the API key."""


class CodeSecretStatus(Model):
    set: bool
    """Whether a key is set."""
    set_at: datetime | None
    """When it was last set."""
    release_count: int
    """How often the key was released in all."""
    releases: list[CodeSecretStatusReleasesItem]
    """The newest first, 200 at most."""


class CodeSpecStarterZipFile(Model):
    """A file uploaded through POST /exams/{id}/files, of this or another exam."""
    id: str
    """The `id` of the upload's response."""


class CodeSpecStarterZip(Model):
    kind: Literal["zip"]
    """Here `zip`; the other fields depend on it."""
    file: CodeSpecStarterZipFile
    """A file uploaded through POST /exams/{id}/files, of this or another exam."""


class CodeSpecStarterEmpty(Model):
    kind: Literal["empty"]
    """Here `empty`; the other fields depend on it."""


class CodeSpecSampleTestsInlineFilesItem(Model):
    path: str
    """Relative, with `/` between its parts and no `..`; no two files have the same."""
    content: Literal[""] | str
    """The text of the file."""


class CodeSpecSampleTestsInline(Model):
    kind: Literal["inline"]
    """Here `inline`; the other fields depend on it."""
    files: list[CodeSpecSampleTestsInlineFilesItem]
    """At most 200 files and 1 MiB in all."""


class CodeSpecSampleTestsZipFile(Model):
    """A file uploaded through POST /exams/{id}/files, of this or another exam."""
    id: str
    """The `id` of the upload's response."""


class CodeSpecSampleTestsZip(Model):
    kind: Literal["zip"]
    """Here `zip`; the other fields depend on it."""
    file: CodeSpecSampleTestsZipFile
    """A file uploaded through POST /exams/{id}/files, of this or another exam."""


class CodeSpecHiddenTestsFile(Model):
    """A file uploaded through POST /exams/{id}/files, of this or another exam."""
    id: str
    """The `id` of the upload's response."""


class CodeSpecHiddenTests(Model):
    kind: Literal["zip-encrypted"] | str
    """Always `zip-encrypted`: an exam without hidden tests leaves `hidden_tests` out, or has null."""
    file: CodeSpecHiddenTestsFile
    """A file uploaded through POST /exams/{id}/files, of this or another exam."""
    iv_b64: str
    """Base64 of the 12-byte initialisation vector."""
    sha256: str
    """Hexadecimal SHA-256 of the ciphertext, which must be that of the stored file."""


class CodeSpecCommands(Model):
    setup: str | None
    """Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted."""
    run: str | None
    """Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted."""
    test_sample: str | None
    """Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted."""
    test_hidden: str | None
    """Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted."""
    timeout_ms: int
    """How long one command may run, in ms."""


class CodeSpecAiPolicy(Model):
    allowed: bool
    """False disables the assistant entirely."""
    model_tier: Literal["any", "cloud", "local"] | str
    """`cloud`: hosted models only; `local`: models on the device only; `any`: both."""


class CodeSpec(Model):
    v: Literal[1] | int
    """The version of this format: always 1."""
    brief_md: str
    """The exam brief, in Markdown."""
    toolchain: Literal["c", "cpp", "java", "python", "node", "sqlite"] | str
    """Must be among the institution's `allowed_toolchains`; apps install what a machine lacks."""
    starter: Annotated[CodeSpecStarterZip | CodeSpecStarterEmpty | dict[str, Any], Field(union_mode="left_to_right")]
    sample_tests: Annotated[CodeSpecSampleTestsInline | CodeSpecSampleTestsZip | dict[str, Any], Field(union_mode="left_to_right")] | None
    hidden_tests: CodeSpecHiddenTests | None
    commands: CodeSpecCommands
    ai_policy: CodeSpecAiPolicy | None
    rubric_md: str | None
    """In Markdown; for those who grade: the app does not get it."""
    exclude_globs: list[str]


class Concept(Model):
    id: str
    """Unique in the curriculum."""
    title: str
    requires: list[str]
    """Ids of the concepts that come before it. Informational; not enforced."""


class ConceptMastery(Model):
    curriculum_id: str
    curriculum_title: str
    concept_id: str
    title: str
    requires: list[str]
    score: float | None
    """The best so far, of 100; null where it is not started."""
    status: Literal["not_started", "learning", "mastered"] | str
    """Mastered from a score of 80 on; a mastered concept stays mastered."""
    mastered_at: datetime | None
    """When it was mastered."""
    updated_at: datetime | None
    """The last progress in it."""


class Coupon(Model):
    code: str
    redeemed_by: str | None
    """Internal id of who redeemed it."""
    redeemed_at: datetime | None
    """When it was redeemed."""


class CouponBatch(Model):
    id: str
    name: str
    total_coupons: int
    value_cents: int
    expiry_date: datetime
    """From then on no coupon is redeemed."""
    status: Literal["pending", "approved", "rejected", "expired"] | str
    """`pending` until a platform admin has decided and, once they have approved, the last code is made; `expired` when
    nobody decided before `expiry_date`.
    """
    reason: str | None
    """The reason given with the decision; null without one."""
    redeemed_count: int
    """Coupons that have been redeemed."""
    decided_at: datetime | None
    """When it was approved or rejected."""
    created_at: datetime
    updated_at: datetime
    """The last change of the batch itself; redemptions do not count."""
    codes: list[Coupon]
    """All coupons of an `approved` batch; empty before. Lists of batches leave it out."""


class CouponBatchApprovedEvent(Model):
    """A platform admin approved a coupon batch."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["coupon.batch_approved"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: CouponBatchApprovedEventData


class CouponBatchApprovedEventData(Model):
    batch_id: str
    total_coupons: int
    value_cents: int


class CouponBatchRequestedEvent(Model):
    """A coupon batch was requested."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["coupon.batch_requested"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: CouponBatchRequestedEventData


class CouponBatchRequestedEventData(Model):
    batch_id: str
    total_coupons: int
    value_cents: int


class CouponBatchSummary(Model):
    id: str
    name: str
    total_coupons: int
    value_cents: int
    expiry_date: datetime
    """From then on no coupon is redeemed."""
    status: Literal["pending", "approved", "rejected", "expired"] | str
    """`pending` until a platform admin has decided and, once they have approved, the last code is made; `expired` when
    nobody decided before `expiry_date`.
    """
    reason: str | None
    """The reason given with the decision; null without one."""
    redeemed_count: int
    """Coupons that have been redeemed."""
    decided_at: datetime | None
    """When it was approved or rejected."""
    created_at: datetime
    updated_at: datetime
    """The last change of the batch itself; redemptions do not count."""


class CouponRedeemedEvent(Model):
    """A coupon was redeemed."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["coupon.redeemed"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: CouponRedeemedEventData


class CouponRedeemedEventData(Model):
    batch_id: str
    user_id: str
    value_cents: int


class CouponRedemption(Model):
    batch_id: str
    batch_name: str
    code: str
    user_id: str
    email: str
    """Login email."""
    value_cents: int
    redeemed_at: datetime


class Credit(Model):
    id: str
    """The move, as the ledger has it."""
    email: str
    """The login email."""
    user_id: str
    amount_cents: int
    balance_cents: int
    """What the wallet held after the move."""
    reason: str | None
    ref: str
    applied: bool
    """False where the ref had moved it before: the response is that of the first request."""
    created_at: datetime
    allowance_cents: int
    """What was left of the allowance after the move."""


class Curriculum(Model):
    id: str
    title: str
    shared: bool
    """Made by the platform, for every institution; otherwise it is the institution's own."""
    status: Literal["draft", "published"] | str
    concept_count: int
    published_at: datetime | None
    """Null for a draft."""
    created_at: datetime


class CurriculumDetails(Model):
    id: str
    title: str
    shared: bool
    """Made by the platform, for every institution; otherwise it is the institution's own."""
    status: Literal["draft", "published"] | str
    concept_count: int
    published_at: datetime | None
    """Null for a draft."""
    created_at: datetime
    concepts: list[Concept]
    """In the order in which they were given."""


class Delivery(Model):
    id: str
    """Also in the header X-Svc-Delivery-Id."""
    event_id: str
    event_type: str
    endpoint_id: str
    status: Literal["pending", "retrying", "held", "delivered", "dead", "cancelled"] | str
    """`pending`: about to be sent. `retrying`: failed, another attempt is due. `held`: its endpoint or institution takes
    none now. `dead`: given up. `cancelled`: its endpoint was deleted.
    """
    attempts: int
    """Attempts made, those before a replay included."""
    response_code: int | None
    """Status code of the last attempt's response."""
    error_class: Literal["dns", "connect", "tls", "timeout", "http", "blocked"] | str | None
    """Where the last attempt failed."""
    next_attempt_at: datetime | None
    """When the next attempt is due."""
    deadline_at: datetime | None
    """When attempts end: 12 hours after the first one began."""
    created_at: datetime
    delivered_at: datetime | None
    """When it was answered 2xx."""
    payload: Event | None


class DeliveryAttempt(Model):
    number: int
    """From 1, counted on in replays."""
    cycle: int
    """1, and one more for each replay."""
    started_at: datetime
    duration_ms: int
    """The whole exchange."""
    connect_ms: int | None
    """Of it, until connected; null on a kept connection, and where none was made."""
    response_code: int | None
    error_class: Literal["dns", "connect", "tls", "timeout", "http", "blocked"] | str | None
    error: str | None
    """What failed, in a sentence."""
    response_body: str | None
    """The first 4 KiB of the response."""
    resent: bool
    """Sent twice within this attempt: a kept-alive connection broke before a byte of a response arrived."""


class DeliveryRef(Model):
    cycle: int
    """The cycle that it began."""
    ref: str
    """The `ref` of the replay; `rpl_…` of a replay of dead deliveries, `rcv_…` of a recovery."""
    at: datetime


class DeliveryWithLog(Model):
    id: str
    """Also in the header X-Svc-Delivery-Id."""
    event_id: str
    event_type: str
    endpoint_id: str
    status: Literal["pending", "retrying", "held", "delivered", "dead", "cancelled"] | str
    """`pending`: about to be sent. `retrying`: failed, another attempt is due. `held`: its endpoint or institution takes
    none now. `dead`: given up. `cancelled`: its endpoint was deleted.
    """
    attempts: int
    """Attempts made, those before a replay included."""
    response_code: int | None
    """Status code of the last attempt's response."""
    error_class: Literal["dns", "connect", "tls", "timeout", "http", "blocked"] | str | None
    """Where the last attempt failed."""
    next_attempt_at: datetime | None
    """When the next attempt is due."""
    deadline_at: datetime | None
    """When attempts end: 12 hours after the first one began."""
    created_at: datetime
    delivered_at: datetime | None
    """When it was answered 2xx."""
    payload: Event | None
    ended_because: str | None
    """Why it is `dead` or `cancelled`, as a clause after "because"; null of any other, and where it is not known."""
    attempt_log: list[DeliveryAttempt]
    """The newest 100 attempts, in order."""
    sent_by: list[DeliveryRef]
    """What sent it again, newest first, the newest 200; a replay without a `ref` is not among it."""


class Devices(Model):
    user_id: str | None
    """Whose license it is; null if nobody has it."""
    seats: list[Seat]
    """The active seats, 2 in each app at most, the newest sign-in first; all of them on every page."""
    activations: list[Activation]
    """The devices that have signed in on the license, one page, the newest first; 100 are remembered."""
    page: int | None
    """This page, from 1; null in an answer to a `cursor`."""
    limit: int
    """Activations a page."""
    total: int | None
    """Activations in all, exact; null in an answer to a `cursor`, for which nothing is counted."""
    has_more: bool
    """Whether more activations follow."""
    next_cursor: str | None
    """The `cursor` that reads on after these activations; null at the end."""


class DisclosureActor(Model):
    kind: Literal["key", "platform", "staff", "faculty", "developer", "session"] | str
    """An API key, the platform by its own token, a person of its staff (by token or in the support console), an admin
    (`faculty`) or a developer of the institution in the portal, or the session of a guardian.
    """
    id: str
    """Of the platform: `platform`."""
    name: str | None
    """Of a key or a person of the staff, as it is now; null for others."""


class Disclosure(Model):
    id: str
    at: datetime
    """When it was recorded, by the database's clock: within a second of the read, later while the database is away."""
    actor: DisclosureActor
    what: Literal["record", "recording", "export", "list"] | str
    """`record`: the data of one person; `recording`: with the URLs of recordings in it; `list` and `export`: the data of
    many, as a list or as a file.
    """
    operation: str
    """The `operationId`."""
    query: dict[str, str | None]
    """The parameters of the call by their names. Null where the value is a text, which may name a person."""
    request_id: str
    """The `X-Request-Id` of the response."""


class EndpointDisabledEvent(Model):
    """The service disabled a webhook endpoint: `failing` for 72 hours, or its receiver answered 410 (`gone`)."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["endpoint.disabled"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: EndpointDisabledEventData


class EndpointDisabledEventData(Model):
    endpoint_id: str
    reason: Literal["failing", "gone"] | str
    failing_since: datetime | None


class EndpointFailingEvent(Model):
    """A webhook endpoint has failed for 50, 70 or 90 % of the time after which it is disabled; once each."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["endpoint.failing"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: EndpointFailingEventData


class EndpointFailingEventData(Model):
    endpoint_id: str
    percent: Literal[50, 70, 90] | int
    failing_since: datetime
    disable_at: datetime
    consecutive_failures: int
    response_code: int | None
    error_class: Literal["dns", "connect", "tls", "timeout", "http", "blocked"] | str | None
    """Where the last attempt failed."""


class EndpointRecoveredEvent(Model):
    """A webhook endpoint of which `endpoint.failing` was reported accepted a delivery."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["endpoint.recovered"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: EndpointRecoveredEventData


class EndpointRecoveredEventData(Model):
    endpoint_id: str
    percent: Literal[50, 70, 90] | int
    failing_since: datetime
    recovered_at: datetime


class EndpointRecovery(Model):
    workflow_id: str | None
    """Names this recovery to support, and in `sent_by` of the list of deliveries; null where nothing matched, and of a
    dry run.
    """
    matched: int
    """Events that will get a delivery. Counted among the oldest 50,000 of the range; where there are more, the recovery
    may find more.
    """


class EndpointStatistics(Model):
    from_: datetime = Field(alias="from")
    """Begin of the range."""
    until: datetime
    """End of the range, exclusive."""
    attempts: int
    """Attempts that began in the range."""
    failures: int
    """Those of them that failed."""
    latency_p50_ms: int | None
    """Median of the latency of attempts that got a response, estimated from a histogram; null without one."""
    latency_p95_ms: int | None
    """95th percentile of the latency of attempts that got a response, estimated from a histogram; null without one."""
    ranges: list[EndpointStatisticsRange]
    """Each range of the period, oldest first, those without attempts too."""


class EndpointStatisticsRange(Model):
    from_: datetime = Field(alias="from")
    """Begin of the range."""
    until: datetime
    """End of the range, exclusive."""
    attempts: int
    """Attempts that began in the range."""
    failures: int
    """Those of them that failed."""
    latency_p50_ms: int | None
    """Median of the latency of attempts that got a response, estimated from a histogram; null without one."""
    latency_p95_ms: int | None
    """95th percentile of the latency of attempts that got a response, estimated from a histogram; null without one."""


class Enrolled(Model):
    enrolled: int
    """Enrollments that are new."""
    already_enrolled: int
    """Enrollments that existed before and stay unchanged."""
    skipped: int
    """Entries of `student_ids` without an enrollment."""
    unknown_students: list[str]
    """Those of them that are neither the internal id nor the login email of a student of the institution: as sent, each
    once. The others are repeated or suspended.
    """
    enrollments: list[Enrollment]
    """Of all students who were not skipped."""


class Enrollment(Model):
    id: str
    curriculum_id: str
    student_id: str
    """Internal id."""
    status: Literal["active", "paused", "completed", "withdrawn"] | str
    """`completed` once every concept is mastered."""
    daily_target_minutes: int
    created_at: datetime
    updated_at: datetime
    completed_at: datetime | None
    """Null unless it is completed."""


class EnrollmentProgressProgress(Model):
    concepts: int
    """Concepts of the curriculum."""
    mastered: int
    """Those that the student has mastered."""
    minutes_today: int
    """Minutes of today."""
    target_minutes: int
    """Minutes a day that count towards the streak."""


class EnrollmentProgress(Model):
    id: str
    curriculum_id: str
    student_id: str
    """Internal id."""
    status: Literal["active", "paused", "completed", "withdrawn"] | str
    """`completed` once every concept is mastered."""
    daily_target_minutes: int
    created_at: datetime
    updated_at: datetime
    completed_at: datetime | None
    """Null unless it is completed."""
    curriculum_title: str
    progress: EnrollmentProgressProgress


class EnrolmentCode(Model):
    id: str
    """The student."""
    login_email: str
    """What the student types to sign in."""
    code: str
    """10 characters, shown in this answer alone; a new one replaces it."""
    expires_at: datetime
    """30 days after it was made."""


class EnrolmentCodeCreated(Model):
    index: int
    """The place in the call, from 0."""
    id: str
    """The student."""
    login_email: str
    """What the student types to sign in."""
    code: str
    """10 characters, shown in this answer alone; a new one replaces it."""
    expires_at: datetime
    """30 days after it was made."""


class EnrolmentCodeFailed(Model):
    index: int
    """The place in the call, from 0."""
    error: Literal["not_found", "conflict"] | str
    """`conflict`: the personal email is mapped already, or the student is named twice in the call."""
    message: str
    """What went wrong, for people."""


class EnrolmentCodes(Model):
    created: int
    """How many codes were made."""
    failed: int
    """How many were not."""
    results: list[Annotated[EnrolmentCodeCreated | EnrolmentCodeFailed | dict[str, Any], Field(union_mode="left_to_right")]]
    """One entry per student, in input order."""


class ErasurePerson(Model):
    id: str
    kind: Literal["student", "faculty", "guardian"] | str


class ErasureProgress(Model):
    """Stores that were gone through, or are being gone through, of all."""
    done: int
    total: int


class ErasureRemovedItem(Model):
    store: Literal["profile", "guardian_links", "login_email", "sessions", "sign_in_codes", "sign_ins", "devices", "files", "exports", "submissions", "proctoring", "notes", "emails", "kept_emails", "bulk_calls", "events", "webhook_responses", "stored_responses"] | str
    count: int
    """Rows that were deleted, or lost their text; files; payloads."""
    at: datetime
    """When the last of it was removed, or when the search found nothing."""


class ErasureCertificate(Model):
    """Null until the erasure is done."""
    text: str
    """JSON: the erasure, the person, and all of `removed`. Ids, counts and times alone."""
    sha256: str
    """Of `text`, in UTF-8; hexadecimal digits."""


class Erasure(Model):
    person: ErasurePerson
    status: Literal["running", "done"] | str
    workflow_id: str
    """For a question to support."""
    requested_at: datetime
    completed_at: datetime | None
    """Null until the erasure is done."""
    progress: ErasureProgress
    """Stores that were gone through, or are being gone through, of all."""
    removed: list[ErasureRemovedItem]
    """What was removed from each store so far."""
    certificate: ErasureCertificate | None
    """Null until the erasure is done."""


class EventType(Model):
    type: str
    description: str
    operational: bool
    """About the delivery of events: sent only to subscriptions that name it, exactly or by its prefix, never by `*`."""
    data_schema: dict[str, Any]
    """JSON Schema of `data`."""
    sample: dict[str, Any]
    """Example of `data`; the test of an endpoint sends it. Ids are the same in every type."""


class ExamProctoring(Model):
    camera: bool
    """Whether the student must grant the camera."""
    microphone: bool
    """Whether the student must grant the microphone."""
    screen: bool
    """Whether the student must grant the recording of the screen."""


class ExamAiPolicy(Model):
    allowed: bool
    """False disables the assistant entirely."""
    model_tier: Literal["any", "cloud", "local"] | str
    """`cloud`: hosted models only; `local`: models on the device only; `any`: both."""
    max_interactions: int | None
    """A budget per attempt; null sets none."""


class ExamStats(Model):
    """Each student counts once, with the latest version of their submission."""
    assigned: int
    """Students in the assigned groups."""
    started: int
    """Students who started an attempt."""
    submitted: int
    """Students whose latest version is submitted, graded or not."""
    graded: int
    average_percentage: float | None
    """Of those graded; null while none is."""


class Exam(Model):
    id: str
    faculty_id: str
    """The owner."""
    title: str
    exam_type: Literal["exam", "homework", "assignment", "quiz", "project"] | str
    status: Literal["draft", "published", "closed"] | str
    app: Literal["svc", "svccode"] | str
    """`svccode` where the exam has a `code_spec`, else `svc`."""
    max_score: float
    due_date: datetime | None
    time_limit_minutes: int | None
    """A countdown from when the student opens the exam."""
    allow_late_submission: bool
    late_penalty_percentage: float
    """Late penalty in percent: reduces the percentage of late submissions."""
    proctoring: ExamProctoring
    ai_policy: ExamAiPolicy
    published_at: datetime | None
    closed_at: datetime | None
    created_at: datetime
    updated_at: datetime
    """When the exam or its assignments last changed."""
    code_spec: CodeSpec | None
    groups: list[AssignedGroup]
    """Every group that the exam is assigned to."""
    stats: ExamStats
    """Each student counts once, with the latest version of their submission."""
    code_secret_set: bool
    """Whether the hidden-test key is set."""


class ExamAnalyticsCounts(Model):
    """Students by the latest version of their submission."""
    not_submitted: int
    """Assigned students without a submission."""
    submitted: int
    graded: int
    resubmission_required: int
    voided: int


class ExamAnalyticsPercentage(Model):
    """Of the graded ones, rounded to two decimals; nulls while none is."""
    mean: float | None
    median: float | None
    min: float | None
    max: float | None
    standard_deviation: float | None
    """Of the population."""


class ExamAnalyticsHistogramItem(Model):
    from_: int = Field(alias="from")
    """Inclusive."""
    to: int
    """Exclusive; 100 is inclusive."""
    count: int


class ExamAnalyticsFocus(Model):
    """Over all attempts."""
    losses: int
    seconds_away: float


class ExamAnalytics(Model):
    counts: ExamAnalyticsCounts
    """Students by the latest version of their submission."""
    percentage: ExamAnalyticsPercentage
    """Of the graded ones, rounded to two decimals; nulls while none is."""
    histogram: list[ExamAnalyticsHistogramItem]
    """The percentages of the graded ones in ten bins, 0 to 10 first."""
    late_count: int
    """Latest versions handed in after the due date; voided ones do not count."""
    mean_duration_seconds: float | None
    """From start to submission, over all submitted attempts; null while there is none."""
    focus: ExamAnalyticsFocus
    """Over all attempts."""


class ExamAssignedEvent(Model):
    """An exam was assigned to a group; one event a group."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["exam.assigned"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: ExamAssignedEventData


class ExamAssignedEventData(Model):
    exam_id: str
    group_id: str
    student_count: int


class ExamAttempt(Model):
    id: str
    student_id: str
    """Internal id."""
    student_email: str
    """The generated login email."""
    status: Literal["in_progress", "submitted", "abandoned"] | str
    started_at: datetime
    expires_at: datetime | None
    hidden_released_at: datetime | None
    """When the app fetched the hidden-test key."""
    ended_at: datetime | None
    submission_id: str | None
    """What it was submitted as."""


class ExamAttemptStartedEvent(Model):
    """A student started an attempt."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["exam.attempt_started"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: ExamAttemptStartedEventData


class ExamAttemptStartedEventData(Model):
    attempt_id: str
    exam_id: str
    student_id: str
    started_at: datetime
    expires_at: datetime | None


class ExamGradedEvent(Model):
    """A submission was graded, or a resubmission was requested (`score` null, `resubmission_required` true)."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["exam.graded"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: ExamGradedEventData


class ExamGradedEventData(Model):
    submission_id: str
    exam_id: str
    student_id: str
    score: float | None
    max_score: float
    resubmission_required: bool


class ExamPublishedEvent(Model):
    """An exam was published."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["exam.published"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: ExamPublishedEventData


class ExamPublishedEventData(Model):
    exam_id: str
    faculty_id: str
    app: Literal["svc", "svccode"] | str


class ExamScore(Model):
    id: str
    """Internal id of the student."""
    student_id: str | None
    """The institution's own identifier."""
    email: str
    """The generated login email."""
    status: Literal["not_submitted", "submitted", "graded", "resubmission_required", "voided"] | str
    score: float | None
    """Null unless graded."""
    max_score: float
    """As of grading, else the exam's."""
    percentage: float | None
    """After any late penalty; null unless graded."""
    is_late: bool | None
    """Null without a submission."""
    submitted_at: datetime | None
    graded_at: datetime | None
    """Null unless graded."""


class ExamSubmittedEvent(Model):
    """A student submitted; every version."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["exam.submitted"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: ExamSubmittedEventData


class ExamSubmittedEventData(Model):
    submission_id: str
    exam_id: str
    student_id: str
    version: int
    is_late: bool


class ExamSummaryProctoring(Model):
    camera: bool
    """Whether the student must grant the camera."""
    microphone: bool
    """Whether the student must grant the microphone."""
    screen: bool
    """Whether the student must grant the recording of the screen."""


class ExamSummaryAiPolicy(Model):
    allowed: bool
    """False disables the assistant entirely."""
    model_tier: Literal["any", "cloud", "local"] | str
    """`cloud`: hosted models only; `local`: models on the device only; `any`: both."""
    max_interactions: int | None
    """A budget per attempt; null sets none."""


class ExamSummary(Model):
    id: str
    faculty_id: str
    """The owner."""
    title: str
    exam_type: Literal["exam", "homework", "assignment", "quiz", "project"] | str
    status: Literal["draft", "published", "closed"] | str
    app: Literal["svc", "svccode"] | str
    """`svccode` where the exam has a `code_spec`, else `svc`."""
    max_score: float
    due_date: datetime | None
    time_limit_minutes: int | None
    """A countdown from when the student opens the exam."""
    allow_late_submission: bool
    late_penalty_percentage: float
    """Late penalty in percent: reduces the percentage of late submissions."""
    proctoring: ExamSummaryProctoring
    ai_policy: ExamSummaryAiPolicy
    published_at: datetime | None
    closed_at: datetime | None
    created_at: datetime
    updated_at: datetime
    """When the exam or its assignments last changed."""


class Faculty(Model):
    id: str
    login_email: str
    """What the teacher types to sign in."""
    full_name: str
    faculty_id: str | None
    """The institution's own (HR) identifier."""
    status: Literal["active", "suspended"] | str
    is_admin: bool
    """Whether this is the institution admin, who owns what nobody else is named for."""
    profile_completed: bool
    """False until the first-login profile is complete; until then sign-in codes go to the admin's mailbox."""
    license: PersonLicense
    erased_at: datetime | None
    """When the erasure of the member was requested; null otherwise."""


class FacultyCreatedEvent(Model):
    """A faculty member was provisioned."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["faculty.created"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: FacultyCreatedEventData


class FacultyCreatedEventData(Model):
    faculty_id: str
    login_email: str
    status: Literal["active", "suspended"] | str


class FacultyProfileCompletedEvent(Model):
    """A teacher completed the profile of the first sign-in."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["faculty.profile_completed"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: FacultyProfileCompletedEventData


class FacultyProfileCompletedEventData(Model):
    faculty_id: str


class Group(Model):
    id: str
    name: str
    description: str | None
    faculty_id: str
    """Internal id of the owner."""
    member_count: int
    created_at: datetime
    updated_at: datetime
    """The last change of the group or of its members."""


class GroupDetails(Model):
    id: str
    name: str
    description: str | None
    faculty_id: str
    """Internal id of the owner."""
    member_count: int
    created_at: datetime
    updated_at: datetime
    """The last change of the group or of its members."""
    members: list[GroupMember]
    """Every member, by login email."""
    exams: list[ExamSummary]
    """Exams assigned to the group, the newest 200."""
    exam_count: int
    """How many exams are assigned in all."""


class GroupMember(Model):
    id: str
    login_email: str
    full_name: str | None
    status: Literal["pending", "active", "suspended"] | str


class GuardianInvitedEvent(Model):
    """A guardian link was created."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["guardian.invited"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: GuardianInvitedEventData


class GuardianInvitedEventData(Model):
    guardian_id: str
    student_id: str
    guardian_type: Literal["father", "mother", "guardian"] | str


class GuardianLink(Model):
    id: str
    """Of the link; `guardian_id` in events."""
    student_id: str
    """Internal id."""
    student_email: str
    """The generated login email."""
    guardian_email: str
    """The address for emails and for signing in."""
    guardian_type: Literal["father", "mother", "guardian"] | str
    guardian_name: str | None
    is_primary: bool
    """At most one of a student’s guardians is."""
    verified: bool
    """Whether the guardian has signed in. Only verified guardians see the student and receive emails about them."""
    status: Literal["invited", "accepted", "expired", "verified"] | str
    """`accepted`: by the link of the email, but not signed in yet. `expired`: can be sent again."""
    invited_at: datetime
    """Of the newest invitation."""
    expires_at: datetime
    """Until when it can be accepted and signed in with; of no meaning once verified."""
    accepted_at: datetime | None
    """When the newest invitation was accepted."""
    verified_at: datetime | None
    """When the guardian first signed in after accepting."""
    created_at: datetime
    updated_at: datetime


class GuardianVerifiedEvent(Model):
    """A guardian signed in for the first time."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["guardian.verified"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: GuardianVerifiedEventData


class GuardianVerifiedEventData(Model):
    guardian_id: str
    student_id: str
    guardian_type: Literal["father", "mother", "guardian"] | str


class InstitutionProfileAdmin(Model):
    """The institution admin, a faculty record."""
    id: str
    login_email: str


class InstitutionProfileUsersStudent(Model):
    pending: int
    active: int
    suspended: int
    total: int


class InstitutionProfileUsersFaculty(Model):
    active: int
    suspended: int
    total: int


class InstitutionProfileUsers(Model):
    """People by kind and status."""
    student: InstitutionProfileUsersStudent
    faculty: InstitutionProfileUsersFaculty


class InstitutionProfileLicensesByTypeStudent(Model):
    active: int
    expired: int
    suspended: int
    revoked: int
    total: int


class InstitutionProfileLicensesByTypeFaculty(Model):
    active: int
    expired: int
    suspended: int
    revoked: int
    total: int


class InstitutionProfileLicensesByTypeInstitution(Model):
    active: int
    expired: int
    suspended: int
    revoked: int
    total: int


class InstitutionProfileLicensesByType(Model):
    student: InstitutionProfileLicensesByTypeStudent
    faculty: InstitutionProfileLicensesByTypeFaculty
    institution: InstitutionProfileLicensesByTypeInstitution


class InstitutionProfileLicensesByStatus(Model):
    active: int
    expired: int
    suspended: int
    revoked: int


class InstitutionProfileLicenses(Model):
    """Licenses by type and by status, as in the license summary."""
    by_type: InstitutionProfileLicensesByType
    by_status: InstitutionProfileLicensesByStatus
    total: int


class InstitutionProfile(Model):
    id: str
    name: str
    status: Literal["pending", "approved", "suspended"] | str
    login_domain: str
    """What follows the @ of generated login emails."""
    time_zone: str
    admin: InstitutionProfileAdmin | None
    """The institution admin, a faculty record."""
    created_at: datetime
    users: InstitutionProfileUsers
    """People by kind and status."""
    licenses: InstitutionProfileLicenses
    """Licenses by type and by status, as in the license summary."""


class IntegrationConfigDefaultAiPolicy(Model):
    allowed: bool
    """False disables the assistant entirely."""
    model_tier: Literal["any", "cloud", "local"] | str
    """`cloud`: hosted models only; `local`: models on the device only; `any`: both."""
    max_interactions: int | None
    """A budget per attempt; null sets none."""


class IntegrationConfigDefaultProctoring(Model):
    camera: bool
    """Whether the student must grant the camera."""
    microphone: bool
    """Whether the student must grant the microphone."""
    screen: bool
    """Whether the student must grant the recording of the screen."""


class IntegrationConfigToolchainMirror(Model):
    base_url: str


class IntegrationConfig(Model):
    default_ai_policy: IntegrationConfigDefaultAiPolicy
    default_proctoring: IntegrationConfigDefaultProctoring
    allowed_toolchains: list[Literal["c", "cpp", "java", "python", "node", "sqlite"] | str]
    toolchain_mirror: IntegrationConfigToolchainMirror | None
    lms: dict[str, Any]
    unique_student_ids: bool
    """Whether no two students may have the same `student_id`."""
    require_enrolment_code: bool
    """Whether a student without a mapped personal email needs an enrolment code to name one."""


class Issue(Model):
    """One problem of a body or query."""
    path: str
    """Where, in dotted form."""
    message: str
    """What would be right."""


class Leader(Model):
    rank: int
    """The same points share a rank: 1, 2, 2, 4."""
    student_id: str
    email: str
    """The login email."""
    full_name: str | None
    points: int
    streak_days: int
    """As of now."""


class LedgerMove(Model):
    id: str
    kind: Literal["grant", "reclaim", "credit", "coupon", "spend"] | str
    """`grant` and `reclaim` move the allowance, `credit` moves from it to a wallet, `coupon` into a wallet, `spend` out
    of one.
    """
    from_: Literal["platform", "allowance", "wallet", "coupons", "models"] | str = Field(alias="from")
    """The account that gave."""
    to: Literal["platform", "allowance", "wallet", "coupons", "models"] | str
    """The account that got."""
    amount_cents: int
    """What moved, always above 0."""
    user_id: str | None
    """The wallet's owner; null where no wallet took part."""
    email: str | None
    """The login email."""
    balance_cents: int | None
    """What the wallet held after the move; null where none took part."""
    allowance_cents: int | None
    """What was left of the allowance after the move; null where it took no part."""
    reason: str | None
    ref: str | None
    """Of a credit or a spend."""
    batch_id: str | None
    """Of a coupon: its batch."""
    created_at: datetime
    """Unique in the institution, and rising with each move: the newest one's is the next `since`."""


class LicenseUser(Model):
    """Who carries the license; null for an institution license (lab machines)."""
    user_id: str
    login_email: str


class License(Model):
    id: str
    license_type: Literal["student", "faculty", "institution"] | str
    status: Literal["active", "expired", "suspended", "revoked"] | str
    """`expired` as soon as the expiry has passed."""
    user: LicenseUser | None
    """Who carries the license; null for an institution license (lab machines)."""
    max_activations: int
    """Devices, at most."""
    expires_at: datetime | None
    """Null for a lifetime license."""
    is_lifetime: bool
    revoked_at: datetime | None
    revoke_reason: str | None
    created_at: datetime


class LicenseDeviceRegisteredEvent(Model):
    """A device was registered to a license."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["license.device_registered"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: LicenseDeviceRegisteredEventData


class LicenseDeviceRegisteredEventData(Model):
    license_id: str
    user_id: str
    seat_id: str
    app: Literal["svcapp", "svccode", "svcfilm"] | str
    platform: str
    """The operating system of the device, as the app names it, such as `macos`."""


class LicenseExpiredEvent(Model):
    """A license passed its expiry. Sent once per expiry, by the daily sweep (up to a day later), or earlier when an app
    checks in or the license is changed.
    """
    id: str
    """Receivers dedupe on it."""
    type: Literal["license.expired"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: LicenseExpiredEventData


class LicenseExpiredEventData(Model):
    license_id: str
    license_type: Literal["student", "faculty", "institution"] | str
    user_id: str | None
    expired_at: datetime


class LicenseGeneratedEvent(Model):
    """A license was created."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["license.generated"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: LicenseGeneratedEventData


class LicenseGeneratedEventData(Model):
    license_id: str
    license_type: Literal["student", "faculty", "institution"] | str
    user_id: str | None
    expires_at: datetime | None


class LicenseSummaryByTypeStudent(Model):
    active: int
    expired: int
    suspended: int
    revoked: int
    total: int


class LicenseSummaryByTypeFaculty(Model):
    active: int
    expired: int
    suspended: int
    revoked: int
    total: int


class LicenseSummaryByTypeInstitution(Model):
    active: int
    expired: int
    suspended: int
    revoked: int
    total: int


class LicenseSummaryByType(Model):
    student: LicenseSummaryByTypeStudent
    faculty: LicenseSummaryByTypeFaculty
    institution: LicenseSummaryByTypeInstitution


class LicenseSummaryByStatus(Model):
    active: int
    expired: int
    suspended: int
    revoked: int


class LicenseSummary(Model):
    by_type: LicenseSummaryByType
    by_status: LicenseSummaryByStatus
    total: int
    expiring_within_30_days: int
    """Active licenses that expire within 30 days."""


class MeritsCreditedEvent(Model):
    """A wallet was credited, from any source."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["merits.credited"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: MeritsCreditedEventData


class MeritsCreditedEventData(Model):
    user_id: str
    amount_cents: int
    balance_cents: int
    source: Literal["credit", "coupon"] | str
    """Credited from the allowance, or by a coupon."""
    ref: str | None


class OpenedCodeSpecCommands(Model):
    setup: str | None
    """Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted."""
    run: str | None
    """Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted."""
    test_sample: str | None
    """Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted."""
    test_hidden: str | None
    """Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted."""
    timeout_ms: int
    """How long one command may run, in ms."""


class OpenedCodeSpecAiPolicy(Model):
    allowed: bool
    """False disables the assistant entirely."""
    model_tier: Literal["any", "cloud", "local"] | str
    """`cloud`: hosted models only; `local`: models on the device only; `any`: both."""


class OpenedCodeSpecStarterZipFile(Model):
    id: str
    url: str
    """Where the bytes are until then."""
    url_expires_at: datetime


class OpenedCodeSpecStarterZip(Model):
    kind: Literal["zip"]
    """Here `zip`; the other fields depend on it."""
    file: OpenedCodeSpecStarterZipFile


class OpenedCodeSpecStarterEmpty(Model):
    kind: Literal["empty"]
    """Here `empty`; the other fields depend on it."""


class OpenedCodeSpecSampleTestsInlineFilesItem(Model):
    path: str
    """Relative, with `/` between its parts and no `..`; no two files have the same."""
    content: Literal[""] | str
    """The text of the file."""


class OpenedCodeSpecSampleTestsInline(Model):
    kind: Literal["inline"]
    """Here `inline`; the other fields depend on it."""
    files: list[OpenedCodeSpecSampleTestsInlineFilesItem]
    """At most 200 files and 1 MiB in all."""


class OpenedCodeSpecSampleTestsZipFile(Model):
    id: str
    url: str
    """Where the bytes are until then."""
    url_expires_at: datetime


class OpenedCodeSpecSampleTestsZip(Model):
    kind: Literal["zip"]
    """Here `zip`; the other fields depend on it."""
    file: OpenedCodeSpecSampleTestsZipFile


class OpenedCodeSpecHiddenTestsFile(Model):
    id: str
    url: str
    """Where the bytes are until then."""
    url_expires_at: datetime


class OpenedCodeSpecHiddenTests(Model):
    kind: Literal["zip-encrypted"] | str
    """Always `zip-encrypted`: an exam without hidden tests leaves `hidden_tests` out, or has null."""
    file: OpenedCodeSpecHiddenTestsFile
    iv_b64: str
    """Base64 of the 12-byte initialisation vector."""
    sha256: str
    """Hexadecimal SHA-256 of the ciphertext, which must be that of the stored file."""


class OpenedCodeSpec(Model):
    """What the app works by, its files with URLs that are valid for one hour. Null before the first attempt, and for a
    document exam.
    """
    v: Literal[1] | int
    """The version of this format: always 1."""
    brief_md: str
    """The exam brief, in Markdown."""
    toolchain: Literal["c", "cpp", "java", "python", "node", "sqlite"] | str
    """Must be among the institution's `allowed_toolchains`; apps install what a machine lacks."""
    commands: OpenedCodeSpecCommands
    ai_policy: OpenedCodeSpecAiPolicy | None
    exclude_globs: list[str]
    starter: Annotated[OpenedCodeSpecStarterZip | OpenedCodeSpecStarterEmpty | dict[str, Any], Field(union_mode="left_to_right")]
    sample_tests: Annotated[OpenedCodeSpecSampleTestsInline | OpenedCodeSpecSampleTestsZip | dict[str, Any], Field(union_mode="left_to_right")] | None
    hidden_tests: OpenedCodeSpecHiddenTests | None


class PersonLicense(Model):
    id: str
    status: Literal["active", "expired", "suspended", "revoked"] | str
    license_type: Literal["student", "faculty", "institution"] | str
    """The person's kind."""
    expires_at: datetime | None
    """Null for a lifetime license."""
    is_lifetime: bool


class PingEvent(Model):
    """A test delivery to one endpoint. Sent by POST /webhooks/endpoints/{id}/test only; appears neither in the feed nor
    among deliveries.
    """
    id: str
    """Receivers dedupe on it."""
    type: Literal["ping"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: PingEventData


class PingEventData(Model):
    endpoint_id: str


class PointsAwarded(Model):
    id: str
    student_id: str
    """Internal id."""
    points: int
    """Negative where points were taken."""
    balance: int
    """After it."""
    note: str | None
    ref: str
    created_at: datetime
    applied: bool
    """False for a repeat of a `ref`, which returns the result of the first request."""


class PointsEntry(Model):
    id: str
    student_id: str
    """Internal id."""
    points: int
    """Negative where points were taken."""
    balance: int
    """After it."""
    note: str | None
    ref: str
    created_at: datetime


class PointsStats(Model):
    balance: int
    """What the student has now."""
    earned: int
    """All that was given."""
    deducted: int
    """All that was taken."""
    awards: int
    """Entries of the ledger, of both kinds."""
    last_awarded_at: datetime | None
    """The newest entry; null without one."""


class ProgressConcept(Model):
    id: str
    score: float
    """The best so far."""
    status: Literal["learning", "mastered"] | str
    mastered_at: datetime | None
    """When it was mastered."""


class ProgressEnrollment(Model):
    id: str
    status: Literal["active", "paused", "completed", "withdrawn"] | str
    mastered: int
    concepts: int


class Progress(Model):
    applied: bool
    """False for a repeated `ref`; the response is then the current progress of the student."""
    concept: ProgressConcept
    enrollment: ProgressEnrollment
    streak_days: int
    """Consecutive days, up to today or yesterday, on which a daily target was met."""
    badges_granted: list[Literal["first_mastery", "streak_7_days", "points_100", "points_1000", "curriculum_complete"] | str]
    """By this very call."""


class RecordedEvents(Model):
    stored: int
    """Events that this call stored."""
    repeated: int
    """Events that were stored already, or stood twice in the batch."""


class Redeemed(Model):
    id: str
    """The move, as the ledger has it."""
    batch_id: str
    user_id: str
    email: str
    """The login email."""
    amount_cents: int
    """What the coupon was worth."""
    balance_cents: int
    """What the wallet holds with it."""
    redeemed_at: datetime


class ReplayedDelivery(Model):
    id: str
    """Also in the header X-Svc-Delivery-Id."""
    event_id: str
    event_type: str
    endpoint_id: str
    status: Literal["pending", "retrying", "held", "delivered", "dead", "cancelled"] | str
    """`pending`: about to be sent. `retrying`: failed, another attempt is due. `held`: its endpoint or institution takes
    none now. `dead`: given up. `cancelled`: its endpoint was deleted.
    """
    attempts: int
    """Attempts made, those before a replay included."""
    response_code: int | None
    """Status code of the last attempt's response."""
    error_class: Literal["dns", "connect", "tls", "timeout", "http", "blocked"] | str | None
    """Where the last attempt failed."""
    next_attempt_at: datetime | None
    """When the next attempt is due."""
    deadline_at: datetime | None
    """When attempts end: 12 hours after the first one began."""
    created_at: datetime
    delivered_at: datetime | None
    """When it was answered 2xx."""
    payload: Event | None
    applied: bool
    """False when this ref had replayed the delivery before."""


class RevokedSeat(Model):
    id: str
    app: Literal["svcapp", "svccode", "svcfilm"] | str
    device_id: str
    """The app's own name for the device; the same in every app."""
    device_name: str
    platform: str
    app_version: str
    """As of the last heartbeat that reported it."""
    last_seen_at: datetime
    """The last sign-in or heartbeat, to the minute."""
    signed_in_at: datetime
    """When the device signed in last."""
    revoked_at: datetime


class SandboxClock(Model):
    now: datetime
    """The time of the sandbox."""
    offset_seconds: int
    """How far it is ahead of the real time."""


class SandboxEmailTo(Model):
    """The recipient, never the address."""
    kind: Literal["student", "faculty", "guardian", "guardian_link", "developer", "platform"] | str
    """An invitation to a guardian names the link of GET /guardians."""
    id: str
    """Of the platform: `platform`."""


class SandboxEmail(Model):
    id: str
    kind: Literal["sign_in_code", "guardian_invitation", "guardian_reminder", "developer_invitation", "exam_announcement", "resubmission_request", "weekly_report", "coupon_reminder", "offboarding", "endpoint_disabled", "endpoint_failing", "endpoint_recovered"] | str
    """What it would have been sent for."""
    to: SandboxEmailTo
    """The recipient, never the address."""
    subject: str
    text: str
    """Where it names the recipient's address: `(address)`."""
    links: list[str]
    """The links in the text, in its order."""
    created_at: datetime
    """By the sandbox's clock."""


class SandboxSignInUser(Model):
    id: str
    kind: Literal["student", "faculty", "guardian", "developer"] | str
    login_email: str
    """Of a guardian or developer their own address."""
    full_name: str | None
    """For the app to show; null if no name is known."""
    status: str


class SandboxSignIn(Model):
    user: SandboxSignInUser
    expires_at: datetime
    """When the session ends; the seat stays."""
    seat: Seat | None


class Scope(Model):
    scope: Literal["students:read", "students:write", "faculty:read", "faculty:write", "groups:read", "groups:write", "licenses:read", "licenses:write", "exams:read", "exams:write", "submissions:read", "submissions:write", "coupons:read", "coupons:write", "merits:read", "merits:write", "guardians:read", "guardians:write", "alpha:read", "alpha:write", "institution:read", "institution:write", "webhooks:read", "webhooks:write"] | str
    description: str


class ScopeList(ListModel):
    items: list[Scope]


class Seat(Model):
    id: str
    app: Literal["svcapp", "svccode", "svcfilm"] | str
    device_id: str
    """The app's own name for the device; the same in every app."""
    device_name: str
    platform: str
    app_version: str
    """As of the last heartbeat that reported it."""
    last_seen_at: datetime
    """The last sign-in or heartbeat, to the minute."""
    signed_in_at: datetime
    """When the device signed in last."""


class SignIn(Model):
    id: str
    at: datetime
    """Of the first, where `tries` is more than 1."""
    client_address: str | None
    """The IP address of the client; null where it is not known."""
    result: Literal["signed_in", "wrong_code", "no_valid_code", "locked", "not_allowed", "unlicensed"] | str
    """`signed_in`; or why not: `wrong_code`; `no_valid_code`, because there is none, or it is used or expired; `locked`
    after too many wrong tries; `not_allowed`, such as a suspended person; `unlicensed`, where the sign-in was to take
    a seat.
    """
    tries: int
    """Failed tries within a minute with one result from one address are one entry."""


class SignedFile(Model):
    id: str
    name: str
    size: int
    """In bytes."""
    sha256: str
    """Hexadecimal SHA-256 of the bytes."""
    content_type: str
    url: str
    """Fetched without a key."""
    url_expires_at: datetime
    """An hour from now at most."""


class StoredFileFile(Model):
    """To be put into `code_spec`, or that of an attempt into `attachments`, as it is."""
    id: str


class StoredFile(Model):
    ref: str
    """The id of the file; usable as `file` in `code_spec`, as `file` below is."""
    file: StoredFileFile
    """To be put into `code_spec`, or that of an attempt into `attachments`, as it is."""
    filename: str
    """The last part of the path that was sent, without control characters."""
    size: int
    """In bytes."""
    sha256: str
    """Hexadecimal SHA-256 of the bytes, as they were counted coming in."""
    content_type: str
    """As sent, else `application/octet-stream`."""


class Student(Model):
    id: str
    email: str
    """The same value as login_email."""
    login_email: str
    """What the student types to sign in."""
    user_type: Literal["institution_student"] | str
    full_name: str | None
    student_id: str | None
    """The institution's own (SIS) identifier."""
    status: Literal["pending", "active", "suspended"] | str
    personal_email_mapped: bool
    """Whether a personal email is mapped."""
    license: PersonLicense
    created_at: datetime
    updated_at: datetime
    """When the name, `student_id`, status or mapped personal email last changed; the license does not count."""
    erased_at: datetime | None
    """When the erasure of the student was requested; null otherwise."""


class StudentCreatedEvent(Model):
    """A student was provisioned, one at a time or in bulk."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["student.created"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: StudentCreatedEventData


class StudentCreatedEventData(Model):
    student_id: str
    login_email: str
    status: Literal["pending", "active", "suspended"] | str


class StudentEmailMappedEvent(Model):
    """A personal email was mapped to a student."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["student.email_mapped"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: StudentEmailMappedEventData


class StudentEmailMappedEventData(Model):
    student_id: str


class StudentExamProctoring(Model):
    camera: bool
    """Whether the student must grant the camera."""
    microphone: bool
    """Whether the student must grant the microphone."""
    screen: bool
    """Whether the student must grant the recording of the screen."""


class StudentExamAiPolicy(Model):
    allowed: bool
    """False disables the assistant entirely."""
    model_tier: Literal["any", "cloud", "local"] | str
    """`cloud`: hosted models only; `local`: models on the device only; `any`: both."""
    max_interactions: int | None
    """A budget per attempt; null sets none."""


class StudentExamAttempt(Model):
    """The latest attempt; null before the first."""
    id: str
    status: Literal["in_progress", "submitted", "abandoned"] | str
    started_at: datetime
    expires_at: datetime | None
    hidden_released_at: datetime | None
    """When the app fetched the hidden-test key."""


class StudentExamSubmission(Model):
    """The latest version; null before the first."""
    id: str
    version: int
    status: Literal["submitted", "graded", "resubmission_required", "voided"] | str
    is_late: bool
    score: float | None
    """Null unless graded."""
    percentage: float | None
    """After any late penalty; null unless graded."""
    submitted_at: datetime
    graded_at: datetime | None
    """Null unless graded."""


class StudentExam(Model):
    id: str
    faculty_id: str
    """The owner."""
    title: str
    exam_type: Literal["exam", "homework", "assignment", "quiz", "project"] | str
    status: Literal["draft", "published", "closed"] | str
    app: Literal["svc", "svccode"] | str
    """`svccode` where the exam has a `code_spec`, else `svc`."""
    max_score: float
    due_date: datetime | None
    time_limit_minutes: int | None
    """A countdown from when the student opens the exam."""
    allow_late_submission: bool
    late_penalty_percentage: float
    """Late penalty in percent: reduces the percentage of late submissions."""
    proctoring: StudentExamProctoring
    ai_policy: StudentExamAiPolicy
    published_at: datetime | None
    closed_at: datetime | None
    created_at: datetime
    updated_at: datetime
    """When the exam or its assignments last changed."""
    attempt: StudentExamAttempt | None
    """The latest attempt; null before the first."""
    submission: StudentExamSubmission | None
    """The latest version; null before the first."""


class StudentExportArchive(Model):
    """Null unless it is `ready` and the key may have it."""
    url: str
    """Of the archive, for anybody who has it."""
    url_expires_at: datetime
    """An hour after the response; ask again for another URL."""
    size: int
    """In bytes."""
    sha256: str


class StudentExport(Model):
    id: str
    student_id: str
    """Internal id."""
    status: Literal["preparing", "ready", "expired"] | str
    with_recordings: bool
    """Whether recordings are in the archive: if the key that asked for it has submissions:write."""
    created_at: datetime
    ready_at: datetime | None
    """When the archive was complete."""
    expires_at: datetime | None
    """When the archive is deleted: 7 days after it was complete."""
    archive: StudentExportArchive | None
    """Null unless it is `ready` and the key may have it."""


class StudentPoints(Model):
    student_id: str
    """Internal id."""
    stats: PointsStats
    ledger: Page[PointsEntry]
    """Newest first."""


class StudentUpdatedEvent(Model):
    """Fields or the status of a student changed; `changed` names them."""
    id: str
    """Receivers dedupe on it."""
    type: Literal["student.updated"]
    created_at: datetime
    """Unique in the institution, rising in the order of commits."""
    institution_id: str
    data: StudentUpdatedEventData


class StudentUpdatedEventData(Model):
    student_id: str
    changed: list[Literal["full_name", "student_id", "login_email", "status"] | str]
    """The names of the fields that changed."""
    status: Literal["pending", "active", "suspended"] | str


class SubmissionScoreDetail(Model):
    """Null until it is graded. A graded submission that is voided keeps it."""
    score: float
    """As given."""
    max_score: float
    """The exam's as of grading."""
    percentage: float
    """The final value: score / max_score × 100 × (1 − penalty / 100), rounded half up to two decimals."""
    late_penalty_percentage: float
    """The late penalty that was applied; 0 unless late."""


class SubmissionProctoring(Model):
    """Totals of the attempt."""
    focus_losses: int
    """How often the window lost the focus."""
    seconds_away: float
    """Total seconds without the focus."""
    recorder_errors: int
    segments: int
    """Recorded segments that were uploaded."""


class SubmissionVersionsItem(Model):
    id: str
    version: int
    status: Literal["submitted", "graded", "resubmission_required", "voided"] | str
    submitted_at: datetime


class Submission(Model):
    id: str
    exam_id: str
    student_id: str
    """Internal id."""
    student_email: str
    """The generated login email."""
    attempt_id: str
    version: int
    """Counts up with each of the student's submissions in this exam."""
    is_latest: bool
    """Whether there is no later version. Only the latest is graded and voided, and counts."""
    status: Literal["submitted", "graded", "resubmission_required", "voided"] | str
    is_late: bool
    """Submitted after the due date."""
    feedback: str | None
    score_detail: SubmissionScoreDetail | None
    """Null until it is graded. A graded submission that is voided keeps it."""
    proctoring: SubmissionProctoring
    """Totals of the attempt."""
    graded_by: str | None
    """Who graded it, or asked for a resubmission."""
    graded_at: datetime | None
    """When that was last done."""
    void_reason: str | None
    voided_at: datetime | None
    submitted_at: datetime
    updated_at: datetime
    """When it last changed."""
    text: str | None
    attachments: list[SignedFile]
    """Of a coding exam: workspace.zip, transcript.json and test-results.json."""
    feedback_attachments: list[SignedFile]
    """Files that came with the feedback."""
    ai_usage_data: dict[str, Any] | None
    """As the app reported it."""
    versions: list[SubmissionVersionsItem]
    """Every version of this student in this exam, newest first; each is read by its id."""
    recordings: list[SignedFile] | None = Field(default=None)
    """The recorded segments, in order. With the scope submissions:write alone: for other keys the field is absent."""


class SubmissionEventsAttempt(Model):
    id: str
    student_id: str
    status: Literal["in_progress", "submitted", "abandoned"] | str
    started_at: datetime
    expires_at: datetime | None
    hidden_released_at: datetime | None
    """When the app fetched the hidden-test key."""
    ended_at: datetime | None


class SubmissionEventsEventsItem(Model):
    type: str
    at: datetime
    """By the clock of the reporter: the student's machine, or the service."""
    detail: dict[str, Any] | None = Field(default=None)
    """Absent where there is none."""


class SubmissionEvents(Model):
    attempt: SubmissionEventsAttempt
    counts: dict[str, int]
    """Total number of events of each type, across all pages."""
    events: list[SubmissionEventsEventsItem]
    """In the order of `at`."""
    page: int | None
    """This page, from 1; null in an answer to a `cursor`."""
    limit: int
    """Events a page."""
    total: int | None
    """Events in all, exact; null in an answer to a `cursor`, for which nothing is counted."""
    has_more: bool
    """Whether more events follow."""
    next_cursor: str | None
    """The `cursor` that reads on after these events; null at the end."""


class SubmissionSummaryScoreDetail(Model):
    """Null until it is graded. A graded submission that is voided keeps it."""
    score: float
    """As given."""
    max_score: float
    """The exam's as of grading."""
    percentage: float
    """The final value: score / max_score × 100 × (1 − penalty / 100), rounded half up to two decimals."""
    late_penalty_percentage: float
    """The late penalty that was applied; 0 unless late."""


class SubmissionSummaryProctoring(Model):
    """Totals of the attempt."""
    focus_losses: int
    """How often the window lost the focus."""
    seconds_away: float
    """Total seconds without the focus."""
    recorder_errors: int
    segments: int
    """Recorded segments that were uploaded."""


class SubmissionSummary(Model):
    id: str
    exam_id: str
    student_id: str
    """Internal id."""
    student_email: str
    """The generated login email."""
    attempt_id: str
    version: int
    """Counts up with each of the student's submissions in this exam."""
    is_latest: bool
    """Whether there is no later version. Only the latest is graded and voided, and counts."""
    status: Literal["submitted", "graded", "resubmission_required", "voided"] | str
    is_late: bool
    """Submitted after the due date."""
    feedback: str | None
    score_detail: SubmissionSummaryScoreDetail | None
    """Null until it is graded. A graded submission that is voided keeps it."""
    proctoring: SubmissionSummaryProctoring
    """Totals of the attempt."""
    graded_by: str | None
    """Who graded it, or asked for a resubmission."""
    graded_at: datetime | None
    """When that was last done."""
    void_reason: str | None
    voided_at: datetime | None
    submitted_at: datetime
    updated_at: datetime
    """When it last changed."""


class SubmittedVersion(Model):
    id: str
    exam_id: str
    student_id: str
    attempt_id: str
    version: int
    status: Literal["submitted"] | str
    is_late: bool
    """Submitted after the due date."""
    submitted_at: datetime


class WalletMovesItem(Model):
    id: str
    kind: Literal["grant", "reclaim", "credit", "coupon", "spend"] | str
    """`grant` and `reclaim` move the allowance, `credit` moves from it to a wallet, `coupon` into a wallet, `spend` out
    of one.
    """
    from_: Literal["platform", "allowance", "wallet", "coupons", "models"] | str = Field(alias="from")
    """The account that gave."""
    to: Literal["platform", "allowance", "wallet", "coupons", "models"] | str
    """The account that got."""
    amount_cents: int
    """What moved, always above 0."""
    balance_cents: int
    """What the wallet held after the move."""
    reason: str | None
    ref: str | None
    """Of a credit or a spend."""
    batch_id: str | None
    """Of a coupon: its batch."""
    created_at: datetime
    """Unique in the institution, and rising with each move: the newest one's is the next `since`."""


class Wallet(Model):
    user_id: str
    email: str
    """The login email."""
    balance_cents: int
    """What the wallet holds; 0 before its first move."""
    moves: list[WalletMovesItem]
    """The newest 50, newest first."""


class WebhookEndpoint(Model):
    id: str
    url: str
    description: str | None
    events: list[str]
    """`*`, prefixes such as `exam.*`, or exact types."""
    status: Literal["active", "paused", "disabled"] | str
    """`disabled` is set by the service when an endpoint fails for days or answers 410."""
    rate_limit: int | None
    """Deliveries per second at most; null without a limit."""
    created_at: datetime
    last_success_at: datetime | None
    """The last attempt that was answered 2xx."""
    last_failure_at: datetime | None
    """The last attempt that was not."""
    consecutive_failures: int
    """Failures since the last success."""
    circuit: Literal["closed", "open"] | str
    """`open` after 20 failures in a row: deliveries are held, and the oldest is tried from time to time until one is
    accepted.
    """
    next_probe_at: datetime | None
    """While the circuit is open: when the oldest held delivery is tried next, at the earliest; a test that is accepted,
    or setting `status` to `active`, has it tried at once.
    """
    disabled_reason: str | None
    """Why the service disabled the endpoint."""
    secret_rotated_at: datetime | None
    """When the signing secret was last rotated."""
    previous_secret_expires_at: datetime | None
    """Until when attempts also carry the signature of the previous secret; null outside of a grace."""
    header_names: list[str]
    """Names of the headers that each attempt also has; their values are never shown."""
    signature_scheme: Literal["hmac", "ed25519"] | str
    """`ed25519`: attempts also have a signature by a key of the endpoint."""
    public_key: str | None
    """Verifies the `v1a` signatures; null for `hmac`."""
    previous_public_key: str | None
    """The key before the last rotation, in a grace; else null."""


class WebhookEndpointWithSecret(Model):
    id: str
    url: str
    description: str | None
    events: list[str]
    """`*`, prefixes such as `exam.*`, or exact types."""
    status: Literal["active", "paused", "disabled"] | str
    """`disabled` is set by the service when an endpoint fails for days or answers 410."""
    rate_limit: int | None
    """Deliveries per second at most; null without a limit."""
    created_at: datetime
    last_success_at: datetime | None
    """The last attempt that was answered 2xx."""
    last_failure_at: datetime | None
    """The last attempt that was not."""
    consecutive_failures: int
    """Failures since the last success."""
    circuit: Literal["closed", "open"] | str
    """`open` after 20 failures in a row: deliveries are held, and the oldest is tried from time to time until one is
    accepted.
    """
    next_probe_at: datetime | None
    """While the circuit is open: when the oldest held delivery is tried next, at the earliest; a test that is accepted,
    or setting `status` to `active`, has it tried at once.
    """
    disabled_reason: str | None
    """Why the service disabled the endpoint."""
    secret_rotated_at: datetime | None
    """When the signing secret was last rotated."""
    previous_secret_expires_at: datetime | None
    """Until when attempts also carry the signature of the previous secret; null outside of a grace."""
    header_names: list[str]
    """Names of the headers that each attempt also has; their values are never shown."""
    signature_scheme: Literal["hmac", "ed25519"] | str
    """`ed25519`: attempts also have a signature by a key of the endpoint."""
    public_key: str | None
    """Verifies the `v1a` signatures; null for `hmac`."""
    previous_public_key: str | None
    """The key before the last rotation, in a grace; else null."""
    secret: str = Field(repr=False)
    """The signing secret; shown this once."""


class WebhookTest(Model):
    delivered: bool
    """Whether the receiver answered 2xx within 10 seconds."""
    response_code: int | None
    """Status code of the response; null without one."""
    latency_ms: int
    """The whole exchange, name look-up and connect included."""
    error: str | None
    """What failed, in a sentence; null when delivered."""
    response_body: str | None
    """The first 4 KiB of the response, where a receiver may say why it refuses; null without a body."""


class WeeklyReport(Model):
    id: str
    """Of the student's report: the same for each of their guardians."""
    guardian_id: str
    """The guardian link."""
    student_id: str
    """Internal id."""
    student_email: str
    """The generated login email."""
    week_start: str
    """The Monday, as a calendar day of the time zone."""
    week_end: str
    """The Sunday."""
    time_zone: str
    """The institution's: the week begins and ends at its midnight."""
    minutes: int
    """Spent learning in the week."""
    days_met: int
    """Days on which the daily target of an enrollment was met."""
    points: int
    """Awarded less deducted in the week."""
    points_balance: int
    """At the end of the week."""
    concepts_mastered: int
    """In the week."""
    streak_days: int
    """Days in a row with the target met, up to the Sunday."""
    badges: list[str]
    """Granted in the week, oldest first."""
    sent_at: datetime | None
    """When the report was emailed to this guardian. Null if no email was sent, and from 90 days after the last email of
    the week on.
    """
    created_at: datetime
    """The later of when the report was written and when the guardian was verified."""


class DeleteGroupResult(Model):
    id: str
    deleted: Literal[True]


class RemoveGroupMemberResult(Model):
    id: str
    deleted: Literal[True]


class DeleteExamResult(Model):
    id: str
    deleted: Literal[True]


class UnassignExamResult(Model):
    id: str
    deleted: Literal[True]


class RemoveGuardianResult(Model):
    id: str
    deleted: Literal[True]


class GetLeaderboardResult(ListModel):
    items: list[Leader]


class ListEventsResult(ListModel):
    items: list[Event]
    """Oldest first."""
    has_more: bool
    """Whether further events wait already."""
    next_since: datetime | None
    """The newest created_at seen: the next `since`. Null while there is no event and none was passed."""


class ListEventTypesResult(ListModel):
    items: list[EventType]


class DeleteWebhookEndpointResult(Model):
    id: str
    deleted: Literal[True]


class ResetSandboxResult(Model):
    id: str
    deleted: Literal[True]


EventPattern = Literal[
    "*",
    "student.*",
    "faculty.*",
    "license.*",
    "exam.*",
    "guardian.*",
    "alpha.*",
    "merits.*",
    "coupon.*",
    "endpoint.*",
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
"""What `type` of the feed takes, and what an endpoint subscribes to: one type, one family of types, or all."""


EventName = Literal[
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
"""The types of events."""

class UnknownEvent(Model):
    """An event of a type that a later release of the service has added."""

    id: str
    type: str
    created_at: datetime
    institution_id: str
    data: Any


_EVENT_NAMES = frozenset((
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
))


def _event_tag(value: Any) -> str:
    name = value.get("type") if isinstance(value, dict) else getattr(value, "type", None)
    return name if name in _EVENT_NAMES else "unknown"


Event = Annotated[
    Annotated[PingEvent, Tag("ping")]
    | Annotated[StudentCreatedEvent, Tag("student.created")]
    | Annotated[StudentUpdatedEvent, Tag("student.updated")]
    | Annotated[StudentEmailMappedEvent, Tag("student.email_mapped")]
    | Annotated[FacultyCreatedEvent, Tag("faculty.created")]
    | Annotated[FacultyProfileCompletedEvent, Tag("faculty.profile_completed")]
    | Annotated[LicenseGeneratedEvent, Tag("license.generated")]
    | Annotated[LicenseExpiredEvent, Tag("license.expired")]
    | Annotated[LicenseDeviceRegisteredEvent, Tag("license.device_registered")]
    | Annotated[ExamPublishedEvent, Tag("exam.published")]
    | Annotated[ExamAssignedEvent, Tag("exam.assigned")]
    | Annotated[ExamAttemptStartedEvent, Tag("exam.attempt_started")]
    | Annotated[ExamSubmittedEvent, Tag("exam.submitted")]
    | Annotated[ExamGradedEvent, Tag("exam.graded")]
    | Annotated[GuardianInvitedEvent, Tag("guardian.invited")]
    | Annotated[GuardianVerifiedEvent, Tag("guardian.verified")]
    | Annotated[AlphaPointsAwardedEvent, Tag("alpha.points_awarded")]
    | Annotated[AlphaBadgeGrantedEvent, Tag("alpha.badge_granted")]
    | Annotated[MeritsCreditedEvent, Tag("merits.credited")]
    | Annotated[CouponBatchRequestedEvent, Tag("coupon.batch_requested")]
    | Annotated[CouponBatchApprovedEvent, Tag("coupon.batch_approved")]
    | Annotated[CouponRedeemedEvent, Tag("coupon.redeemed")]
    | Annotated[EndpointFailingEvent, Tag("endpoint.failing")]
    | Annotated[EndpointRecoveredEvent, Tag("endpoint.recovered")]
    | Annotated[EndpointDisabledEvent, Tag("endpoint.disabled")]
    | Annotated[UnknownEvent, Tag("unknown")],
    Discriminator(_event_tag),
]
"""What happened; tell events apart by class, with `match` or `isinstance`."""
