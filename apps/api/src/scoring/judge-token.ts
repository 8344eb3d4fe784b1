import { type AttestationIssue, attestationIssues, attestedFromMs, type AttestedSignal, attestedSignals } from "@assay/contract/attestation.ts";
import { measuredSignalsOf } from "@assay/contract/measured-session.ts";
import type { SessionData } from "@assay/contract/scoring.ts";
import { hasExpired } from "../attestation/tokens/credit-beat.ts";
import type { SessionState } from "../attestation/tokens/session-state.ts";
import type { Opened } from "../attestation/tokens/session-tokens.ts";
import { Failure, sessionTokenExpiredText } from "../failure/failure.ts";

/** The signals to score, and what to say about them. `attested` is empty if they are the caller's word. */
export type Attested = { signals: SessionData; attested: readonly AttestedSignal[]; issues: readonly AttestationIssue[] };

/** What a call gives without its token, or with one that attests nothing. */
export type Judged =
  | { kind: "asserted"; session: SessionState | undefined; scored: Attested }
  /** The charge decides whether the session is still unused. `otherwise`: what to score if not; undefined if the call lacks signals of its own. */
  | { kind: "attested"; session: SessionState; scored: Attested; otherwise: Attested | undefined }
  /** Cannot be scored; a stored answer comes first. */
  | { kind: "refused"; session: SessionState | undefined; failure: Failure };

type Asserted = Partial<SessionData>;

const required = ["user_engagement", "session_duration"] as const;

const missingOf = (signals: Asserted): (typeof required)[number] | undefined => required.find((name) => signals[name] === undefined);
const isComplete = (signals: Asserted): signals is SessionData => missingOf(signals) === undefined;

const ordered = (issues: ReadonlySet<AttestationIssue>): AttestationIssue[] => attestationIssues.filter((issue) => issues.has(issue));
const assert = (signals: SessionData, issues: Iterable<AttestationIssue>): Attested => ({ signals, attested: [], issues: ordered(new Set(issues)) });

function judgeExpired(session: SessionState | undefined, asserted: Asserted): Judged {
  if (!isComplete(asserted)) return { kind: "refused", session, failure: new Failure("session_token_expired", sessionTokenExpiredText) };
  return { kind: "asserted", session, scored: assert(asserted, [...(session?.issues ?? []), "token_expired"]) };
}

/** A session that is measured, but does not count as attested: what the page measured fills in what the caller leaves out. */
function judgeUncounted(session: SessionState, asserted: Asserted, issues: readonly AttestationIssue[]): Judged {
  const signals = { ...(session.beats > 0 && measuredSignalsOf(session)), ...asserted };
  if (isComplete(signals)) return { kind: "asserted", session, scored: assert(signals, issues) };
  return { kind: "refused", session, failure: new Failure("invalid_request", `Missing required field: session_data.${missingOf(signals)}; the session of the session_token has no beat yet`) };
}

/** Throws for a token that this account cannot have. `asserted`: what the caller says. */
export function judgeToken(opened: Opened, asserted: Asserted, { accountId, nowMs }: { accountId: string; nowMs: number }): Judged {
  if (opened.kind === "invalid") throw new Failure("invalid_request", "session_token is not a valid session token");
  if (opened.kind === "expired") return judgeExpired(undefined, asserted);
  const { state: session } = opened;
  if (session.accountId !== accountId) throw new Failure("invalid_request", "session_token is a token of another account's site");
  if (hasExpired(session, nowMs)) return judgeExpired(session, asserted);
  const isTooShort = session.lastMs - session.startedMs < attestedFromMs;
  if (isTooShort) return judgeUncounted(session, asserted, [...session.issues, "too_short"]);
  if (session.issues.has("crowded_network")) return judgeUncounted(session, asserted, [...session.issues]);
  const measured = measuredSignalsOf(session);
  return {
    kind: "attested",
    session,
    scored: { signals: { ...asserted, ...measured }, attested: attestedSignals.filter((name) => measured[name] !== undefined), issues: ordered(session.issues) },
    otherwise: isComplete(asserted) ? assert(asserted, [...session.issues, "token_used"]) : undefined,
  };
}
