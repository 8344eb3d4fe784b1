import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { makeAccount } from "../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../test/make-charge.ts";
import type { TransferOrder } from "../../test/store/transfer-work.ts";
import { selectHead } from "../money/ledger/ledger.table.ts";
import { verifyLedger } from "../money/ledger/verify-ledger.ts";
import type { Store } from "./store.ts";

const workModule = new URL("../../test/store/transfer-work.ts", import.meta.url);
const transfer = (store: Store, order: TransferOrder) =>
  store.transact<TransferOrder, { receipts: string[] }>(workModule, order);

const headOf = (store: Store, accountId: string) => selectHead(store.db, accountId).executeTakeFirstOrThrow();

describeBothStores("a transaction that reads, decides and writes", (open, dialect) => {
  it("appends to several chains and returns its result", async () => {
    const { store } = await open();
    const [a, b] = [await makeAccount(store), await makeAccount(store)];
    const { receipts } = await transfer(store, { accountIds: [b.accountId, a.accountId, b.accountId], microUsd: 7, ref: "t" });
    const [headA, headB] = [await headOf(store, a.accountId), await headOf(store, b.accountId)];
    assert.deepEqual(receipts.slice(1), [`1.${headA.hash}`, `2.${headB.hash}`]);
    assert.deepEqual([headA.balance_micro, headB.balance_micro], [7, 14]);
    assert.equal((await verifyLedger(store)).ok, true);
  });

  it("is rolled back when the work throws after it wrote", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store);
    await assert.rejects(transfer(store, { accountIds: [accountId], microUsd: 7, ref: "t", mishap: "throws_late" }), /changed its mind/);
    assert.equal((await headOf(store, accountId)).seq, 0);
    assert.equal((await transfer(store, { accountIds: [accountId], microUsd: 7, ref: "t" })).receipts[0]?.split(".")[0], "1");
  });

  it("keeps the chain valid while billed calls and transactions race", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store);
    const other = await makeAccount(store);
    const charger = makeCharger(store, { nowMs: 1_800_000_000_000 });
    // Not all at once: whoever waits longer than a few seconds for a connection is refused.
    for (let wave = 0; wave < 6; wave += 1) {
      const rounds = Array.from({ length: 10 }, (_, index) => 10 * wave + index).flatMap((round) => {
        // In opposite orders: locks taken in the given order would deadlock.
        const accountIds = round % 2 === 0 ? [accountId, other.accountId] : [other.accountId, accountId];
        return [charger.charge(makeCharge({ accountId, atMs: 1_800_000_000_000 })), transfer(store, { accountIds, microUsd: 1, ref: `t${round}` })];
      });
      await Promise.all(rounds);
    }
    assert.equal((await headOf(store, accountId)).seq, 120);
    assert.equal((await headOf(store, other.accountId)).seq, 60);
    const report = await verifyLedger(store);
    assert.deepEqual([report.ok, report.breaks], [true, []]);
  });

  if (dialect === "sqlite") {
    it("is rolled back when the work awaits anything but the database, and the next one runs", async () => {
      const { store } = await open();
      const { accountId } = await makeAccount(store);
      const stuck = transfer(store, { accountIds: [accountId], microUsd: 7, ref: "t", mishap: "waits_outside" });
      const behind = transfer(store, { accountIds: [accountId], microUsd: 9, ref: "u" });
      await assert.rejects(stuck, /waited for something outside/);
      await behind;
      assert.deepEqual(await headOf(store, accountId).then(({ seq, balance_micro }) => [seq, balance_micro]), [1, 9]);
    });
  }
});
