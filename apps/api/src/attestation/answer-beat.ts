import type { BeatReply, BeatRequest } from "@assay/contract/attestation.ts";
import { Failure } from "../failure/failure.ts";
import type { KnownSite, SiteDirectory } from "./sites/follow-sites.ts";
import { creditBeat, hasExpired } from "./tokens/credit-beat.ts";
import type { SessionIssue, SessionState } from "./tokens/session-state.ts";
import type { SessionTokens } from "./tokens/session-tokens.ts";

/** Who sent a request. `origin`: of the page; without one it is no page. */
export type PageSource = { origin: string | undefined; isProxied: boolean };

/** Throws if the session has ended, or the page is not one of the site's. */
export type AnswerBeat = (beat: BeatRequest, source: PageSource) => BeatReply;

const sessionTokenExpired = (): Failure => new Failure("session_token_expired", "The session has ended: start a new one.");
const invalidToken = (): Failure => new Failure("invalid_request", "token is not a valid session token");

/** 403 unless the page is one of the site's. Without an Origin it is no page: that is noted, and never refused. */
export function issuesOf({ origin, isProxied }: PageSource, site: KnownSite): SessionIssue[] {
  const issues: SessionIssue[] = isProxied ? ["proxied"] : [];
  if (origin === undefined) return [...issues, "origin_mismatch"];
  if (site.origins.has(origin)) return issues;
  throw new Failure("forbidden", "Pages of this origin may not use this site: add the origin to the site in the dashboard.");
}

/** What lets pages of an origin read an answer, and from a refusal how long to wait. */
export const readableBy = (origin: string) => ({ "access-control-allow-origin": origin, "access-control-expose-headers": "retry-after" });

/** Such a page may not read the answer either. */
export const isForbidden = (error: unknown): boolean => error instanceof Failure && error.code === "forbidden";

function noteIssues(state: SessionState, issues: readonly SessionIssue[]): SessionState {
  return issues.every((issue) => state.issues.has(issue)) ? state : { ...state, issues: new Set([...state.issues, ...issues]) };
}

export const replyOf = (tokens: SessionTokens, state: SessionState): BeatReply => ({ token: tokens.seal(state), next_ms: state.nextMs });

export function createBeatAnswers({ sites, tokens }: { sites: SiteDirectory; tokens: SessionTokens }, { nowMs, random }: { nowMs: () => number; random: () => number }): AnswerBeat {
  return ({ token, d }, source) => {
    const atMs = nowMs();
    const opened = tokens.open(token, atMs);
    if (opened.kind === "invalid") throw invalidToken();
    if (opened.kind === "expired") throw sessionTokenExpired();
    const { state } = opened;
    const site = sites.find(state.siteId);
    // Removed since it began.
    if (!site || hasExpired(state, atMs)) throw sessionTokenExpired();
    const issues = issuesOf(source, site);
    return replyOf(tokens, creditBeat(noteIssues(state, issues), d, { nowMs: atMs, chance: random() }));
  };
}
