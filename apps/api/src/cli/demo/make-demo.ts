import type { Model } from "@assay/scoring/model.ts";
import { issueKey } from "../../access/keys/issue-key.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { createCharger } from "../../money/ledger/charge-call.ts";
import { createAccount } from "../../people/create-account.ts";
import { markDemo } from "../../register/accounts.table.ts";
import { noteAction } from "../../register/audit.table.ts";
import { selectTierByName } from "../../register/tiers.table.ts";
import { judgeSession } from "../../scoring/score-session.ts";
import { recordOutcome } from "../../scoring/sessions/find-session.ts";
import type { CallPayer } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { type DemoCall, drawDay, listDays } from "./draw-demo-traffic.ts";

const email = "demo@localhost";
const tier = "Growth";
/** As many as one account may have in a commit batch. */
const callsPerBatch = 250;

export type DemoOptions = {
  days: number;
  password: string;
  model: Model;
  payer: CallPayer;
  retentionDays: number;
  nowMs: number;
  random: () => number;
  onProgress: (calls: number) => void;
};

export type DemoOutcome =
  | { kind: "made"; email: string; password: string; calls: number; outcomes: number; fromMs: number }
  | { kind: "exists"; email: string };

/**
 * Creates a flagged account with past traffic. Its calls are scored by the model and billed by the charger like any
 * call, at their past times. The ledger's time never runs backwards, so they are billed in chronological order.
 */
export async function makeDemo(store: Store, options: DemoOptions): Promise<DemoOutcome> {
  const { model, password, random } = options;
  const days = listDays(options.days, options.nowMs);
  const fromMs = days[0]!.startMs;
  const created = await createAccount(store, { email, tier, verified: true, operator: false, password }, fromMs);
  if (created.kind === "email_taken") return { kind: "exists", email };
  if (created.kind !== "created") throw new Error(`the demo account could not be made: ${created.kind}`);
  const accountId = created.account.id;
  const note = { actorAccountId: null, action: "account.demo", subject: accountId, detail: { days: options.days }, nowMs: options.nowMs };
  await store.write([markDemo(store.db, accountId), noteAction(store.db, note)]);
  const { share_bps: shareBps } = await selectTierByName(store.db, tier).executeTakeFirstOrThrow();
  await issueKey(store, { accountId, mode: "live", name: "Web shop", nowMs: fromMs });
  await issueKey(store, { accountId, mode: "test", name: "Staging", nowMs: fromMs });

  let nowMs = fromMs;
  const charger = createCharger(store, { payer: options.payer, modelVersion: model.version, nowMs: () => nowMs });
  const sessionIds = new Map<DemoCall, string>();
  let calls = 0;
  for (const day of days) {
    const drawn = drawDay(day, random);
    for (let from = 0; from < drawn.length; from += callsPerBatch) {
      const part = drawn.slice(from, from + callsPerBatch);
      nowMs = part.at(-1)!.atMs;
      await Promise.all(
        part.map((call) => {
          const ref = timeOrderedId("sess", call.atMs);
          if (call.outcome) sessionIds.set(call, ref);
          const verdict = { signals: call.signals, score: judgeSession(model, call.signals, undefined), processingTimeMs: call.processingTimeMs };
          return charger.charge({ accountId, mode: "live", ref, endpoint: call.endpoint, atMs: call.atMs, shareBps, verdict, idempotency: undefined });
        }),
      );
      calls += part.length;
      options.onProgress(part.length);
    }
  }
  await charger.drain();
  for (const [call, sessionId] of sessionIds) {
    await recordOutcome(store, { accountId, sessionId, outcome: call.outcome!, nowMs: options.nowMs, retentionDays: options.retentionDays });
  }
  return { kind: "made", email, password, calls, outcomes: sessionIds.size, fromMs };
}
