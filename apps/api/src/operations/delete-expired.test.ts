import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { idAt } from "../../test/id-at.ts";
import { makeAccount } from "../../test/make-account.ts";
import { msPerDay } from "../formats/time.ts";
import { deleteExpired } from "./delete-expired.ts";

const promises = readFileSync(new URL("../../../../docs/privacy.md", import.meta.url), "utf8");

/** What the document says of how long a table's rows are kept. */
function promisedDays(table: string): number {
  const row = promises.split("\n").find((line) => line.startsWith("|") && line.split("|")[1]!.includes(`\`${table}\``));
  const [, days] = /^ (\d+) days $/.exec(row?.split("|")[4] ?? "") ?? [];
  assert.ok(days, `docs/privacy.md says in days how long ${table} is kept`);
  return Number(days);
}

describeBothStores("what has expired", (open) => {
  it("is deleted when docs/privacy.md says, and not a millisecond sooner", async () => {
    const { store } = await open();
    const { db } = store;
    const { accountId: account_id } = await makeAccount(store);
    const nowMs = Date.now();
    const kept = (table: string) => nowMs - promisedDays(table) * msPerDay;
    /** The last that is kept, and the first that is not. */
    const around = (table: string) => [kept(table), kept(table) - 1];
    await db.insertInto("session_hours").values(around("session_hours").map((hour) => ({ account_id, hour, summary: "{}" }))).execute();
    await db.insertInto("integrity_marks").values(around("integrity_marks").map((day, mark) => ({ account_id, day, mark, session_id: idAt(day) }))).execute();
    await db.insertInto("integrity_notices").values(around("integrity_notices").map((day) => ({ account_id, day, code: "exact_duplicates", statistic: 1, message: "one" }))).execute();
    const evidence = { check_name: "exact_duplicates", tested: 1, hits: 1, detail: "{}", log_factor: 0, ordinal: 1, log_started: null, log_evidence: 0, at: nowMs };
    await db.insertInto("integrity_evidence").values(around("integrity_evidence").map((day) => ({ account_id, day, ...evidence }))).execute();

    const { deleted, isMore } = await deleteExpired(store, { nowMs, retentionDays: 90, isOver: () => false });
    assert.deepEqual([deleted, isMore], [4, false]);
    assert.deepEqual(await db.selectFrom("session_hours").select("hour").execute(), [{ hour: kept("session_hours") }]);
    for (const table of ["integrity_marks", "integrity_notices", "integrity_evidence"] as const) {
      assert.deepEqual(await db.selectFrom(table).select("day").execute(), [{ day: kept(table) }], table);
    }
  });
});
