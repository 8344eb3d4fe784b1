"""What is sent, how an answer is read, and when a call is retried: without any input or output of its own."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Callable, Dict, Generator, List, Mapping, NamedTuple, Optional, Tuple, TypeVar, cast
from urllib.parse import quote, urlsplit

from ._errors import AssayError
from .types import AdResult, Answer, Meta, ProofFile, UsageWindow

VERSION = "0.1.0"
ANSWER_BYTES_MAX = 4 * 1024 * 1024
_MESSAGE_CHARACTERS_MAX = 500
_RETRYABLE_STATUSES = frozenset({429, 500, 502, 503, 504})
_FIRST_WAIT_MS_MAX = 250
_WAIT_MS_MAX = 8_000
_LEVELS = frozenset({"high", "medium", "low"})
# The longest time that timers of all platforms accept.
_SECONDS_MAX = 2_147_483.647
_VISIBLE = re.compile(r"[\x21-\x7e]{1,255}")

Result = TypeVar("Result")


class Installation(NamedTuple):
    """Where the service is."""

    is_encrypted: bool
    host: str
    port: int
    authority: str
    path: str


class Request(NamedTuple):
    """Every attempt of a call sends the same bytes."""

    method: str
    path: str
    headers: Dict[str, str]
    body: Optional[bytes]


class RawAnswer(NamedTuple):
    """A complete answer; header names are in lower case."""

    status: int
    headers: Dict[str, str]
    body: bytes


def parse_base_url(text: str) -> Installation:
    """The message does not repeat the URL: it may contain a password."""
    try:
        url = urlsplit(text)
        port = url.port
    except (ValueError, AttributeError, TypeError):
        url = urlsplit("")
        port = None
    is_usable = url.scheme in ("http", "https") and url.hostname and re.fullmatch(r"[\x21-\x7e]+", text)
    if not is_usable or re.search(r"[?#@\\]", text):
        raise ValueError("base_url must be a URL such as https://assay.example.com")
    is_encrypted = url.scheme == "https"
    return Installation(is_encrypted, url.hostname or "", port or (443 if is_encrypted else 80), url.netloc, url.path.rstrip("/"))


def parse_visible(name: str, text: Any) -> str:
    """The message never contains the text, which may be the key: messages end up in logs."""
    if not isinstance(text, str) or not _VISIBLE.fullmatch(text):
        raise ValueError(f"{name} must consist of 1 to 255 visible ASCII characters")
    return text


def parse_seconds(name: str, value: Any) -> float:
    """A number of seconds that a timer accepts."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not 0.001 <= value <= _SECONDS_MAX:
        raise ValueError(f"{name} must be a number of seconds from 0.001 to {_SECONDS_MAX}")
    return float(value)


def parse_attempts(value: Any) -> int:
    """1 disables retries."""
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 100:
        raise ValueError("attempts_max must be a whole number from 1 to 100")
    return value


def encode_path(text: str) -> str:
    """As a part of a path or a query."""
    if not isinstance(text, str):
        raise TypeError("an id, a month or a time must be a string")
    return quote(text, safe="!~*'()")


def make_usage_path(window: UsageWindow) -> str:
    """Without a window, the default one of the service."""
    given = [(name, cast(str, value)) for name, value in window.items() if name in ("from", "to")]
    query = "&".join(f"{name}={encode_path(value)}" for name, value in given)
    return f"/api/usage?{query}" if query else "/api/usage"


def encode_json(value: Any) -> bytes:
    """Compact. A number that JSON cannot hold is a ValueError."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except RecursionError:
        raise ValueError("the request refers to itself") from None


def make_scoring_request(session: Mapping[str, Any], session_token: Optional[str]) -> Dict[str, Any]:
    """Only the two documented fields. No signal is called session_data: what has it is a report."""
    report = session if isinstance(session, Mapping) and "session_data" in session else {"session_data": session}
    token = session_token or report.get("session_token")
    return {"session_data": report["session_data"], **({"session_token": token} if token else {})}


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def parse_json(text: str, *, read_object: Optional[Callable[[List[Tuple[str, Any]]], Any]] = None) -> Any:
    """Strictly: Python alone also takes NaN and Infinity. Whatever is wrong is a ValueError."""
    try:
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=read_object)
    except RecursionError:
        raise ValueError("too deep") from None


def _parse_object(body: bytes) -> Optional[Dict[str, Any]]:
    try:
        parsed = parse_json(body.decode("utf-8-sig", "replace"))
    except ValueError:
        return None
    return parsed if isinstance(parsed, dict) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def parse_retry_after(body: Mapping[str, Any], header: Optional[str]) -> Optional[float]:
    """Seconds from the body's ``retry_after`` or else the header."""
    seconds: Any = body.get("retry_after")
    if _is_number(seconds):
        return cast(float, seconds) if math.isfinite(seconds) and seconds >= 0 else None
    return int(header) if header is not None and re.fullmatch(r"[0-9]{1,9}", header) else None


