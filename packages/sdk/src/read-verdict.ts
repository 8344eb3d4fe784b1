import { AssayError } from "./assay-error.ts";
import type { RawAnswer } from "./attempt-call.ts";

const levels: ReadonlySet<unknown> = new Set(["high", "medium", "low"]);

/**
 * The verdict has two shapes: the full one calls the confidence `confidence`, the shorter one
 * `attribution_confidence`. Callers get both names with either shape.
 */
export function readVerdict(answer: RawAnswer): Record<string, unknown> {
  const body = answer.body as Record<string, unknown> | undefined;
  const confidence = body?.confidence ?? body?.attribution_confidence;
  if (body && Number.isFinite(body.service_score) && levels.has(body.trust_level) && typeof confidence === "number") {
    return { ...body, confidence, attribution_confidence: confidence };
  }
  const requestId = answer.headers.get("x-request-id") ?? undefined;
  throw new AssayError("The answer does not contain a verdict.", { code: "unreadable_answer", status: answer.status, requestId, isRetryable: true });
}
