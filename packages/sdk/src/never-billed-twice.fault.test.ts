import assert from "node:assert/strict";
import { after, it } from "node:test";
import { auditCalls } from "../../../apps/api/test/faults/rig/audit-calls.ts";
import type { Attempt, CallRecord } from "../../../apps/api/test/faults/rig/call-book.ts";
import { createSeededRandom } from "../../../apps/api/test/faults/rig/seeded-random.ts";
import { describeBothStores } from "../../../apps/api/test/both-stores.ts";
import { makeAccount, type TestAccount, vastTier } from "../../../apps/api/test/make-account.ts";
import { goodSignals } from "../../../apps/api/test/send.ts";
import { Assay, AssayError, type Clock } from "./assay.ts";
import { dealFaults, type Fault, faults, type FaultProxy, startFaultProxy } from "./testing/fault-proxy.ts";

/** Two decks of faults and more: a call that fails is made again. */
const calls = 2_000;
const clients = 32;
const clientTimeoutMs = 2_000;
/** Well beyond the client's timeout. */
const lateByMs = 2_600;
/** Waits are real but shortened: their length does not affect billing. */
const waitDivisor = 40;
const deckSize = 1_000;
/** Faults per deck. Those that make a client wait are rarer, to keep the test short. */
const faultCounts: Record<Fault, number> = {
  cut_before: 35,
  cut_after: 50,
  cut_inside_answer: 25,
  refused_by_proxy: 50,
  gateway_timeout_after: 25,
  answer_too_late: 4,
  request_too_late: 4,
  sent_twice: 20,
};

const shortClock: Clock = {
  nowMs: () => performance.now(),
  wait: (ms) => new Promise((resolve) => void setTimeout(resolve, ms / waitDivisor)),
};

/** Makes one call with the SDK and records its result for the audit: a success, or no answer. */
async function makeCall(assay: Assay, account: TestAccount, serial: number): Promise<CallRecord> {
  const record: CallRecord = { serial, round: 0, account, path: "/api/ml/predict", idempotencyKey: undefined, body: "", attempts: [] };
  // The serial is sent as a signal, so that the audit can match the ledger entry to the call.
  const signals = { ...goodSignals, interaction_count: serial };
  const method = (["predict", "score", "analyze"] as const)[serial % 3]!;
  // The SDK does not tell what happened to earlier attempts; any of them may have been billed.
  const lost: Attempt = { kind: "cut", reason: "lost in transit" };
  try {
    const { meta, ...answer } = await assay[method](signals);
    const { receipt, replayed } = meta;
    record.attempts.push(lost, { kind: "answered", status: 200, text: "", sessionId: answer.session_id, receipt, replayed });
  } catch (error) {
    assert.ok(error instanceof AssayError && error.isRetryable, `call ${serial}: ${String(error)}`);
    record.attempts.push({ ...lost, reason: error.code });
  }
  return record;
}

describeBothStores("the SDK over failing connections", (open) => {
  let proxy: FaultProxy | undefined;
  after(() => proxy?.close());

  it(`bills each of ${calls} calls exactly once if it was answered, and at most once if it was not`, async (t) => {
    const random = createSeededRandom();
    t.diagnostic(`ASSAY_TEST_SEED=${random.seed}`);
    const database = await open();
    const accounts = [await makeAccount(database.store, { tier: vastTier }), await makeAccount(database.store, { tier: vastTier })];
    const service = await database.serve();
    proxy = await startFaultProxy(service.url, { choose: dealFaults({ counts: faultCounts, size: deckSize, between: random.between }), between: random.between, lateMs: lateByMs });
    const settings = { baseUrl: proxy.url, timeoutMs: clientTimeoutMs, attemptsMax: 3, clock: shortClock, random: random.next };
    const sdks = accounts.map(({ liveKey }) => new Assay({ ...settings, apiKey: liveKey }));

    const records: CallRecord[] = [];
    let serial = 0;
    const runClient = async (client: number) => {
      const which = client % accounts.length;
      while (serial < calls) {
        serial += 1;
        records.push(await makeCall(sdks[which]!, accounts[which]!, serial));
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)));
    await proxy.settled();

    const audit = await auditCalls(database.store, records);
    const failed = records.length - audit.answered;
    const replays = records.filter(({ attempts }) => attempts.some((each) => each.kind === "answered" && each.replayed)).length;
    t.diagnostic(`${records.length} calls: ${audit.answered} answered (${replays} replayed), ${failed} failed, of which ${audit.unanswered} were billed once; ${audit.entries} ledger entries`);
    t.diagnostic(JSON.stringify(proxy.counts));
    assert.equal(records.length, calls);
    assert.equal(audit.entries, audit.answered + audit.unanswered);
    for (const fault of faults) assert.ok(proxy.counts[fault] > 0, `${fault} never occurred`);
    assert.ok(replays > calls / 20, `only ${replays} answers were replays`);
    assert.ok(failed > 0, "no call failed, so failures were not tested");
  });
});
