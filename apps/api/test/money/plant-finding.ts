import { signalNames } from "@assay/scoring/signals.ts";
import { isoTime, msPerDay, startOfDay } from "../../src/formats/time.ts";
import { addDay, startEvidence } from "../../src/money/evidence/e-process.ts";
import type { Store } from "../../src/store/store.ts";
import { idAt } from "../id-at.ts";
import { makeCharge, makeCharger } from "../make-charge.ts";
import { goodSignals } from "../send.ts";

/** An open finding about calls that an account made yesterday, all with the same signals. Returns its id and their sessions. */
export async function plantFinding(store: Store, options: { accountId: string; nowMs: number; calls: number }) {
  const { accountId, nowMs, calls } = options;
  const day = startOfDay(nowMs) - msPerDay;
  const atMs = day + msPerDay / 2;
  const charger = makeCharger(store, { nowMs: atMs });
  const sessionIds = Array.from({ length: calls }, (_, index) => idAt(atMs + index)).toSorted();
  await Promise.all(sessionIds.map((ref) => charger.charge(makeCharge({ accountId, atMs, ref }))));
  const vector = signalNames.map((name) => Number(goodSignals[name]));
  const added = addDay(startEvidence(), 20);
  await store.db
    .insertInto("integrity_evidence")
    .values({
      account_id: accountId,
      check_name: "exact_duplicates",
      day,
      tested: calls,
      hits: calls,
      detail: JSON.stringify({ detail: { kind: "vectors", vectors: [vector] }, sessions: sessionIds.slice(0, 20) }),
      log_factor: added.logFactor,
      ordinal: 1,
      log_started: added.logStarted,
      log_evidence: added.logEvidence,
      at: nowMs,
    })
    .execute();
  const findingId = `find_${accountId}`;
  await store.db
    .insertInto("findings")
    .values({
      id: findingId,
      account_id: accountId,
      code: "exact_duplicates",
      detail: "All calls repeat one session.",
      statistic: 1_200,
      threshold: 1_000,
      days: JSON.stringify([isoTime(day).slice(0, "YYYY-MM-DD".length)]),
      sessions: JSON.stringify(sessionIds.slice(0, 20)),
      opened_at: nowMs,
      closed_at: null,
      resolution: null,
    })
    .execute();
  return { findingId, sessionIds, day };
}
