import type { Model } from "@assay/scoring/model.ts";
import { createAccount } from "../../people/create-account.ts";
import { markDemo } from "../../register/accounts.table.ts";
import { selectTierByName } from "../../register/tiers.table.ts";
import { createCharger } from "../../money/ledger/charge-call.ts";
import { issueKey } from "../../access/keys/issue-key.ts";
import { judgeSession } from "../../scoring/score-session.ts";
import { recordOutcome } from "../../scoring/sessions/find-session.ts";
import type { CallPayer } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { type DemoCall, drawDay, listDays } from "./draw-demo-traffic.ts";

const email = "demo@localhost";
const tier = "Growth";
/** Charged together: as many as one account may have in a batch. */
const callsAtOnce = 250;

export type DemoOrder = {
  days: number;
  password: string;
  model: Model;
  payer: CallPayer;
  retentionDays: number;
  nowMs: number;
  chance: () => number;
  onProgress: (calls: number) => void;
};

export type DemoOutcome =
  | { kind: "made"; email: string; password: string; calls: number; outcomes: number; fromMs: number }
  | { kind: "exists"; email: string };

/**
 * A flagged account with a past: its calls are judged by the model and billed by the charger, as every call is, at
 * the times they are said to have come. The ledger's time never runs back, so all is done in order.
 */
export async function makeDemo(store: Store, order: DemoOrder): Promise<DemoOutcome> {
  const days = listDays(order.days, order.nowMs);
  const fromMs = days[0]!.startMs;
  const wish = { email, tier, verified: true, operator: false, password: order.password };
  const created = await createAccount(store, wish, fromMs);
  if (created.kind === "email_taken") return { kind: "exists", email };
  if (created.kind !== "created") throw new Error(`the demo account could not be made: ${created.kind}`);
  const accountId = created.account.id;
  await store.write([markDemo(store.db, accountId)]);
  const { share_bps: shareBps } = await selectTierByName(store.db, tier).executeTakeFirstOrThrow();
  await issueKey(store, { accountId, mode: "live", name: "Web shop", nowMs: fromMs });
  await issueKey(store, { accountId, mode: "test", name: "Staging", nowMs: fromMs });

  let nowMs = fromMs;
  const charger = createCharger(store, { payer: order.payer, modelVersion: order.model.version, nowMs: () => nowMs });
  const sessionIds = new Map<DemoCall, string>();
  let calls = 0;
  for (const day of days) {
    const drawn = drawDay(day, order.chance);
    for (let from = 0; from < drawn.length; from += callsAtOnce) {
      const part = drawn.slice(from, from + callsAtOnce);
      nowMs = part.at(-1)!.atMs;
      await Promise.all(
        part.map((call) => {
          const ref = timeOrderedId("sess", call.atMs);
          if (call.outcome) sessionIds.set(call, ref);
          const verdict = { signals: call.signals, score: judgeSession(order.model, call.signals, undefined), processingTimeMs: call.processingTimeMs };
          return charger.charge({ accountId, mode: "live", ref, endpoint: call.endpoint, atMs: call.atMs, shareBps, verdict, idempotency: undefined });
        }),
      );
      calls += part.length;
      order.onProgress(part.length);
    }
  }
  await charger.drain();
  for (const [call, sessionId] of sessionIds) {
    await recordOutcome(store, { accountId, sessionId, outcome: call.outcome!, nowMs: order.nowMs, retentionDays: order.retentionDays });
  }
  return { kind: "made", email, password: order.password, calls, outcomes: sessionIds.size, fromMs };
}
