import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { waitUntil } from "../send.ts";
import { startPostgres, type TestPostgres, whyPostgresIsSkipped } from "../start-postgres.ts";
import { auditCalls } from "./rig/audit-calls.ts";
import { openBehindProxy } from "./rig/behind-proxy.ts";
import { createCallBook, isAnswered, isCut, wasReplayed } from "./rig/call-book.ts";
import { attemptCall, openConnection, retryCalls } from "./rig/load.ts";

const roundCount = 4;
const callsAtOnce = 6;

describe("a node that dies between commit and answer", { skip: whyPostgresIsSkipped() }, () => {
  let postgres: TestPostgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  it("leaves charges that a retry with the same key is answered from", async (t) => {
    const house = await openBehindProxy(postgres);
    try {
      const book = createCallBook();
      const countEntries = async () => (await house.store.db.selectFrom("ledger_entries").select("ref").execute()).length;
      let replays = 0;
      for (book.round = 1; book.round <= roundCount; book.round += 1) {
        const service = await house.serve();
        // The node knows the keys by then, so that calls at once share a batch.
        await Promise.all(house.accounts.map((account) => attemptCall(openConnection(), service.url, book.open(account, false))));
        const billedBefore = await countEntries();
        const calls = Array.from({ length: callsAtOnce }, (_, index) => book.open(house.accounts[index % house.accounts.length]!, true));
        const held = house.proxy.strike("hold_answer");
        const attempts = calls.map((record) => attemptCall(openConnection(), service.url, record));
        await held;
        await waitUntil(async () => (await countEntries()) > billedBefore, "the server has committed");
        const billed = (await countEntries()) - billedBefore;
        await service.kill9();
        await Promise.all(attempts);
        for (const record of calls) assert.ok(isCut(record) && !isAnswered(record, 200), JSON.stringify(record.attempts));

        const restarted = await house.serve();
        // Twice: the second retry must change nothing either.
        await retryCalls(restarted.url, calls);
        await retryCalls(restarted.url, calls);
        assert.equal(await restarted.stop(), 0);
        for (const { attempts: made } of calls) {
          const statuses = made.map((each) => (each.kind === "answered" ? each.status : each.kind));
          assert.deepEqual(statuses, ["cut", 200, 200]);
        }
        const storedFirst = calls.filter(({ attempts: [, first] }) => first?.kind === "answered" && first.replayed);
        assert.equal(storedFirst.length, billed, "what was committed is answered from the store, the rest is billed now");
        assert.equal(calls.filter(wasReplayed).length, callsAtOnce);
        replays += billed;
      }
      const audit = await auditCalls(house.store, book.records);
      assert.equal(audit.entries, roundCount * (callsAtOnce + house.accounts.length));
      t.diagnostic(`${roundCount} rounds, ${book.records.length} calls, ${replays} committed before the crash and answered by a retry`);
    } finally {
      await house.close();
    }
  });
});
