"""A typed client of the Institution API."""

from __future__ import annotations

from institution import models, params
from institution._client import AsyncInstitution, Institution
from institution._errors import Code, ExistingStudent, InstitutionError, Issue
from institution._hooks import CallAnswer, CallRetry
from institution._omit import OMIT, Omit
from institution._page import Page
from institution._version import __version__
from institution.webhooks import (
    AsyncMemoryStore,
    AsyncWebhookHandler,
    AsyncWebhookStore,
    Claim,
    MemoryStore,
    WebhookHandler,
    WebhookResponse,
    WebhookStore,
    WebhookVerificationError,
    verify_webhook,
)

__all__ = [
    "OMIT",
    "AsyncInstitution",
    "AsyncMemoryStore",
    "AsyncWebhookHandler",
    "AsyncWebhookStore",
    "CallAnswer",
    "CallRetry",
    "Claim",
    "Code",
    "ExistingStudent",
    "Institution",
    "InstitutionError",
    "Issue",
    "MemoryStore",
    "Omit",
    "Page",
    "WebhookHandler",
    "WebhookResponse",
    "WebhookStore",
    "WebhookVerificationError",
    "__version__",
    "models",
    "params",
    "verify_webhook",
]
