import type { PeopleContext } from "./people-context.ts";
import { setVerified } from "../register/accounts.table.ts";
import { selectLink, useLink } from "./links.table.ts";
import { hashToken } from "./mailed-link.ts";

export type VerifyOutcome =
  /** The browser that follows the link is the one that signed up: it may have a session. */
  | { kind: "verified_here"; accountId: string }
  | { kind: "verified" }
  | { kind: "link_expired" };

/**
 * Proves an address. Works in any browser; a session is only for the one that signed up, because the password behind
 * the link may be another person's. Mail scanners follow links first, so following one again is no failure.
 */
export async function verifyEmail(context: PeopleContext, visit: { token: string; browserToken: string | undefined }): Promise<VerifyOutcome> {
  const { store } = context;
  const nowMs = context.nowMs();
  const link = { tokenHash: hashToken(visit.token), kind: "verify", nowMs } as const;
  const found = await selectLink(store.db, link).executeTakeFirst();
  if (!found) return { kind: "link_expired" };
  const { account_id: accountId, email } = found;
  await store.write([useLink(store.db, link), setVerified(store.db, { accountId, email, nowMs })]);
  const isHere = found.used_at === null && visit.browserToken !== undefined && hashToken(visit.browserToken) === found.browser_hash;
  return isHere ? { kind: "verified_here", accountId } : { kind: "verified" };
}
