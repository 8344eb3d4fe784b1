import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestAccount } from "../../make-account.ts";
import { send, waitUntil } from "../../send.ts";
import type { TestService } from "../../start-service.ts";
import { auditCalls } from "./audit-calls.ts";
import { settleKeyedCalls } from "./audit-installation.ts";
import { type CallBook, isAnswered } from "./call-book.ts";
import type { Cluster } from "./ha-cluster.ts";
import type { PrimaryFault } from "./ha-faults.ts";
import { findRowsBeside, type LedgerRow, readLedgerRows } from "./ha-ledger-rows.ts";
import type { Member } from "./ha-member.ts";
import { type Load, startLoad } from "./load.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** From the moment of the fault to the first 200 of a call that began after it. */
export const outageMsMax = 15_000;
const recoveryMsMax = 60_000;
const connectionCount = 8;
const thinkMsMax = 40;
const statusPollMs = 200;

/** A node under load on a cluster. */
export type Stage = {
  cluster: Cluster;
  service: TestService;
  accounts: readonly TestAccount[];
  book: CallBook;
  /** When each call began, by its serial. */
  startedMs: Map<number, number>;
  random: SeededRandom;
};

/** Notes when each call begins. */
export function watchStarts(book: CallBook): Map<number, number> {
  const startedMs = new Map<number, number>();
  const open = book.open.bind(book);
  book.open = (...given) => {
    const record = open(...given);
    startedMs.set(record.serial, performance.now());
    return record;
  };
  return startedMs;
}

/** Load, and when it was first answered after a moment. */
export type WatchedLoad = { load: Load; mark(): void; firstAnswerMs(): number | undefined };

export function startWatchedLoad({ service, accounts, book, random }: Stage): WatchedLoad {
  let markMs = Number.POSITIVE_INFINITY;
  let firstMs: number | undefined;
  const onAnswer = (startedMs: number) => {
    if (startedMs > markMs) firstMs ??= performance.now();
  };
  const load = startLoad({ book, random, accounts, connections: connectionCount, urls: [service.url], endsWhenCut: false, thinkMsMax, onAnswer });
  return {
    load,
    mark() {
      markMs = performance.now();
    },
    firstAnswerMs: () => firstMs,
  };
}

/** What `/api/status` says about an acknowledged call: each answer once, in the order in which they followed each other. */
export function watchDurability(service: TestService): { seen: readonly string[]; stop(): Promise<string[]> } {
  const seen: string[] = [];
  const state = { isOver: false };
  const running = (async () => {
    while (!state.isOver) {
      const answer = await send(service, "/api/status").catch(() => undefined);
      const said = answer?.status === 200 ? readDurability(answer.json()) : undefined;
      if (said !== undefined && seen.at(-1) !== said) seen.push(said);
      await sleep(statusPollMs);
    }
  })();
  return {
    seen,
    async stop() {
      state.isOver = true;
      await running;
      return seen;
    },
  };
}

function readDurability(status: Record<string, unknown>): string | undefined {
  const { durability } = status as { durability?: { survives_loss_of_primary?: string } };
  return durability?.survives_loss_of_primary;
}

/** The rows that only the old primary had were never acknowledged, and nothing began after the service had gone on elsewhere. */
function assertNothingAccepted({ book, startedMs }: Stage, stray: readonly LedgerRow[], wentOnMs: number): void {
  const bySerial = new Map(book.records.map((record) => [record.serial, record]));
  for (const row of stray) {
    const record = bySerial.get(row.serial!);
    assert.ok(record, `the old primary bills a call that was not made: ${JSON.stringify(row)}`);
    assert.ok(startedMs.get(record.serial)! < wentOnMs, `call ${record.serial} began after the failover and is in the ledger of the old primary`);
    const receipts = record.attempts.flatMap((each) => (each.kind === "answered" ? [each.receipt] : []));
    assert.ok(!receipts.includes(`${row.seq}.${row.hash}`), `the old primary's entry of call ${record.serial} was acknowledged`);
  }
}

/** Both members have the same entries once the standby has caught up. */
export async function untilSame(primary: Member, standby: Member): Promise<void> {
  const expected = await readLedgerRows(primary);
  const isSame = async () => {
    const rows = await readLedgerRows(standby);
    return rows.length === expected.length && findRowsBeside(rows, expected).length === 0;
  };
  await waitUntil(isSame, "the standby has the entries of the primary, and no others", recoveryMsMax);
}

export type RoundResult = {
  outageMs: number;
  /** Until the old primary was the synchronous standby, from the end of the fault. */
  rejoinMs: number;
  calls: number;
  acknowledged: number;
  /** Calls that were billed and not answered. */
  unanswered: number;
  retried: number;
  /** Entries that only the old primary had. */
  stray: number;
  durability: string[];
};

/** Loses the primary under load, and compares every call with the ledger of its successor. */
export async function playRound(stage: Stage, fault: PrimaryFault): Promise<RoundResult> {
  const { cluster, service, book, random } = stage;
  book.round += 1;
  const { primary: old, standby } = await cluster.untilPair();
  const status = watchDurability(service);
  const watched = startWatchedLoad(stage);
  try {
    await sleep(random.between(800, 2_000));
    const faultMs = performance.now();
    await fault.inflict({ primary: old, standby });
    watched.mark();
    await waitUntil(() => watched.firstAnswerMs() !== undefined, "the service answers again", recoveryMsMax);
    const wentOnMs = watched.firstAnswerMs()!;
    const outageMs = Math.round(wentOnMs - faultMs);
    assert.ok(outageMs <= outageMsMax, `the service was back after ${outageMs} ms`);
    await sleep(random.between(500, 1_500));
    const left = await fault.inspectAndEnd(old);
    const endMs = performance.now();
    const pair = await cluster.untilPair();
    const rejoinMs = Math.round(performance.now() - endMs);
    assert.equal(pair.primary, standby, "the standby has become the primary, and stays it");
    await sleep(random.between(300, 600));
    await watched.load.stop();
    const retried = await settleKeyedCalls(service.url, book.records);
    const store = cluster.openOn(standby);
    const audit = await auditCalls(store, book.records);
    await store.close();
    const stray = findRowsBeside(left, await readLedgerRows(standby));
    assertNothingAccepted(stage, stray, wentOnMs);
    await untilSame(standby, old);
    await waitUntil(() => status.seen.at(-1) === "yes", "the status says that a call survives the loss of the primary", recoveryMsMax);
    const calls = book.records.filter(({ round }) => round === book.round);
    const acknowledged = calls.filter((record) => isAnswered(record, 200)).length;
    const unanswered = audit.unansweredByRound.get(book.round) ?? 0;
    return { outageMs, rejoinMs, calls: calls.length, acknowledged, unanswered, retried, stray: stray.length, durability: await status.stop() };
  } finally {
    await watched.load.stop();
    await status.stop();
  }
}
