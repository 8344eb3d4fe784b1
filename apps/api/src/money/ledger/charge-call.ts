import { explain, overloaded } from "../../failure/failure.ts";
import { createGroupCommit, type GroupCommitSettings } from "../../store/group-commit.ts";
import type { CallPayer } from "../../store/schema.ts";
import { CommitUnknown, storeFailureOf } from "../../store/store-failure.ts";
import type { Store } from "../../store/store.ts";
import type { OnWaiterError, Waiter } from "../../store/waiter.ts";
import { chargeOnPostgres } from "./charge-batch.postgres.ts";
import {
  type CallCharge,
  type ChargedBatch,
  type ChargeOutcome,
  inCallOrder,
  orderByAccount,
  packCharges,
  type PackedCharges,
  termsAt,
  toColumns,
  toOutcomes,
} from "./charge-batch.ts";

const sqliteProcedure = new URL("./charge-batch.sqlite.ts", import.meta.url);

/** On PostgreSQL a batch itself costs more than its calls do, so fewer and larger ones are cheaper. */
const itemsWorthABatch = { sqlite: 32, postgres: 64 };
/** One account may fill a quarter of a batch; the queue holds a few seconds of work at most. */
const itemsPerBatchMax = 1_000;
const itemsPerGroupMax = 250;
const waitingMax = 10_000;

export type Charger = {
  /** Bills one call. Tells the waiter when the charge is durable; the answer is sent only then. */
  charge(call: CallCharge, waiter: Waiter<ChargeOutcome>): void;
  depth(): number;
  drain(): Promise<void>;
};

export type ChargerSettings = {
  payer: CallPayer;
  /** Where developers pay: from when on calls are refused that would take an account below the limit. Absent: none is refused. */
  prepaid?: { fromMs: number; creditLimitMicroUsd: number };
  nowMs: () => number;
  /** Default: 2. Several workers keep the store busy with one each, and their batches are larger for it. */
  batchesAtOnceMax?: 1 | 2;
  onBatch?: GroupCommitSettings<CallCharge, ChargeOutcome>["onBatch"];
  onWaiterError?: OnWaiterError;
};

/** Unless the commit's outcome is unknown, nothing was billed: the caller may retry. */
export function refuse(error: unknown): never {
  if (error instanceof CommitUnknown) throw error;
  throw storeFailureOf(error) ?? overloaded(explain(error), { cause: error });
}

export function createCharger(store: Store, settings: ChargerSettings): Charger {
  const { payer, prepaid, nowMs, batchesAtOnceMax = 2, onBatch, onWaiterError } = settings;
  const creditLimitAt = (atMs: number) => (prepaid && atMs >= prepaid.fromMs ? prepaid.creditLimitMicroUsd : null);

  function commitSorted(charges: readonly CallCharge[]): Promise<ChargeOutcome[]> {
    const atMs = nowMs();
    const terms = termsAt(atMs, { payer, creditLimitMicroUsd: creditLimitAt(atMs) });
    if (store.dialect === "postgres") return chargeOnPostgres(store, toColumns(charges, terms));
    return store.runProcedure<PackedCharges, ChargedBatch>(sqliteProcedure, packCharges(charges, terms)).then(toOutcomes);
  }

  const group = createGroupCommit<CallCharge, ChargeOutcome>({
    async commit(charges) {
      const order = orderByAccount(charges);
      const sorted = order ? order.map((index) => charges[index]!) : charges;
      return inCallOrder(await commitSorted(sorted).catch(refuse), order);
    },
    groupOf: (charge) => charge.accountId,
    // SQLite's writer thread and PostgreSQL's commit line both run batches in order.
    batchesAtOnceMax,
    itemsWorthABatch: itemsWorthABatch[store.dialect],
    itemsPerBatchMax,
    itemsPerGroupMax,
    waitingMax,
    refusal: (reason) => overloaded(reason),
    ...(onBatch && { onBatch }),
    ...(onWaiterError && { onWaiterError }),
  });
  return { charge: group.submit, depth: group.depth, drain: group.drain };
}
