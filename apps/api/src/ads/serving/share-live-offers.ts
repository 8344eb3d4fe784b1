import { randomBase62 } from "../../ids/time-ordered-id.ts";
import type { Store } from "../../store/store.ts";
import { type LiveOffers, offerLifeMs } from "../auction/live-offers.ts";
import { deleteSumsBefore, selectSumsOfOthers, upsertSums } from "./live-offer-sums.table.ts";

const roundMs = 5_000;
/** Sums count in full up to this age; from then on their offers expire one by one. */
const freshMs = 30_000;
/** Unchanged sums are rewritten at this interval. */
const rewriteMs = 60_000;
/** A node with live offers writes its sums at least this often. */
const aliveMs = rewriteMs + 4 * roundMs;
const nodesMax = 1_000;
/** Fewer expected clicks than this do not affect decisions. */
const clicksMin = 0.001;
const roundTo = 10_000;

type Expected = { clicks: number; microUsd: number };
/** By campaign: expected clicks and their cost. */
type Sums = Record<string, [clicks: number, microUsd: number]>;

/** The share of a node's offers that can still be clicked when its sums are this old. */
export const shareLeft = (ageMs: number): number => (ageMs <= freshMs ? 1 : Math.max(0, 1 - (ageMs - freshMs) / offerLifeMs));

export function addUp(rows: readonly { at: number; sums: string }[], nowMs: number): Map<string, Expected> {
  const total = new Map<string, Expected>();
  for (const row of rows) {
    const share = shareLeft(nowMs - row.at);
    if (share === 0) continue;
    for (const [campaignId, [clicks, microUsd]] of Object.entries(JSON.parse(row.sums) as Sums)) {
      const known = total.get(campaignId);
      if (known) {
        known.clicks += share * clicks;
        known.microUsd += share * microUsd;
      } else {
        total.set(campaignId, { clicks: share * clicks, microUsd: share * microUsd });
      }
    }
  }
  return total;
}

export type LiveOfferSharing = { round(): Promise<void>; stop(): Promise<void> };

/**
 * Shares the expected clicks of live offers between nodes: otherwise each node would offer the last of a budget. A
 * stopped node leaves its sums behind. They fade as its offers expire, so that a restarted node takes into account
 * the offers it made before.
 */
export function shareLiveOffers(
  store: Store,
  context: { liveOffers: LiveOffers; campaignIds: () => Iterable<string>; nowMs: () => number; onError: (error: unknown) => void },
): LiveOfferSharing {
  const { liveOffers, campaignIds, nowMs } = context;
  const nodeId = `node_${randomBase62(22)}`;
  let elsewhere = new Map<string, Expected>();
  let written = { text: "{}", atMs: Number.NEGATIVE_INFINITY };

  /** `liveOffers` includes the other nodes' sums, so they are subtracted. */
  function ownSums(atMs: number): Sums {
    const sums: Sums = {};
    for (const campaignId of campaignIds()) {
      const all = liveOffers.of(campaignId).expectedAt(atMs);
      const others = elsewhere.get(campaignId);
      const clicks = all.clicks - (others?.clicks ?? 0);
      if (clicks < clicksMin) continue;
      sums[campaignId] = [Math.round(clicks * roundTo) / roundTo, Math.round(Math.max(0, all.microUsd - (others?.microUsd ?? 0)))];
    }
    return sums;
  }

  async function write(atMs: number): Promise<void> {
    const text = JSON.stringify(ownSums(atMs));
    const isOld = atMs - written.atMs > rewriteMs && text !== "{}";
    if (text === written.text && !isOld) return;
    await upsertSums(store.db, { node_id: nodeId, at: atMs, sums: text }).execute();
    written = { text, atMs };
  }

  async function read(atMs: number): Promise<void> {
    const sinceMs = atMs - offerLifeMs - freshMs;
    const rows = await selectSumsOfOthers(store.db, { nodeId, sinceMs, limit: nodesMax }).execute();
    const next = addUp(rows, atMs);
    liveOffers.setNodes(1 + rows.filter((row) => atMs - row.at <= aliveMs).length);
    for (const campaignId of elsewhere.keys()) {
      if (!next.has(campaignId)) liveOffers.setExpectedElsewhere(campaignId, { clicks: 0, microUsd: 0 });
    }
    for (const [campaignId, expected] of next) liveOffers.setExpectedElsewhere(campaignId, expected);
    elsewhere = next;
    await deleteSumsBefore(store.db, sinceMs).execute();
  }

  const round = async () => {
    const atMs = nowMs();
    await write(atMs);
    await read(atMs);
  };
  let running: Promise<void> | undefined;
  const start = () =>
    (running ??= round()
      .catch(context.onError)
      .finally(() => (running = undefined)));
  const timer = setInterval(() => void start(), roundMs).unref();
  return {
    round,
    async stop() {
      clearInterval(timer);
      await running;
      // For the process that replaces this one.
      await write(nowMs()).catch(context.onError);
    },
  };
}
