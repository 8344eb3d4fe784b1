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

describe("a node that crashes between commit and answer", { skip: whyPostgresIsSkipped() }, () => {
  let postgres: TestPostgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  it("leaves charges whose answers a retry with the same key gets", async (t) => {
    const setup = await openBehindProxy(postgres);
    try {
      const book = createCallBook();
      const countEntries = async () => (await setup.store.db.selectFrom("ledger_entries").select("ref").execute()).length;
      let replays = 0;
      let service = await setup.serve();
      for (book.round = 1; book.round <= roundCount; book.round += 1) {
        // Fills the key cache, so that the concurrent calls share a batch.
        await Promise.all(setup.accounts.map((account) => attemptCall(openConnection(), service.url, book.open(account, false))));
        const billedBefore = await countEntries();
        const calls = Array.from({ length: callsAtOnce }, (_, index) => book.open(setup.accounts[index % setup.accounts.length]!, true));
        const held = setup.proxy.strike("hold_answer");
        const attempts = calls.map((record) => attemptCall(openConnection(), service.url, record));
        await held;
        await waitUntil(async () => (await countEntries()) > billedBefore, "the server has committed");
        const billed = (await countEntries()) - billedBefore;
        await service.kill9();
        await Promise.all(attempts);
        for (const record of calls) assert.ok(isCut(record) && !isAnswered(record, 200), JSON.stringify(record.attempts));

        // The node that answers the retries is the next one that crashes.
        service = await setup.serve();
        // Twice: the second retry must not change anything either.
        await retryCalls(service.url, calls);
        await retryCalls(service.url, calls);
        for (const { attempts: made } of calls) {
          const statuses = made.map((each) => (each.kind === "answered" ? each.status : each.kind));
          assert.deepEqual(statuses, ["cut", 200, 200]);
        }
        const storedFirst = calls.filter(({ attempts: [, first] }) => first?.kind === "answered" && first.replayed);
        assert.equal(storedFirst.length, billed, "committed calls are replayed, the others are billed now");
        assert.equal(calls.filter(wasReplayed).length, callsAtOnce);
        replays += billed;
      }
      assert.equal(await service.stop(), 0);
      const audit = await auditCalls(setup.store, book.records);
      assert.equal(audit.entries, roundCount * (callsAtOnce + setup.accounts.length));
      t.diagnostic(`${roundCount} rounds, ${book.records.length} calls, ${replays} committed before the crash and replayed to a retry`);
    } finally {
      await setup.close();
    }
  });
});
