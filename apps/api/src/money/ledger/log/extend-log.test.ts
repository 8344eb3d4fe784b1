import { openCheckpoint } from "@assay/tlog/checkpoint.ts";
import { verifyConsistency } from "@assay/tlog/merkle.ts";
import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../../test/both-stores.ts";
import { extend, logContextOf, naiveRoot, readLeaves } from "../../../../test/log/log-context.ts";
import { makeAccount } from "../../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../../test/make-charge.ts";
import type { Store } from "../../../store/store.ts";
import { readLogKeys } from "./log-keys.ts";
import { readCheckpoint } from "./read-log.ts";

const nowMs = 1_800_000_000_000;

/** Charges so many calls to each account, all at once. */
async function charge(store: Store, counts: ReadonlyMap<string, number>): Promise<void> {
  const charger = makeCharger(store, { nowMs });
  await Promise.all([...counts].flatMap(([accountId, count]) => Array.from({ length: count }, () => charger.charge(makeCharge({ accountId, atMs: nowMs })))));
}

/** The log has every entry of every chain once, in order, its checkpoint's root is the tree's, and the log's key has signed it. */
async function assertLogged(store: Store): Promise<void> {
  const checkpoint = (await readCheckpoint(store))!;
  const leaves = await readLeaves(store, checkpoint.log);
  assert.equal(leaves.length, checkpoint.size);
  assert.deepEqual(Buffer.from(naiveRoot(leaves.map(({ leaf }) => leaf))), Buffer.from(checkpoint.root));
  const seqs = Map.groupBy(leaves, ({ accountId }) => accountId);
  const heads = await store.db.selectFrom("ledger_heads").select(["account_id", "seq"]).where("seq", ">", 0).execute();
  assert.equal(seqs.size, heads.length);
  for (const { account_id: accountId, seq } of heads) {
    assert.deepEqual(seqs.get(accountId)!.map((each) => each.seq), Array.from({ length: seq }, (_, index) => index + 1));
  }
  const keys = await readLogKeys(logContextOf(store), checkpoint.origin);
  const opened = await openCheckpoint(checkpoint.note, { logKeys: keys.map(({ vkey }) => vkey), witnessKeys: [] });
  assert.deepEqual([opened.checkpoint.size, Buffer.from(opened.checkpoint.root)], [checkpoint.size, Buffer.from(checkpoint.root)]);
}

describeBothStores("the log of all chains", (open) => {
  it("has every entry of every chain once, in the order of its chain, with a signed root", async () => {
    const { store } = await open();
    const accounts = await Promise.all([1, 2, 3].map(() => makeAccount(store)));
    const [a, b, c] = accounts.map(({ accountId }) => accountId) as [string, string, string];
    assert.deepEqual(await extend(store), { size: 0, added: 0, isMore: false });
    assert.equal(await readCheckpoint(store), undefined);
    await charge(store, new Map([[a, 3], [b, 1]]));
    assert.deepEqual(await extend(store), { size: 4, added: 4, isMore: false });
    await assertLogged(store);
    await charge(store, new Map([[c, 300], [a, 1]]));
    assert.deepEqual(await extend(store), { size: 305, added: 301, isMore: false });
    assert.deepEqual(await extend(store), { size: 305, added: 0, isMore: false });
    await assertLogged(store);
    assert(verifyConsistency);
  });
});
