/** Work for transact.test.ts: appends one entry to each account, in the given order, and can fail on request. */
import { setTimeout as sleep } from "node:timers/promises";
import { appendEntries, lockChains } from "../../src/money/ledger/append-entries.ts";
import type { TransactionWork } from "../../src/store/store.ts";

export type TransferOrder = { accountIds: string[]; microUsd: number; ref: string; mishap?: "throws_late" | "waits_outside" };

export const work: TransactionWork<TransferOrder, { receipts: string[] }> = async (tx, order) => {
  const heads = await lockChains(tx, order.accountIds);
  if (order.mishap === "waits_outside") await sleep(5);
  const rows = await appendEntries(
    tx,
    heads,
    order.accountIds.map((accountId) => ({
      accountId,
      atMs: 1_800_000_000_000,
      kind: "adjustment" as const,
      ref: order.ref,
      endpoint: "test",
      payer: "platform" as const,
      shareBps: 10_000,
      grossMicroUsd: order.microUsd,
      developerMicroUsd: order.microUsd,
    })),
  );
  if (order.mishap === "throws_late") throw new Error("changed its mind");
  return { receipts: rows.map((row) => `${row.seq}.${row.hash}`) };
};
