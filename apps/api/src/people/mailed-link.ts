import { hash, randomBytes } from "node:crypto";
import { msPerHour } from "../formats/time.ts";
import type { AccountLinkRow, LinkKind } from "../store/schema-accounts.ts";

export const linkLifeMs: Record<LinkKind, number> = { verify: 24 * msPerHour, reset: msPerHour, change_email: 24 * msPerHour };

const tokenBytes = 32;

/** Tokens are random, so an unsalted hash does not reveal them to a reader of the table. */
export const hashToken = (token: string): string => hash("sha256", token, "hex");

export const makeToken = (): string => randomBytes(tokenBytes).toString("base64url");

type NewLink = {
  kind: LinkKind;
  accountId: string;
  email: string;
  nowMs: number;
};

/** The token that goes into the mail, and the row with its hash. */
export function makeLink({ kind, accountId, email, nowMs }: NewLink): { token: string; row: AccountLinkRow } {
  const token = makeToken();
  const row = {
    token_hash: hashToken(token),
    kind,
    account_id: accountId,
    email,
    browser_hash: null,
    created_at: nowMs,
    expires_at: nowMs + linkLifeMs[kind],
    used_at: null,
    password_hash: null,
  };
  return { token, row };
}
