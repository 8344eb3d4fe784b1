import type { LedgerEntry, LedgerReply } from "@assay/contract/dashboard/ledger.ts";
import { balanceChangeOf, genesisHash, hashInBrowser } from "@assay/contract/ledger-chain.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ReadPage, verifyLedger } from "./ledger.ts";

async function makeChain(length: number): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for (let seq = 1; seq <= length; seq += 1) {
    const unhashed = {
      account_id: "acc_1",
      seq,
      at: 1_700_000_000_000 + seq,
      kind: "call" as const,
      ref: `sess_${seq}`,
      endpoint: "predict",
      payer: "platform" as const,
      share_bps: 6_800,
      gross_micro: 50_000,
      developer_micro: 34_000,
      platform_micro: 16_000,
      prev_hash: entries.at(-1)?.hash ?? genesisHash,
    };
    entries.push({ ...unhashed, hash: await hashInBrowser(unhashed) });
  }
  return entries;
}

/** Serves the chain in pages of three entries. */
function pagesOf(entries: LedgerEntry[], head?: Partial<LedgerReply["head"]>): ReadPage {
  return async (afterSeq) => {
    const page = entries.slice(afterSeq, afterSeq + 3);
    const isLast = afterSeq + 3 >= entries.length;
    const balance = entries.reduce((sum, entry) => sum + balanceChangeOf(entry), 0);
    return {
      entries: page,
      head: { seq: entries.length, hash: entries.at(-1)?.hash ?? genesisHash, balance_micro: balance, ...head },
      next_after_seq: isLast ? null : (page.at(-1)?.seq ?? null),
    };
  };
}

describe("verifying a ledger in the browser", () => {
  it("verifies every page up to the head", async () => {
    const entries = await makeChain(8);
    const seen: number[] = [];
    const verdict = await verifyLedger(pagesOf(entries), (done) => seen.push(done));
    assert.deepEqual(verdict, { kind: "intact", entries: 8, headHash: entries[7]?.hash, balanceMicroUsd: 8 * 34_000 });
    assert.deepEqual(seen, [3, 6, 8]);
  });

  it("finds a changed amount on a later page", async () => {
    const entries = await makeChain(8);
    entries[4] = { ...entries[4]!, developer_micro: 35_000, platform_micro: 15_000 };
    assert.deepEqual(await verifyLedger(pagesOf(entries), () => undefined), { kind: "broken", seq: 5, problem: "changed_entry" });
  });

  it("finds a removed entry", async () => {
    const entries = await makeChain(8);
    entries.splice(4, 1);
    const verdict = await verifyLedger(pagesOf(entries), () => undefined);
    assert.deepEqual(verdict, { kind: "broken", seq: 6, problem: "missing_entry" });
  });

  it("rejects a head that the entries do not lead to", async () => {
    const entries = await makeChain(4);
    for (const head of [{ seq: 5 }, { hash: "f".repeat(64) }, { balance_micro: 1 }]) {
      assert.deepEqual(await verifyLedger(pagesOf(entries, head), () => undefined), { kind: "broken", seq: 4, problem: "head_differs" });
    }
  });

  it("accepts an empty ledger", async () => {
    assert.equal((await verifyLedger(pagesOf([]), () => undefined)).kind, "intact");
  });
});