def _read_failure(answer: RawAnswer) -> AssayError:
    status, headers, _ = answer
    body = _parse_object(answer.body) or {}
    code, said = body.get("error"), body.get("message")
    if isinstance(code, str):
        message = said[:_MESSAGE_CHARACTERS_MAX] if isinstance(said, str) else f"The answer had status {status}."
    else:
        code, message = "unexpected_status", f"The answer had status {status} and did not come from Assay."
    return AssayError(
        message,
        code=code,
        status=status,
        request_id=headers.get("x-request-id"),
        is_retryable=status in _RETRYABLE_STATUSES or (status == 409 and code == "idempotency_in_progress"),
        retry_after_seconds=parse_retry_after(body, headers.get("retry-after")),
    )


def _refuse_answer(answer: RawAnswer, message: str) -> AssayError:
    # The call may have been billed, but a retry with the same key returns the same answer: retrying is safe.
    request_id = answer.headers.get("x-request-id")
    return AssayError(message, code="unreadable_answer", status=answer.status, request_id=request_id, is_retryable=True)


def _meta_of(answer: RawAnswer, attempts: int) -> Meta:
    headers = answer.headers
    replayed = headers.get("idempotent-replayed") == "true"
    return {"request_id": headers.get("x-request-id"), "receipt": headers.get("assay-receipt"), "replayed": replayed, "attempts": attempts}


def read_body(answer: RawAnswer, attempts: int) -> Answer:
    """The body's fields, and facts about the call."""
    body = _parse_object(answer.body)
    if body is None:
        raise _refuse_answer(answer, "The answer is not a JSON object.")
    return cast(Answer, {**body, "meta": _meta_of(answer, attempts)})


def read_verdict(answer: RawAnswer, attempts: int) -> Answer:
    """The confidence under both of its names, whichever the answer has."""
    read = cast(Dict[str, Any], read_body(answer, attempts))
    score, confidence = read.get("service_score"), read.get("confidence")
    confidence = read.get("attribution_confidence") if confidence is None else confidence
    level = read.get("trust_level")
    is_verdict = _is_number(score) and math.isfinite(cast(float, score)) and isinstance(level, str) and level in _LEVELS
    if not is_verdict or not _is_number(confidence):
        raise _refuse_answer(answer, "The answer does not contain a verdict.")
    asserted = {"attestation": "asserted", "attested": [], "attestation_issues": []}
    return cast(Answer, {**asserted, **read, "confidence": confidence, "attribution_confidence": confidence})


def read_ad(answer: RawAnswer, attempts: int) -> AdResult:
    """An ad, or None with the reason."""
    meta = _meta_of(answer, attempts)
    if answer.status == 204:
        return {"ad": None, "no_fill_reason": answer.headers.get("assay-no-fill", "unknown"), "meta": meta}
    ad = _parse_object(answer.body)
    if ad is None:
        raise _refuse_answer(answer, "The answer is not a JSON object.")
    return {"ad": cast(Any, ad), "no_fill_reason": None, "meta": meta}


def read_proof(answer: RawAnswer, attempts: int) -> ProofFile:
    """The text as it arrived."""
    return {"proof": answer.body.decode("utf-8-sig", "replace"), "meta": _meta_of(answer, attempts)}


def wait_ms_before(number: int, retry_after_seconds: Optional[float], chance: float) -> float:
    """Exponential back-off with full jitter; what the service asks for is respected in full."""
    ms_max: int = min(_WAIT_MS_MAX, _FIRST_WAIT_MS_MAX << (number - 1))
    return (retry_after_seconds or 0) * 1_000 + math.floor(chance * ms_max)


class Policy(NamedTuple):
    """When to stop."""

    attempts_max: int
    total: float
    random: Callable[[], float]
    now: Callable[[], float]


Steps = Generator[Optional[float], Optional[RawAnswer], Result]


def retry(request: Request, read: Callable[[RawAnswer, int], Result], policy: Policy) -> Steps[Result]:
    """Yields None for an attempt, whose answer is sent or whose error is thrown in, and seconds to wait for a wait."""
    started = policy.now()
    attempt = 0
    while True:
        attempt += 1
        try:
            answer = yield None
            assert answer is not None
            if answer.status not in (200, 204):
                raise _read_failure(answer)
            return read(answer, attempt)
        except AssayError as failure:
            error = failure
        wait_ms = wait_ms_before(attempt, error.retry_after_seconds, policy.random())
        # To the microsecond: sums of fractions of a second are not exact.
        is_late = round((policy.now() - started) * 1_000 + wait_ms, 3) > round(policy.total * 1_000, 3)
        if not error.is_retryable or attempt >= policy.attempts_max or is_late:
            error.attempts, error.idempotency_key = attempt, request.headers.get("Idempotency-Key")
            raise error
        yield wait_ms / 1_000


