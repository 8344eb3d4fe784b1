import { AssayError } from "./assay-error.ts";
import type { RawAnswer } from "./attempt-call.ts";

const levels: ReadonlySet<unknown> = new Set(["high", "medium", "low"]);

/** An installation that does not know attested sessions answers nothing about them: it has measured nothing. */
const attestationOf = ({ attestation = "asserted", attested = [], attestation_issues = [] }: Record<string, unknown>) => ({ attestation, attested, attestation_issues });

/**
 * The verdict has two shapes: the full one calls the confidence `confidence`, the shorter one
 * `attribution_confidence`. Callers get both names with either shape.
 */
export function readVerdict(answer: RawAnswer): Record<string, unknown> {
  const body = answer.body as Record<string, unknown> | undefined;
  const confidence = body?.confidence ?? body?.attribution_confidence;
  if (body && Number.isFinite(body.service_score) && levels.has(body.trust_level) && typeof confidence === "number") {
    return { ...body, confidence, attribution_confidence: confidence, ...attestationOf(body) };
  }
  const requestId = answer.headers.get("x-request-id") ?? undefined;
  throw new AssayError("The answer does not contain a verdict.", { code: "unreadable_answer", status: answer.status, requestId, isRetryable: true });
}
