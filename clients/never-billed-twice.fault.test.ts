import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openStore } from "../apps/api/src/store/open-store.ts";
import type { Store } from "../apps/api/src/store/store.ts";
import { auditCalls } from "../apps/api/test/faults/rig/audit-calls.ts";
import type { CallRecord } from "../apps/api/test/faults/rig/call-book.ts";
import { createSeededRandom } from "../apps/api/test/faults/rig/seeded-random.ts";
import { makeAccount, type TestAccount, vastTier } from "../apps/api/test/make-account.ts";
import { readLedger } from "../apps/api/test/read-ledger.ts";
import { goodSignals } from "../apps/api/test/send.ts";
import { makeTestFolder, startService, type TestService } from "../apps/api/test/start-service.ts";
import { dealFaults, type Fault, faults, startFaultProxy } from "../packages/sdk/src/testing/fault-proxy.ts";
import { Adapter, type Prepared } from "./conformance/adapter.ts";
import { languages } from "./conformance/languages.ts";

/** As many as a deck of faults has requests: each fault occurs in each language. */
const calls = 500;
/** Processes that make calls at the same time. */
const processes = 6;
const timeoutMs = 2_000;
/** Well beyond the client's timeout. */
const lateMs = 2_600;
/** Faults per deck. Those that make a client wait are rarer, to keep the test short. */
const faultCounts: Record<Fault, number> = {
  cut_before: 20,
  cut_after: 30,
  cut_inside_answer: 20,
  refused_by_proxy: 20,
  gateway_timeout_after: 20,
  answer_too_late: 3,
  request_too_late: 3,
  sent_twice: 20,
};

describe("clients over failing connections", () => {
  let store: Store;
  let service: TestService;

  before(async () => {
    const settings = { dataDir: makeTestFolder(), databaseUrl: undefined };
    ({ store } = await openStore(settings, { nowMs: Date.now(), onConnectionError: () => {} }));
    service = await startService(settings);
  });
  after(async () => {
    await service?.stop();
    await store?.close();
  });

  const records: CallRecord[] = [];

  /** Makes calls, one after the other, until all are made. */
  async function keepCalling(prepared: Prepared, baseUrl: string, account: TestAccount, left: { serial: number; last: number }): Promise<number> {
    const adapter = new Adapter(prepared);
    let replays = 0;
    try {
      while (left.serial < left.last) {
        const serial = (left.serial += 1);
        // The serial is sent as a signal, so that the audit can match the ledger entry to the call.
        const session = { ...goodSignals, interaction_count: serial };
        const method = (["predict", "score", "analyze"] as const)[serial % 3]!;
        const client = { api_key: account.liveKey, base_url: baseUrl, timeout_ms: timeoutMs, attempts_max: 20, total_ms_max: 120_000 };
        const { answer, meta, error, refused } = await adapter.ask({ do: "call", client, method, arguments: { session }, options: {} });
        assert.ok(answer && meta, `call ${serial}: ${JSON.stringify(error ?? refused)}`);
        if (meta.replayed) replays += 1;
        const answered = { kind: "answered", status: 200, text: "", sessionId: answer.session_id as string, receipt: meta.receipt ?? undefined, replayed: meta.replayed } as const;
        records.push({ serial, round: 0, account, path: "/api/ml/predict", idempotencyKey: undefined, body: "", attempts: [{ kind: "cut", reason: "lost in transit" }, answered] });
      }
    } finally {
      await adapter.stop();
    }
    return replays;
  }

  // They wait more than they work.
  describe("billed exactly once each", { concurrency: 3 }, () => {
    for (const [index, { name, prepare, whySkipped }] of languages.entries()) {
      it(`${calls} calls in ${name}`, { skip: whySkipped() }, async (t) => {
        const random = createSeededRandom();
        t.diagnostic(`ASSAY_TEST_SEED=${random.seed}`);
        const account = await makeAccount(store, { tier: vastTier });
        const prepared = await prepare(makeTestFolder());
        const proxy = await startFaultProxy(service.url, { choose: dealFaults({ counts: faultCounts, size: calls, between: random.between }), between: random.between, lateMs });
        t.after(() => proxy.close());
        const left = { serial: index * calls, last: (index + 1) * calls };
        const replays = await Promise.all(Array.from({ length: processes }, () => keepCalling(prepared, proxy.url, account, left)));
        await proxy.settled();
        t.diagnostic(JSON.stringify({ replays: replays.reduce((sum, each) => sum + each, 0), ...proxy.counts }));
        assert.equal(records.filter((record) => record.account === account).length, calls);
        assert.equal((await readLedger(store, account.accountId)).length, calls);
        for (const fault of faults) assert.ok(proxy.counts[fault] > 0, `${fault} never occurred`);
      });
    }
  });

  it("leaves nothing else in the ledger, and every receipt names its entry", async () => {
    const audit = await auditCalls(store, records);
    assert.ok(records.length > 0);
    assert.deepEqual([audit.entries, audit.answered], [records.length, records.length]);
  });
});
