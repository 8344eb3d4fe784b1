"""Client of the Assay trust-scoring service, for servers."""

from ._client import RAISE, Assay, AsyncAssay, AsyncClock, Clock
from ._errors import AssayError, ProofError, WebhookVerificationError
from ._proofs import VerifiedProof, Witness, verify_proof
from ._rules import VERSION as __version__
from ._webhooks import WebhookEvent, verify_webhook

__all__ = [
    "RAISE",
    "Assay",
    "AssayError",
    "AsyncAssay",
    "AsyncClock",
    "Clock",
    "ProofError",
    "VerifiedProof",
    "WebhookEvent",
    "WebhookVerificationError",
    "Witness",
    "__version__",
    "verify_proof",
    "verify_webhook",
]
