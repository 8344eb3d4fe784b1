import type { StatusReply } from "@assay/contract/operations.ts";
import { openCheckpoint } from "@assay/tlog/checkpoint.ts";
import { parseVerifierKey, type VerifierKey } from "@assay/tlog/note.ts";
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type RunningWitness, serveWitness } from "../../src/money/ledger/log/witness/serve-witness.ts";
import { readOrMakeWitnessKey, type WitnessKey } from "../../src/money/ledger/log/witness/witness-key.ts";
import { openWitnessMemory, type WitnessMemory } from "../../src/money/ledger/log/witness/witness-memory.ts";
import { assayOn } from "../cli/run-assay.ts";
import { predict } from "../send.ts";
import { makeTestFolder, startService, type TestService } from "../start-service.ts";

/** A deadline, not an expectation: jobs are looked for every five seconds. */
const waitMsMax = 120_000;

describe("a service with a witness", () => {
  const folder = makeTestFolder();
  const file = join(folder, "witnesses");
  /** Filled in when the log has a key. */
  const logKeys: VerifierKey[] = [];
  let key: WitnessKey;
  let memory: WitnessMemory;
  let witness: RunningWitness;
  let service: TestService;

  before(async () => {
    key = await readOrMakeWitnessKey(join(folder, "witness.key"), "witness.example/w1");
    memory = openWitnessMemory(join(folder, "witness.sqlite"));
    witness = await serveWitness({ key, logKeys, memory, nowMs: Date.now }, { host: "127.0.0.1", port: 0, onAnswer: () => {}, onError: () => {} });
    writeFileSync(file, `witness auditor ${key.vkey} ${witness.address}\n`);
    service = await startService({ env: { LEDGER_LOG: "public", LOG_WITNESSES: file } });
  });
  after(async () => {
    await service?.stop();
    await witness.stop();
    memory.close();
  });

  async function waitFor<Found>(find: () => Promise<Found | undefined>): Promise<Found> {
    const deadlineMs = performance.now() + waitMsMax;
    for (;;) {
      const found = await find();
      if (found !== undefined) return found;
      assert(performance.now() < deadlineMs, "it did not happen in time");
      await sleep(200);
    }
  }

  const readText = async (path: string): Promise<string | undefined> => {
    const answer = await fetch(`${service.url}${path}`);
    const text = await answer.text();
    return answer.ok ? text : undefined;
  };
  const readWitness = async () => (JSON.parse((await readText("/api/status"))!) as StatusReply).log?.witnesses[0];

  it("shows that it has not cosigned yet, serves its cosignature when it has, and says so", async () => {
    const assay = assayOn({ dataDir: service.dataDir });
    await assay.json("account", "create", "--email", "d@example.com", "--tier", "starter", "--verified");
    const { api_key: apiKey } = await assay.json<{ api_key: string }>("key", "create", "--email", "d@example.com", "--name", "n");
    assert.equal((await predict(service, apiKey)).status, 200);
    const logKey = (await waitFor(async () => ((await readText("/log/checkpoint")) === undefined ? undefined : readText("/log/key")))).trimEnd();
    const away = await readWitness();
    assert.deepEqual([away?.name, away?.key, away?.witnessed_at], ["auditor", key.vkey, null]);
    logKeys.push(await parseVerifierKey(logKey));
    await waitFor(async () => (await readWitness())?.witnessed_at ?? undefined);
    const { witnessedBy } = await openCheckpoint((await readText("/log/checkpoint"))!, { logKeys: [logKey], witnessKeys: [key.vkey] });
    assert.deepEqual(witnessedBy.map(({ name }) => name), ["witness.example/w1"]);
    assert.match((await readText("/metrics"))!, /^assay_log_witness_behind_seconds\{witness="auditor"\} 0$/m);
    assert.match((await readText("/metrics"))!, /^assay_jobs_total\{job="ask_witnesses",result="ran"\} \d+$/m);
  });

  it("does not start with a file that it cannot use", async () => {
    const broken = join(folder, "broken");
    writeFileSync(broken, "witness auditor\n");
    await assert.rejects(startService({ env: { LOG_WITNESSES: broken } }), (error: Error) => {
      assert.match(error.message, /LOG_WITNESSES .*broken: Line 1: The key cannot be used/);
      return true;
    });
  });
});
