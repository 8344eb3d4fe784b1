import { insertSite } from "../../src/attestation/sites/sites.table.ts";
import { creditBeat, startSession } from "../../src/attestation/tokens/credit-beat.ts";
import type { SessionIssue } from "../../src/attestation/tokens/session-state.ts";
import { createSessionTokens, type SessionTokens } from "../../src/attestation/tokens/session-tokens.ts";
import { randomBase62 } from "../../src/ids/time-ordered-id.ts";
import { readSealedKey } from "../../src/secrets/read-sealed-key.ts";
import { createSealer } from "../../src/secrets/sealer.ts";
import type { Store } from "../../src/store/store.ts";
import { testSecretKey } from "../start-service.ts";

/** As a node with the tests' SECRET_KEY seals and opens them. */
export async function openTokensOf(store: Store): Promise<SessionTokens> {
  const sealer = createSealer({ secretKey: testSecretKey, previous: [] });
  const key = await readSealedKey({ store, nowMs: () => Date.now(), sealer }, "session tokens");
  if (key === "unreadable") throw new Error("another SECRET_KEY has sealed the key of session tokens");
  return createSessionTokens(key);
}

/** Nodes learn of it within a second. */
export async function addSite(store: Store, { accountId, origins, nowMs }: { accountId: string; origins: readonly string[]; nowMs: number }): Promise<string> {
  const id = `site_${randomBase62(20)}`;
  await insertSite(store.db, { id, account_id: accountId, name: "Shop", origins: JSON.stringify(origins), created_at: nowMs, changed_at: nowMs, deleted_at: null, last_seen_at: null }).execute();
  return id;
}

export type SealedSession = {
  accountId: string;
  siteId: string;
  nowMs: number;
  /** Default: two minutes. */
  startedAgoMs?: number;
  /** Default: a second. */
  lastBeatAgoMs?: number;
  issues?: readonly SessionIssue[];
};

const msPerBeat = 20_000;

/** The token of a session that has been going on, with the beats of a page that is in view. */
export function sealSession(tokens: SessionTokens, session: SealedSession): string {
  const { accountId, siteId, nowMs, startedAgoMs = 120_000, lastBeatAgoMs = 1_000, issues = [] } = session;
  const chance = 0.5;
  let state = startSession({ siteId, accountId, network: "0".repeat(16), issues, nowMs: nowMs - startedAgoMs, chance });
  const lastMs = nowMs - lastBeatAgoMs;
  while (state.lastMs < lastMs) {
    const atMs = Math.min(lastMs, state.lastMs + msPerBeat);
    state = creditBeat(state, { view_ms: atMs - state.lastMs, active_ms: atMs - state.lastMs, clicks: 2, keys: 1, pages: 1, scroll: 0.5 }, { nowMs: atMs, chance });
  }
  return tokens.seal(state);
}
