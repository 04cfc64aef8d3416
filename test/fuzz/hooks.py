"""What Schemathesis is told of the contract where it cannot read it from the document; docs/fuzzing.md has it in words."""

import json
import os
import re

import schemathesis
from schemathesis.checks import CheckContext
from schemathesis.core.failures import AcceptedNegativeData, Failure, ServerError
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
}


def body_of(response):
    try:
        return json.loads(response.content)
    except ValueError:
        return {}


@schemathesis.check
def method_not_implemented(ctx: CheckContext, response, case) -> None:
    """A method that a path does not have: 501 `not_implemented`, and `Allow` names those that it has."""
    if coverage_scenario(case) is not CoverageScenario.UNSPECIFIED_HTTP_METHOD:
        return
    named = body_of(response).get("error")
    if response.status_code != 501 or named != "not_implemented" or not response.headers.get("allow"):
        raise Failure(
            operation=case.operation.label,
            title="A method that the path does not have",
            message=f"{response.request.method} was answered {response.status_code} {named}, not 501 not_implemented with Allow",
        )


def refused_by_a_rule(case, response) -> bool:
    """A refusal of valid data that says a rule, and none of the body's form."""
    answer = body_of(response)
    if response.status_code != 422:
        return False
    if answer.get("error") != "validation_error":
        return True
    rules = BEYOND_SCHEMA.get(case.operation.definition.raw.get("operationId"), ())
    paths = [issue["path"] for issue in answer.get("issues", [])]
    return len(paths) > 0 and all(any(re.fullmatch(rule, path) for rule in rules) for path in paths)


def limiter_was_late(response) -> bool:
    """Redis took longer than 200 ms: the contract's answer, which a busy machine brings about."""
    named = body_of(response).get("error")
    return response.status_code == 503 and named == "rate_limiter_unavailable" and response.headers.get("retry-after") == ["5"]


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
    if isinstance(failure, (ServerError, RejectedPositiveData)) and limiter_was_late(response):
        return False
    if isinstance(failure, RejectedPositiveData):
        return not refused_by_a_rule(case, response)
    if isinstance(failure, AcceptedNegativeData):
        return not failed_as_an_item(case, response)
    return True
