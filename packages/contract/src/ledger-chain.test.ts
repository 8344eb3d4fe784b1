import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { LedgerEntry } from "./dashboard/ledger.ts";
import { canonicalText, chainStart, genesisHash, hashInBrowser, verifyEntries } from "./ledger-chain.ts";

function makeChain(length: number): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (let seq = 1; seq <= length; seq += 1) {
    const unhashed = {
      account_id: "acct_1",
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
    entries.push({ ...unhashed, hash: createHash("sha256").update(canonicalText(unhashed)).digest("hex") });
  }
  return entries;
}

describe("verifying a chain of ledger entries in a browser", () => {
  it("computes the same hashes as the server", async () => {
    for (const entry of makeChain(3)) assert.equal(await hashInBrowser(entry), entry.hash);
  });

  it("accepts an unchanged chain, whatever the page size", async () => {
    const entries = makeChain(20);
    for (const size of [1, 7, 20]) {
      let place = chainStart;
      for (let from = 0; from < entries.length; from += size) {
        const verdict = await verifyEntries(place, entries.slice(from, from + size));
        assert(verdict.ok);
        place = verdict.place;
      }
      assert.deepEqual(place, { seq: 20, hash: entries.at(-1)!.hash, at: entries.at(-1)!.at, balance_micro: 20 * 34_000 });
    }
  });

  it("rejects a chain when any field of any entry was changed", async () => {
    const entries = makeChain(5);
    const names = Object.keys(entries[0]!) as (keyof LedgerEntry)[];
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 4 }), fc.constantFrom(...names), async (index, name) => {
        const changed = entries.map((entry, each) => (each === index ? { ...entry, [name]: typeof entry[name] === "number" ? entry[name] + 1 : `${entry[name]}x` } : entry));
        const verdict = await verifyEntries(chainStart, changed);
        assert.equal(verdict.ok, false);
        assert(!verdict.ok && verdict.place.seq <= index + 1);
      }),
    );
  });

  it("rejects a chain when an entry is missing or two are swapped", async () => {
    const [first, second, third] = makeChain(3) as [LedgerEntry, LedgerEntry, LedgerEntry];
    assert.deepEqual(await verifyEntries(chainStart, [first, third]).then((verdict) => !verdict.ok && verdict.problem), "missing_entry");
    assert.equal((await verifyEntries(chainStart, [first, third, second])).ok, false);
    assert.equal((await verifyEntries(chainStart, [second])).ok, false);
  });
});
