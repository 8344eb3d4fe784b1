"""What a caller writes, for mypy: every line is checked, and each wrong one must be found wrong."""

import os
from typing import Optional

from assay import Assay, AssayError, AsyncAssay, VerifiedProof, WebhookEvent, verify_proof, verify_webhook
from assay.types import Ad, Prediction, SessionReport

assay = Assay(os.environ["ASSAY_API_KEY"], os.environ["ASSAY_URL"], timeout=2, total=5)


def judge(report: SessionReport) -> str:
    verdict: Prediction = assay.predict(report, session_token="at1.x")
    level: str = verdict["trust_level"]
    receipt: Optional[str] = verdict["meta"]["receipt"]
    verdict["no_such_field"]  # type: ignore[typeddict-item]
    assay.predict({"user_engagement": "much", "session_duration": 1})  # type: ignore[typeddict-item]
    assay.report_outcome(verdict["session_id"], "happy")  # type: ignore[arg-type]
    return f"{level} {receipt}"


def judge_or_not() -> Optional[float]:
    verdict = assay.score({"user_engagement": 0.5, "session_duration": 10}, on_unavailable=None)
    verdict["service_score"]  # type: ignore[index]
    return None if verdict is None else verdict["confidence"]


async def advertise(client: AsyncAssay) -> Optional[Ad]:
    try:
        result = await client.request_ad({"format": "native", "user_context": {"app_category": "gaming"}})
        usage = await client.usage({"from": "2026-01-01"})
        print(usage["from"], usage["endpoints"][0]["calls"], result["no_fill_reason"])
        return result["ad"]
    except AssayError as error:
        print(error.code, error.retry_after_seconds)
        return None


def receive(body: bytes, headers: "dict[str, str]") -> WebhookEvent:
    return verify_webhook(body, headers, ["whsec_a", "whpk_b"], account="acct_1", seen=lambda event_id: False)


def prove(receipt: str) -> VerifiedProof:
    return verify_proof(assay.proof(7)["proof"], receipt, log_keys=["log+id+key"])
