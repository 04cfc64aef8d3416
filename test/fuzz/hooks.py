"""What Schemathesis is told of the contract where it cannot read it from the document; docs/fuzzing.md has it in words."""

import json
import os
import re

import schemathesis
from schemathesis.checks import CheckContext
from schemathesis.core.failures import AcceptedNegativeData, Failure, ServerError
from schemathesis.core.jsonschema import make_validator
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import CoverageScenario, coverage_scenario
from schemathesis.openapi.checks import RejectedPositiveData

# Numbers of at most two decimals. `multipleOf: 0.01` would say it, but validators that divide refuse 0.07 for it.
TWO_DECIMALS = ("max_score", "late_penalty_percentage")
# Files of a coding exam are looked up, must be of this institution, and bear the digest that is stored; the paths of
# inline ones are relative and differ, and their contents are bounded together. The institution says which toolchains.
CODE_SPEC = (r"code_spec\.toolchain", r"code_spec\.\w+\.file\.id", r"code_spec\.hidden_tests\.sha256", r"code_spec\.sample_tests\.files(\.\d+\.path)?")

# Issues of bodies that the document allows, because JSON Schema cannot say the rule. By operation, the paths that
# such an issue may name.
BEYOND_SCHEMA = {
    "createExam": (*TWO_DECIMALS, *CODE_SPEC),
    "updateExam": (*TWO_DECIMALS, *CODE_SPEC),
    "gradeSubmission": ("score",),
    # In the future, and not too far.
    "requestCouponBatch": ("expiry_date",),
    "extendLicense": ("expires_at",),
    # A URL with a public host, without credentials or fragment, on certain ports.
    "createWebhookEndpoint": ("url",),
    "updateWebhookEndpoint": ("url",),
    # Any object, but bounded in bytes and depth, and of numbers that survive being kept.
    "replaceInstitutionConfig": (r"lms.*",),
    # The platform API.
    "recordProgress": ("score",),
    "recordAttemptEvents": (r"events\.\d+\.(detail|at)",),
    # What an app may tell depends on the exam.
    "submitAttempt": (r"ai_usage_data.*", r"attachments.*"),
    # An address of their own, not a login email.
    "inviteDeveloper": ("email",),
    "completeProfile": ("email",),
    "requestMailboxChange": ("email",),
    # The code in an email.
    "confirmMailboxChange": ("code",),
    "createInstitution": ("time_zone", "login_domain", "admin_email"),
    "createKey": ("expires_at",),
}


# The same of the query of every list: a cursor is sent without a page, and a range ends after it begins.
BEYOND_EVERY_SCHEMA = ("cursor", "until")


def body_of(response):
    try:
        return json.loads(response.content)
    except ValueError:
        return {}


@schemathesis.check
def method_not_implemented(ctx: CheckContext, response, case) -> None:
    """A method that a path does not have: 501 `not_implemented`, and `Allow` names those that it has. An X-Actor is looked up before."""
    if coverage_scenario(case) is not CoverageScenario.UNSPECIFIED_HTTP_METHOD:
        return
    named = body_of(response).get("error")
    if response.status_code == 401 and "X-Actor" in (case.headers or {}):
        return
    if response.status_code != 501 or named != "not_implemented" or not response.headers.get("allow"):
        raise Failure(
            operation=case.operation.label,
            title="A method that the path does not have",
            message=f"{response.request.method} was answered {response.status_code} {named}, not 501 not_implemented with Allow",
        )


def refused_by_a_rule(case, response) -> bool:
    """A refusal of valid data that says a rule, and none of the body's form."""
    answer = body_of(response)
    if response.status_code not in (400, 422):
        return False
    if answer.get("error") != "validation_error":
        return True
    rules = (*BEYOND_EVERY_SCHEMA, *BEYOND_SCHEMA.get(case.operation.definition.raw.get("operationId"), ()))
    paths = [issue["path"] for issue in answer.get("issues", [])]
    return len(paths) > 0 and all(any(re.fullmatch(rule, path) for rule in rules) for path in paths)


def limiter_was_late(response) -> bool:
    """Redis took longer than 200 ms: the contract's answer, which a busy machine brings about."""
    named = body_of(response).get("error")
    return response.status_code == 503 and named == "rate_limiter_unavailable" and response.headers.get("retry-after") == ["5"]


# What a text loses around it: the white space of ECMAScript.
BLANKS = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


def trimmed(value):
    if isinstance(value, str):
        return value.strip(BLANKS)
    if isinstance(value, list):
        return [trimmed(item) for item in value]
    if isinstance(value, dict):
        return {name: trimmed(item) for name, item in value.items()}
    return value


def is_valid_once_trimmed(case) -> bool:
    """Texts lose the blanks around them before they are checked, as the document says in words: its patterns and lengths are of what is left."""
    query, body = dict(case.query or {}), case.body if case.media_type == "application/json" else None
    if trimmed(query) == query and trimmed(body) == body:
        return False
    validator_class = case.operation.schema.adapter.jsonschema_validator_cls
    schemas = [(trimmed(query), case.operation.get_parameter_set(ParameterLocation.QUERY).schema)]
    if body is not None:
        schemas.append((trimmed(body), case.operation.get_body_for_media_type(case.media_type).optimized_schema))
    return all(make_validator(schema, validator_class).is_valid(value) for value, schema in schemas)


def failed_as_an_item(case, response) -> bool:
    """In bulk provisioning a bad item fails alone, in the results of a call that succeeds."""
    if case.operation.path != "/students/bulk" or response.status_code != 200:
        return False
    return any("error" in result for result in body_of(response)["data"]["results"])


if "FUZZ_TOKENS" in os.environ:
    TOKENS = json.loads(os.environ["FUZZ_TOKENS"])

    @schemathesis.auth(refresh_interval=None)
    class TokenOfRole:
        """Of the platform API: the token of the first role that an operation names and that we have."""

        def get(self, case, context):
            roles = context.operation.definition.raw.get("x-roles", [])
            return next((TOKENS[role] for role in TOKENS if role in roles), TOKENS["platform"])

        def set(self, case, data, context):
            case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}

    @schemathesis.hook
    def filter_path_parameters(context, path_parameters) -> bool:
        """Suspending the institution that calls would end every session of the run."""
        suspends = context.operation is not None and context.operation.path == "/institutions/{id}/suspend"
        return not (suspends and path_parameters.get("id") == os.environ["FUZZ_INSTITUTION"])


@schemathesis.hook
def filter_failure(context, failure, case, response) -> bool:
    if isinstance(failure, (ServerError, RejectedPositiveData, AcceptedNegativeData)) and limiter_was_late(response):
        return False
    if isinstance(failure, RejectedPositiveData):
        return not refused_by_a_rule(case, response)
    if isinstance(failure, AcceptedNegativeData):
        return not (failed_as_an_item(case, response) or is_valid_once_trimmed(case))
    return True
