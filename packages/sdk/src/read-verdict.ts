import { AssayError } from "./assay-error.ts";
import type { RawAnswer } from "./attempt-call.ts";

const levels: ReadonlySet<unknown> = new Set(["high", "medium", "low"]);

/**
 * Two shapes of the verdict are in use: the full one says `confidence`, the abbreviated one says the same as
 * `attribution_confidence`. Callers get both names whichever came.
 */
export function readVerdict(answer: RawAnswer): Record<string, unknown> {
  const body = answer.body as Record<string, unknown> | undefined;
  const confidence = body?.confidence ?? body?.attribution_confidence;
  if (body && Number.isFinite(body.service_score) && levels.has(body.trust_level) && typeof confidence === "number") {
    return { ...body, confidence, attribution_confidence: confidence };
  }
  const requestId = answer.headers.get("x-request-id") ?? undefined;
  throw new AssayError("The answer holds no verdict.", { code: "unreadable_answer", status: answer.status, requestId, isRetryable: true });
}
