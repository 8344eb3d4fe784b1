import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { whileHeld } from "../../../test/store/hold-rows.ts";
import type { NewEntry } from "./append-entries.ts";

const append = new URL("../../../test/money/append.work.ts", import.meta.url);
const nowMs = Date.UTC(2026, 0, 1);

describeBothStores("an entry for a chain to which another transaction appends", (open, dialect) => {
  // SQLite has one writer.
  if (dialect === "sqlite") return;

  it("waits for it and comes after its entry", async () => {
    const { store, databaseUrl } = await open();
    const { accountId } = await makeAccount(store, { nowMs });
    const held = [
      {
        text: `INSERT INTO ledger_entries (account_id, seq, at, kind, ref, endpoint, payer, share_bps, gross_micro, developer_micro, platform_micro, prev_hash, hash)
          SELECT account_id, 1, at, 'adjustment', 'adj_1', 'adjustment', 'platform', 0, 1, 1, 0, hash, repeat('1', 64) FROM ledger_heads WHERE account_id = $1`,
        values: [accountId],
      },
      { text: "UPDATE ledger_heads SET seq = 1, hash = repeat('1', 64), balance_micro = 1 WHERE account_id = $1", values: [accountId] },
    ];
    const entry: NewEntry = { accountId, atMs: nowMs, kind: "adjustment", ref: "adj_2", endpoint: "adjustment", payer: "platform", shareBps: 0, grossMicroUsd: 2, developerMicroUsd: 2 };
    assert.deepEqual(await whileHeld(databaseUrl, held, () => store.transact<NewEntry[], number[]>(append, [entry])), [2]);
    const { prev_hash: previous } = await store.db.selectFrom("ledger_entries").select("prev_hash").where("account_id", "=", accountId).where("seq", "=", 2).executeTakeFirstOrThrow();
    assert.equal(previous, "1".repeat(64));
  });
});
