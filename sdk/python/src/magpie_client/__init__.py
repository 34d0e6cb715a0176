"""The client of Magpie: `Magpie`, and `AsyncMagpie` with the same methods."""

from . import inputs, models
from ._answer import Answer
from ._async.client import AsyncMagpie
from ._async.job import AsyncJob
from ._async.monitor import AsyncNamedMonitor
from ._async.source import AsyncTrackedSource
from ._errors import EventGap, JobFailed, MagpieConnectionError, MagpieError, WebhookVerificationError
from ._sync.client import Magpie
from ._sync.job import Job
from ._sync.monitor import NamedMonitor
from ._sync.source import TrackedSource
from ._webhook import WebhookBody, verify_webhook
from .models import JobNotice

__all__ = [
    "Answer",
    "AsyncJob",
    "AsyncMagpie",
    "AsyncNamedMonitor",
    "AsyncTrackedSource",
    "EventGap",
    "Job",
    "JobFailed",
    "JobNotice",
    "Magpie",
    "MagpieConnectionError",
    "MagpieError",
    "NamedMonitor",
    "TrackedSource",
    "WebhookBody",
    "WebhookVerificationError",
    "inputs",
    "models",
    "verify_webhook",
]
