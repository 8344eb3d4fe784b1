import { hash, randomBytes } from "node:crypto";
import type { AccountLinkRow, LinkKind } from "../store/schema-accounts.ts";
import { msPerHour } from "../formats/time.ts";

export const linkLifeMs: Record<LinkKind, number> = { verify: 24 * msPerHour, reset: msPerHour, change_email: 24 * msPerHour };

const tokenBytes = 32;

/** Tokens are random, so a plain hash of them tells nothing to whoever reads the table. */
export const hashToken = (token: string): string => hash("sha256", token, "hex");

export const makeToken = (): string => randomBytes(tokenBytes).toString("base64url");

/** The secret that goes into the mail, and the row that will know it again. */
export function makeLink(order: { kind: LinkKind; accountId: string; email: string; browserToken?: string | undefined; nowMs: number }): {
  token: string;
  row: AccountLinkRow;
} {
  const token = makeToken();
  const row = {
    token_hash: hashToken(token),
    kind: order.kind,
    account_id: order.accountId,
    email: order.email,
    browser_hash: order.browserToken === undefined ? null : hashToken(order.browserToken),
    created_at: order.nowMs,
    expires_at: order.nowMs + linkLifeMs[order.kind],
    used_at: null,
  };
  return { token, row };
}
