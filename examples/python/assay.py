"""Scores a session and requests ads, with Python's standard library only.

    ASSAY_URL=http://127.0.0.1:8080 ASSAY_API_KEY=assay_test_... python3 assay.py [SESSION_TOKEN]
"""

import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
import uuid

ATTEMPTS_MAX = 5
TIMEOUT_SECONDS = 10
FIRST_WAIT_SECONDS_MAX = 0.25
WAIT_SECONDS_MAX = 8
RETRIED = {429, 500, 502, 503, 504}


class AssayError(Exception):
    def __init__(self, status, code, message):
        super().__init__(f"{status} {code}: {message}")
        self.status, self.code = status, code


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would send the key to another host."""

    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(NoRedirect)


def read_error(error):
    try:
        body = json.load(error)
        return body if isinstance(body, dict) else {}
    except ValueError:
        return {}


def call(path, body, idempotency_key=None):
    """Returns (status, headers, answer). All attempts carry the same key, so the call is billed once at most."""
    headers = {"X-API-Key": os.environ["ASSAY_API_KEY"], "Content-Type": "application/json"}
    if idempotency_key:
        headers["Idempotency-Key"] = idempotency_key
    request = urllib.request.Request(os.environ["ASSAY_URL"] + path, json.dumps(body).encode(), headers, method="POST")
    for attempt in range(1, ATTEMPTS_MAX + 1):
        wait = random.uniform(0, min(WAIT_SECONDS_MAX, FIRST_WAIT_SECONDS_MAX * 2 ** (attempt - 1)))
        try:
            with opener.open(request, timeout=TIMEOUT_SECONDS) as answer:
                text = answer.read()
                return answer.status, answer.headers, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            said = read_error(error)
            code = said.get("error", "unexpected_status")
            if error.code not in RETRIED and code != "idempotency_in_progress" or attempt == ATTEMPTS_MAX:
                raise AssayError(error.code, code, said.get("message", "")) from error
            wait += said.get("retry_after") or int(error.headers.get("Retry-After", 0))
        except (OSError, ValueError) as error:  # no connection, a broken one, a timeout, an incomplete answer
            if attempt == ATTEMPTS_MAX:
                raise AssayError(0, "network_failure", str(error)) from error
        time.sleep(wait)


def predict(signals, session_token=None):
    """With a token, which the collector on the page gets from Assay, the signals may be incomplete: docs/attestation.md."""
    body = {"session_data": signals}
    if session_token:
        body["session_token"] = session_token
    return call("/api/ml/predict", body, idempotency_key=str(uuid.uuid4()))[2]


def request_ad(ad_format, session_id):
    """Returns (ad, None), or (None, the reason why there is no ad)."""
    status, headers, ad = call("/api/ads/request", {"format": ad_format, "user_context": {"session_id": session_id}})
    return (ad, None) if status == 200 else (None, headers.get("Assay-No-Fill"))


if __name__ == "__main__":
    verdict = predict(
        {
            "user_engagement": 0.75,
            "session_duration": 180,
            "scroll_depth": 0.8,
            "interaction_count": 12,
            "page_views": 5,
            "return_visitor": True,
        },
        session_token=sys.argv[1] if len(sys.argv) > 1 else None,
    )
    ads = {}
    for each in ("banner", "native", "interstitial"):
        ad, reason = request_ad(each, verdict["session_id"])
        ads[each] = ad["creative"]["headline"] if ad else f"none: {reason}"
    print(json.dumps({"verdict": verdict, "ads": ads}))
