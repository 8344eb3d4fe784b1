import { hash, timingSafeEqual } from "node:crypto";
import { randomBase62 } from "../../ids/time-ordered-id.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { Store } from "../../store/store.ts";
import { selectToken, upsertToken } from "./campaign-tokens.table.ts";

/** 256 bits, so a plain hash cannot be brute-forced. */
const secretLength = 43;
const tokenPattern = /^ct_[0-9A-Za-z]{43}$/;
const hashBytes = 32;

const hashToken = (token: string): Buffer => hash("sha256", token, "buffer");

/** Makes the campaign's token, and ends the one before it. Undefined if there is no such campaign. */
export async function makeCampaignToken(
  store: Store,
  campaignId: string,
  { actorAccountId, nowMs }: { actorAccountId: string | null; nowMs: number },
): Promise<{ token: string; createdMs: number } | undefined> {
  const token = `ct_${randomBase62(secretLength)}`;
  const [made] = await store.write(
    [
      upsertToken(store.db, { campaign_id: campaignId, token_hash: hashToken(token).toString("hex"), created_at: nowMs }),
      noteAction(store.db, { actorAccountId, action: "campaign.token", subject: campaignId, detail: {}, nowMs }),
    ],
    { guards: 1 },
  );
  return made === 0 ? undefined : { token, createdMs: nowMs };
}

/** Reveals nothing, so it is checked before the store is asked. */
export const isWellFormedToken = (text: string): boolean => tokenPattern.test(text);

/** Compares in constant time; a campaign without a token, or none at all, is compared with a hash that nothing has. */
export async function hasToken(store: Store, campaignId: string, given: string): Promise<boolean> {
  const row = await selectToken(store.db, campaignId).executeTakeFirst();
  const stored = row ? Buffer.from(row.token_hash, "hex") : Buffer.alloc(hashBytes);
  const isSame = stored.length === hashBytes && timingSafeEqual(stored, hashToken(given));
  return isSame && row !== undefined;
}
