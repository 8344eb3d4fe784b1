"""Verification of webhooks (Standard Webhooks)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import math
import re
import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._ed25519 import verify_ed25519
from ._errors import WebhookVerificationError
from ._rules import parse_json

_SECRETS_MAX = 20
_SIGNATURES_MAX = 20
_SIGNATURE_CHARACTERS_MAX = 4_096
_ID_CHARACTERS_MAX = 256
_SAFE_INTEGER_MAX = 2**53 - 1

Headers = Mapping[str, Union[str, Sequence[str], None]]
_Secret = Tuple[str, bytes]


@dataclass(frozen=True)
class WebhookEvent:
    """An event of your account."""

    id: str
    """``evt_…``, the same on every attempt to deliver it: handle each id once."""
    type: str
    """Such as ``payout.paid``. More may be added."""
    timestamp: str
    """When it happened."""
    sequence: int
    """Counts the events of your account without a gap; they may arrive in another order."""
    data: Dict[str, Any]
    """What happened, depending on the type."""
    account: Optional[str] = None
    """Whose event it is. ``None``: an installation sent it that does not say so yet."""


def _decode_base64(text: str) -> Optional[bytes]:
    """As browsers do it: padding and stray bits do not matter."""
    stripped = re.sub(r"[\t\n\f\r ]", "", text)
    if len(stripped) % 4 == 0:
        stripped = re.sub(r"={1,2}\Z", "", stripped)
    if not re.fullmatch(r"[A-Za-z0-9+/]*", stripped) or len(stripped) % 4 == 1:
        return None
    try:
        return base64.b64decode(stripped + "=" * (-len(stripped) % 4))
    except binascii.Error:
        return None


def _read_secret(secret: Any) -> _Secret:
    matched = re.fullmatch(r"(whsec|whpk)_([A-Za-z0-9+/]+={0,2})", secret) if isinstance(secret, str) else None
    content = _decode_base64(matched[2]) if matched else None
    if matched is None or content is None:
        raise WebhookVerificationError("bad_secret", "a secret must be whsec_ or whpk_ and base64, as it was shown")
    if matched[1] == "whsec" and not 24 <= len(content) <= 64:
        raise WebhookVerificationError("bad_secret", "a secret is incomplete: whsec_ is followed by 24 to 64 bytes in base64")
    if matched[1] == "whpk" and len(content) != 32:
        raise WebhookVerificationError("bad_secret", "a public key is incomplete: whpk_ is followed by 32 bytes in base64")
    return ("v1" if matched[1] == "whsec" else "v1a"), content


def _read_secrets(secrets: Union[str, Sequence[str]]) -> List[_Secret]:
    given = [secrets] if isinstance(secrets, (str, bytes)) or not isinstance(secrets, Sequence) else list(secrets)
    if not 1 <= len(given) <= _SECRETS_MAX:
        raise WebhookVerificationError("bad_secret", f"there must be 1 to {_SECRETS_MAX} secrets")
    return [_read_secret(each) for each in given]


def _read_expected(account: Any, known: Sequence[_Secret]) -> Optional[str]:
    """The public key is the same for all accounts, so it says nothing of whose event it is: then the account must be expected."""
    if account is None and all(version == "v1" for version, _ in known):
        return None
    if not isinstance(account, str) or account == "":
        raise WebhookVerificationError("bad_account", "with a public key, say whose events are expected: account, as the dashboard shows it beside the key")
    return account


def _read_payload(payload: Union[bytes, str], bytes_max: int) -> bytes:
    if not isinstance(payload, (bytes, bytearray, memoryview, str)):
        raise WebhookVerificationError("malformed_body", "the payload must be the raw body: bytes or text, not the parsed JSON")
    body = payload.encode("utf-8", "replace") if isinstance(payload, str) else bytes(payload)
    if len(body) > bytes_max:
        raise WebhookVerificationError("too_large", f"the body has more than {bytes_max} bytes")
    return body


def _values_of(headers: Headers, name: str) -> List[str]:
    values: List[str] = []
    for each, value in headers.items():
        if each.lower() == name and value is not None:
            values.extend([value] if isinstance(value, str) else value)
    return values


def _read_header(values: Sequence[str], name: str, characters_max: int) -> str:
    if not values or values[0] == "":
        raise WebhookVerificationError("missing_header", f"there is no header {name}")
    if len(values) > 1:
        raise WebhookVerificationError("bad_header", f"the header {name} is there more than once")
    if len(values[0]) > characters_max:
        raise WebhookVerificationError("bad_header", f"the header {name} has more than {characters_max} characters")
    return values[0]


def _read_id(headers: Headers) -> str:
    event_id = _read_header(_values_of(headers, "webhook-id"), "webhook-id", _ID_CHARACTERS_MAX)
    # The full stop separates the id from the time in what is signed.
    if not re.fullmatch(r"[!-\-/-~]+", event_id):
        raise WebhookVerificationError("bad_header", "webhook-id contains a full stop, a space or a character outside of ASCII")
    return event_id


def _read_time(headers: Headers, now: float, tolerance: float) -> str:
    name = "webhook-timestamp"
    seconds = _read_header(_values_of(headers, name), name, _SIGNATURE_CHARACTERS_MAX)
    if not re.fullmatch(r"[0-9]{1,12}", seconds):
        raise WebhookVerificationError("bad_timestamp", "webhook-timestamp is not a number of seconds")
    ahead = int(seconds) - math.floor(now)
    # Not "<" and ">": a tolerance that is not a number lets nothing pass.
    if not ahead >= -tolerance:
        raise WebhookVerificationError("too_old", f"it was signed more than {tolerance} seconds ago")
    if not ahead <= tolerance:
        raise WebhookVerificationError("too_new", f"it was signed more than {tolerance} seconds from now")
    return seconds


def _read_signatures(headers: Headers) -> List[Tuple[str, bytes]]:
    """``v1,… v1a,…``: what cannot be a signature is left out."""
    name = "webhook-signature"
    text = _read_header([" ".join(_values_of(headers, name))], name, _SIGNATURE_CHARACTERS_MAX)
    signatures: List[Tuple[str, bytes]] = []
    # Where a header was sent twice, some servers put a comma and a space between its values.
    for each in re.split(r",? +", text)[:_SIGNATURES_MAX]:
        version, comma, encoded = each.partition(",")
        content = _decode_base64(encoded) if comma else None
        if content is not None:
            signatures.append((version, content))
    return signatures


def _is_signature(secret: _Secret, signature: bytes, content: bytes) -> bool:
    version, key = secret
    if version == "v1a":
        return verify_ed25519(key, content, signature)
    return hmac.compare_digest(hmac.new(key, content, hashlib.sha256).digest(), signature)


def _parse_event(body: bytes) -> Optional[Dict[str, Any]]:
    """None unless it is an object whose names are there once: parsers differ about which of two counts."""
    outermost: List[str] = []

    def read_object(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
        # The outermost object is complete last.
        outermost[:] = [name for name, _ in pairs]
        return dict(pairs)

    try:
        parsed = parse_json(body.decode("utf-8-sig"), read_object=read_object)
    except ValueError:
        return None
    return parsed if isinstance(parsed, dict) and len(parsed) == len(outermost) else None


def _read_event(body: bytes, event_id: str) -> WebhookEvent:
    parsed = _parse_event(body)
    if parsed is not None and ("account" not in parsed or isinstance(parsed["account"], str)):
        kind, timestamp, data = parsed.get("type"), parsed.get("timestamp"), parsed.get("data")
        sequence: Any = parsed.get("sequence")
        is_whole = isinstance(sequence, (int, float)) and not isinstance(sequence, bool) and abs(sequence) <= _SAFE_INTEGER_MAX
        if isinstance(kind, str) and isinstance(timestamp, str) and isinstance(data, dict) and is_whole and sequence == int(sequence):
            return WebhookEvent(event_id, kind, timestamp, int(sequence), data, parsed.get("account"))
    raise WebhookVerificationError("malformed_body", "the body is signed, but is not {type, timestamp, sequence, account, data} as JSON, each once")


def verify_webhook(
    payload: Union[bytes, str],
    headers: Headers,
    secrets: Union[str, Sequence[str]],
    *,
    account: Optional[str] = None,
    tolerance_seconds: float = 300,
    payload_bytes_max: int = 65_536,
    seen: Optional[Callable[[str], bool]] = None,
    now: Callable[[], float] = time.time,
) -> WebhookEvent:
    """Verifies a webhook and returns its event, or raises a ``WebhookVerificationError``.

    ``payload`` is the raw body as it arrived. ``secrets`` are the endpoint's secret (``whsec_…``), both while it is being
    rotated, or the installation's public key (``whpk_…``). That key signs the events of all accounts: with it ``account``
    must say whose are expected (``acct_…``, as the dashboard shows it); others are refused. ``seen`` says whether the event with an id was handled; it is
    asked after the signature was verified.
    """
    known = _read_secrets(secrets)
    expected = _read_expected(account, known)
    body = _read_payload(payload, payload_bytes_max)
    event_id = _read_id(headers)
    seconds = _read_time(headers, now(), tolerance_seconds)
    signatures = _read_signatures(headers)
    content = f"{event_id}.{seconds}.".encode("ascii") + body
    # All of them, so that the time does not tell which one it was.
    tried = [_is_signature(secret, made, content) for secret in known for version, made in signatures if version == secret[0]]
    if not any(tried):
        raise WebhookVerificationError("bad_signature", "no signature was made with one of the secrets for this id, time and body")
    event = _read_event(body, event_id)
    if expected is not None and event.account != expected:
        raise WebhookVerificationError("other_account", "it is genuine, but it is not an event of the account that is expected")
    if seen is not None and seen(event_id):
        raise WebhookVerificationError("duplicate", "an event with this id has been handled before")
    return event
