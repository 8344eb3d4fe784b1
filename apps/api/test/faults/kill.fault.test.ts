import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { describeBothStores } from "../both-stores.ts";
import { makeAccount, vastTier } from "../make-account.ts";
import { auditCalls } from "./rig/audit-calls.ts";
import { createCallBook, isAnswered, isCut, unsettledWithKey, wasReplayed } from "./rig/call-book.ts";
import { retryCalls, startLoad } from "./rig/load.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";

/** Set by `npm run test:faults -- kill --rounds N`. A round costs a start of the service; each run draws other moments. */
const roundCount = Number(process.env.ASSAY_TEST_ROUNDS ?? 10);
const connectionCount = 16;
const accountCount = 3;
const loadMsMin = 20;
const loadMsMax = 700;

describeBothStores("a node that is killed under load", (open, dialect) => {
  it(`loses no charge and duplicates none in ${roundCount} rounds of kill -9 [threat: wrong-bill]`, async (t) => {
    const random = createSeededRandom();
    t.diagnostic(`${dialect}: ASSAY_TEST_SEED=${random.seed}`);
    const database = await open();
    const accounts = await Promise.all(Array.from({ length: accountCount }, () => makeAccount(database.store, { tier: vastTier })));
    const book = createCallBook();
    const shared = { book, random, accounts, connections: connectionCount, endsWhenCut: true };
    let service = await database.serve();
    let retries = 0;
    let replays = 0;

    for (book.round = 1; book.round <= roundCount; book.round += 1) {
      const { round } = book;
      // In every other round the node is killed the moment a 200 arrives: that charge must be durable.
      const victim = service;
      let isDue = false;
      const onAnswer = () => void (isDue && round % 2 === 0 && victim.child.kill("SIGKILL"));
      const load = startLoad({ ...shared, urls: [victim.url], onAnswer });
      await sleep(random.between(loadMsMin, loadMsMax));
      isDue = true;
      if (round % 2 === 1) victim.child.kill("SIGKILL");
      await load.ended;
      await victim.kill9();

      service = await database.serve();
      const cut = book.records.filter((record) => record.round === round && isCut(record));
      assert.ok(cut.length <= connectionCount, `${cut.length} calls of round ${round} were cut, more than were in flight`);
      const retried = unsettledWithKey(cut);
      retries += retried.length;
      await retryCalls(service.url, retried);
      for (const record of retried) assert.ok(isAnswered(record, 200), `a retry failed: ${JSON.stringify(record.attempts)}`);
      replays += retried.filter(wasReplayed).length;
    }
    await service.stop();

    const audit = await auditCalls(database.store, book.records);
    for (const [round, unanswered] of audit.unansweredByRound) {
      assert.ok(unanswered <= connectionCount, `round ${round} billed ${unanswered} calls without an answer`);
    }
    assert.ok(audit.answered > roundCount * connectionCount, `only ${audit.answered} calls were answered, which is no load`);
    t.diagnostic(
      `${dialect}: ${roundCount} rounds, ${book.records.length} calls, ${audit.answered} answered, ${audit.entries} entries; ` +
        `${audit.unanswered} billed without an answer, at most ${Math.max(0, ...audit.unansweredByRound.values())} in a round; ` +
        `${replays} of ${retries} retries got the stored answer`,
    );
  });
});
