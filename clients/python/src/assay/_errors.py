"""The errors that this client raises."""

from __future__ import annotations

from typing import Optional

_WEBHOOK_STATUSES = {"too_large": 413, "bad_secret": 500, "bad_account": 500, "unsupported": 500, "duplicate": 200}


class AssayError(Exception):
    """A call yielded no result. Match on ``code``, never on the message.

    Invalid arguments are a ``ValueError`` or ``TypeError`` instead; a cancelled task gets its ``CancelledError``.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int,
        request_id: Optional[str] = None,
        is_retryable: bool = False,
        retry_after_seconds: Optional[float] = None,
        attempts: int = 1,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """All fields are keywords, for code that constructs one, such as tests."""
        super().__init__(message)
        self.message = message
        self.code = code
        """Code of the service, or ``network_failure``, ``timeout``, ``unreadable_answer``, ``unexpected_status``."""
        self.status = status
        """HTTP status of the last answer; 0 when there was none."""
        self.request_id = request_id
        """``X-Request-Id`` of the last answer. Quote it when you report a problem."""
        self.is_retryable = is_retryable
        """Whether the same call may succeed later."""
        self.retry_after_seconds = retry_after_seconds
        """Seconds to wait before the next call, if the service named a time."""
        self.attempts = attempts
        """Number of attempts made, including the first."""
        self.idempotency_key = idempotency_key
        """Repeating a billable call with this key within 24 hours returns the original answer, if there was one."""


class WebhookVerificationError(Exception):
    """A request is not an event to act on. Answer with ``status``, and do nothing else. No text contains a secret."""

    def __init__(self, code: str, message: str) -> None:
        """The status follows from the code."""
        super().__init__(message)
        self.code = code
        """``bad_signature``, ``too_old``, ``duplicate`` and others."""
        self.status = _WEBHOOK_STATUSES.get(code, 400)
        """What to answer: 200 if it was handled before, 400 or 413 if it is refused, 500 if the receiver is set up wrongly."""
        self.is_duplicate = code == "duplicate"
        """True if Assay sent it and it was handled before: then there is nothing left to do."""


class ProofError(Exception):
    """A proof does not prove the receipt. Match on ``code``."""

    def __init__(self, code: str, message: str) -> None:
        """``message`` is a sentence for people."""
        super().__init__(message)
        self.code = code
        """``malformed_…``, ``unknown_log``, ``bad_signature``, ``other_receipt`` or ``not_included``."""
