import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { attestedFromMs, type BeatReply, type BeatRequest } from "@assay/contract/attestation.ts";
import { createSite } from "../../../../apps/api/src/attestation/sites/manage-sites.ts";
import type { Store } from "../../../../apps/api/src/store/store.ts";

/** Running services know it within a second, or later on a busy machine: `attestSession` waits for it. */
export async function makeSite(store: Store, { accountId, origins }: { accountId: string; origins: readonly string[] }): Promise<string> {
  return (await createSite(store, { accountId, actorAccountId: null, name: "Shop", origins, nowMs: Date.now() })).siteId;
}

const knownMsMax = 60_000;
const pollMs = 100;

async function post(url: string, origin: string, body: unknown): Promise<string> {
  for (const untilMs = Date.now() + knownMsMax; ; await wait(pollMs)) {
    const answer = await fetch(url, { method: "POST", headers: { origin }, body: JSON.stringify(body) });
    const text = await answer.text();
    if (answer.status === 404 && Date.now() < untilMs) continue;
    assert.ok(answer.ok, `${answer.status} ${text}`);
    return (JSON.parse(text) as BeatReply).token;
  }
}

/** What a page does: starts a session and reports it as soon as it counts, after three seconds of the service's clock. */
export async function attestSession(serviceUrl: string, { siteId, origin }: { siteId: string; origin: string }): Promise<string> {
  const started = await post(`${serviceUrl}/c/v1/start`, origin, { site: siteId });
  await wait(attestedFromMs + 250);
  const d: BeatRequest["d"] = { view_ms: attestedFromMs, active_ms: attestedFromMs, clicks: 2, keys: 1, pages: 2, scroll: 0.5 };
  return post(`${serviceUrl}/c/v1/beat`, origin, { token: started, d });
}
