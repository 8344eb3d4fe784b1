import type { SessionData } from "./types.ts";

/** Some of the six signals, for a session that the service has measured itself. */
export type PartialSessionData = { [Name in keyof SessionData]?: SessionData[Name] | undefined };

/**
 * What the collector posts to your server. It may have more fields, such as `sequence`: they are not passed on. The
 * signals may be incomplete, or `{}`, if there is a token. Null and "" mean that there is none.
 */
export type SessionReport =
  | { session_data: SessionData; session_token?: string | null | undefined }
  | { session_data: PartialSessionData; session_token: string };

export type ScoringRequest = { session_data: PartialSessionData; session_token?: string };

/** No signal has this name. Callers without types may pass anything; the service then says what is wrong with it. */
const isReport = (session: SessionData | SessionReport): session is SessionReport =>
  typeof session === "object" && session !== null && "session_data" in session;

/** The request has only the two documented fields. */
export function makeScoringRequest(session: SessionData | SessionReport, sessionToken: string | null | undefined): ScoringRequest {
  const report: SessionReport = isReport(session) ? session : { session_data: session };
  const token = sessionToken || report.session_token;
  return { session_data: report.session_data, ...(token && { session_token: token }) };
}
