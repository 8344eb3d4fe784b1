/**
 * One port, two workers, on PostgreSQL and Redis, each a process of its own. A worker that dies takes its own connections
 * with it and nothing else; a drain loses nothing; no worker outlives its supervisor.
 */
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { setTier } from "../../src/people/change-account.ts";
import { hasRedisServer } from "../access/start-redis.ts";
import { makeAccount, type TestAccount, vastTier } from "../make-account.ts";
import { readLedger } from "../read-ledger.ts";
import { send, waitUntil } from "../send.ts";
import { whyPostgresIsSkipped } from "../start-postgres.ts";
import { makeTestFolder, serviceEnvironment, spawnService, type TestService } from "../start-service.ts";
import { auditCalls } from "./rig/audit-calls.ts";
import { countAttempts, createCallBook, isAnswered, unsettledWithKey } from "./rig/call-book.ts";
import { assertFewShed, findShedCalls } from "./rig/count-shed.ts";
import { attemptCall, openConnection, retryCalls, startLoad } from "./rig/load.ts";
import { areRunning } from "./rig/npm-start.ts";
import { callersOf, openWorkersRig, readWorkers, untilRestarted, workerPidsOf, type WorkersRig } from "./rig/open-workers.ts";
import { startPortLoad, type Trouble } from "./rig/port-load.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";

const skip = whyPostgresIsSkipped() || (!hasRedisServer() && "redis-server is not installed") || (!existsSync("/proc/self/stat") && "processes are read from /proc");

const connectionCount = 16;
const kills = 3;
/** A busy machine may leave Redis unanswered for 250 ms; what is exact is then shown with another account. */
const exactTriesMax = 8;
const route = "/api/ml/predict";
const portOf = ({ url }: { url: string }): number => Number(new URL(url).port);

/** The 200s of scoring calls, as /metrics adds them up. Each question opens a connection of its own, so any worker may answer. */
async function countedCalls(service: { url: string }): Promise<number> {
  const { text } = await send(service, "/metrics", { headers: { connection: "close" } });
  return Number(new RegExp(`^assay_calls_total\\{route="${route}",status="200"\\} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
}

/** A service whose setting is damaged after its start, so that a worker that dies cannot start again. It takes its time to give up. */
async function startDoomed(rig: WorkersRig) {
  const witnesses = join(makeTestFolder(), "witnesses.txt");
  writeFileSync(witnesses, "");
  const service = await rig.start({ LOG_WITNESSES: witnesses });
  writeFileSync(witnesses, "no such line\n");
  const ended = new Promise((resolve) => service.child.once("exit", resolve));
  const pids = workerPidsOf(service);
  process.kill(pids[0]!, "SIGKILL");
  await waitUntil(() => /"a worker was killed by SIGKILL; it is started again"/.test(service.logs()), "its death is noticed");
  const { status: statusMeanwhile } = await send(service, "/health/ready");
  return { service, ended, pids, statusMeanwhile };
}

describe("two workers on one port", { skip }, () => {
  const random = createSeededRandom();
  const book = createCallBook();
  const drained = createCallBook();
  let rig: WorkersRig;
  let service: TestService;
  let accounts: TestAccount[];
  let doomed: Awaited<ReturnType<typeof startDoomed>>;
  const answeredCalls = () => book.records.filter((record) => isAnswered(record, 200)).length;
  const untilCalls = (more: number) => {
    const from = answeredCalls();
    return waitUntil(() => answeredCalls() >= from + more, "calls are answered", 60_000);
  };

  /** A machine that gives a worker no time for a second makes it shed calls, whatever the others do. */
  const leaveOutShed = async (t: TestContext, troubles: readonly Trouble[]): Promise<Trouble[]> => {
    const refused = troubles.filter(({ got }) => got === "503");
    await waitUntil(() => refused.every(({ requestId = "" }) => findShedCalls(service.logs()).has(requestId)), "every 503 is logged as shed");
    if (refused.length > 0) assertFewShed({ shed: refused.length, calls: answeredCalls() }, (line) => t.diagnostic(line));
    return troubles.filter((trouble) => !refused.includes(trouble));
  };

  before(async () => {
    rig = await openWorkersRig();
    doomed = await startDoomed(rig);
    service = await rig.start();
    accounts = [await makeAccount(rig.store, { tier: vastTier }), await makeAccount(rig.store, { tier: vastTier })];
  });

  after(() => rig?.close());

  it("are two processes of one supervisor, and say so", async (t) => {
    t.diagnostic(`ASSAY_TEST_SEED=${random.seed}`);
    assert.equal(workerPidsOf(service).length, 2);
    assert.deepEqual(await readWorkers(service), { configured: 2, ready: 2, restarts: 0 });
    assert.equal(service.logs().match(/is ready at/g)?.length, 1, "the welcome is printed once");
    assert.match(service.logs(), /Workers +2 processes on this port/);
  });

  it("add up their metrics, whichever of them is asked", async (t) => {
    const load = startPortLoad({ url: service.url, book, random, accounts, connections: connectionCount });
    t.after(() => load.stop());
    await untilCalls(40 * connectionCount);
    const shares = workerPidsOf(service).map((pid) => callersOf(pid, portOf(service)).size);
    await load.stop();
    assert.deepEqual(await leaveOutShed(t, load.troubles), []);
    assert.ok(Math.min(...shares) > 0, `both serve: ${shares.join(" and ")} connections`);
    for (let asked = 0; asked < 12; asked += 1) assert.equal(await countedCalls(service), answeredCalls());
    const { text } = await send(service, "/metrics");
    assert.match(text, /^assay_workers 2$/m);
    assert.match(text, /^assay_worker_restarts_total 0$/m);
    assert.match(text, /^assay_limiter_mode\{mode="redis"\} 1$/m, "a state is not a sum");
    t.diagnostic(`${answeredCalls()} calls; ${shares.join(" and ")} connections`);
  });

  it("share the limits exactly", async () => {
    await setTier(rig.store, { name: "SharedByWorkers", per_hour: 1_000, per_minute: 50, share_bps: 6_800, nowMs: Date.now(), channel: undefined });
    const countLost = () => service.logs().split("Redis is unreachable").length;
    for (let tried = 1; ; tried += 1) {
      const account = await makeAccount(rig.store, { tier: "SharedByWorkers" });
      await waitUntil(async () => /^assay_limiter_mode\{mode="fallback"\} 0$/m.test((await send(service, "/metrics")).text), "both workers count in Redis");
      const lost = countLost();
      const calls = Array.from({ length: 120 }, () => book.open(account, false));
      await Promise.all(
        calls.map(async (call) => {
          const connection = openConnection();
          await attemptCall(connection, service.url, call);
          connection.destroy();
        }),
      );
      if (tried < exactTriesMax && countLost() !== lost) continue;
      assert.deepEqual(countAttempts(calls), { 200: 50, 429: 70 });
      assert.equal((await readLedger(rig.store, account.accountId)).length, 50);
      return;
    }
  });

  it("killed -9 one after the other under load: each takes only its own connections with it, and comes back by itself", async (t) => {
    const load = startPortLoad({ url: service.url, book, random, accounts, connections: connectionCount });
    t.after(() => load.stop());
    const lines: string[] = [];
    for (let kill = 1; kill <= kills; kill += 1) {
      book.round += 1;
      await untilCalls(10 * connectionCount);
      await sleep(random.between(0, 200));
      const shown = await countedCalls(service);
      const pids = workerPidsOf(service);
      const victim = pids[random.between(0, pids.length - 1)]!;
      // While it is stopped it neither accepts nor closes, so the list is complete.
      process.kill(victim, "SIGSTOP");
      await sleep(20);
      const own = callersOf(victim, portOf(service));
      const troublesBefore = load.troubles.length;
      process.kill(victim, "SIGKILL");
      await untilCalls(5 * connectionCount);
      await untilRestarted(service, kill);
      const troubles = await leaveOutShed(t, load.troubles.slice(troublesBefore));
      assert.deepEqual(troubles.filter(({ got, port }) => got !== "cut" || !own.has(port)), [], "only the dead worker's connections are in trouble");
      assert.ok(troubles.length <= own.size, `${troubles.length} calls cut, ${own.size} connections`);
      assert.ok((await countedCalls(service)) >= shown, "what was counted stays counted");
      lines.push(`${troubles.length} of ${own.size}`);
    }
    // Callers that kept their connections stay with the other worker while it has time for them.
    await waitUntil(async () => {
      const agents = Array.from({ length: connectionCount }, openConnection);
      await Promise.all(agents.map((agent) => attemptCall(agent, service.url, book.open(accounts[0]!, true))));
      const isShared = workerPidsOf(service).every((pid) => callersOf(pid, portOf(service)).size > 0);
      for (const agent of agents) agent.destroy();
      return isShared;
    }, "new connections reach the new worker");
    await load.stop();
    await retryCalls(service.url, unsettledWithKey(book.records));
    const audit = await auditCalls(rig.store, book.records);
    assert.deepEqual(await readWorkers(service), { configured: 2, ready: 2, restarts: kills });
    t.diagnostic(`cut calls of the victim's connections: ${lines.join(", ")}; ${audit.answered} answered, ${audit.unanswered} billed without an answer`);
  });

  it("stopped by SIGTERM under load: every call that arrived is answered, and no process is left", async (t) => {
    drained.firstSerial = book.firstSerial + book.records.length;
    const load = startLoad({ book: drained, random, accounts, connections: connectionCount, urls: [service.url], endsWhenCut: true });
    await waitUntil(() => drained.records.filter((record) => isAnswered(record, 200)).length > 20 * connectionCount, "there is load");
    await sleep(random.between(0, 200));
    const pids = [service.pid, ...workerPidsOf(service)];
    const [code] = await Promise.all([service.stop(), load.ended]);
    assert.equal(code, 0, service.logs());
    assert.deepEqual(areRunning(pids), []);
    const attempts = countAttempts(drained.records);
    assert.deepEqual(Object.keys(attempts).toSorted(), ["200", "refused"], JSON.stringify(attempts));
    assert.equal(attempts["refused"], connectionCount, "every client continued until the port was closed");
    await auditCalls(rig.store, [...book.records, ...drained.records]);
    t.diagnostic(JSON.stringify(attempts));
  });

  it("whose supervisor is killed -9 drain by themselves", async () => {
    const orphaned = await rig.start();
    const calls = createCallBook();
    calls.firstSerial = drained.firstSerial + drained.records.length;
    const load = startLoad({ book: calls, random, accounts, connections: connectionCount, urls: [orphaned.url], endsWhenCut: true });
    await waitUntil(() => calls.records.filter((record) => isAnswered(record, 200)).length > 5 * connectionCount, "there is load");
    const pids = workerPidsOf(orphaned);
    assert.equal(pids.length, 2);
    await orphaned.kill9();
    await load.ended;
    await waitUntil(() => areRunning(pids).length === 0, "no worker is left", 60_000);
    await auditCalls(rig.store, [...book.records, ...drained.records, ...calls.records]);
    assert.deepEqual(Object.keys(countAttempts(calls.records)).filter((each) => !["200", "refused", "cut"].includes(each)), []);
  });

  it("of which one cannot start: the service prints one line and exits with 1", async () => {
    const missing = join(makeTestFolder(), "missing.txt");
    const env = { WORKERS: "2", LOG_WITNESSES: missing };
    const refused = spawnService(serviceEnvironment({ databaseUrl: rig.databaseUrl, redisUrl: rig.redis.url, dataDir: makeTestFolder(), env }));
    assert.equal(await refused.whenEnded, 1);
    assert.match(refused.logs(), /^Assay cannot start: LOG_WITNESSES [^\n]+\n$/);
  });

  it("of which one cannot start again: the other serves meanwhile, is drained, and one line says why", async () => {
    assert.equal(await doomed.ended, 1);
    assert.match(doomed.service.logs(), /\nAssay stops: worker \d could not start 8 times in a row: LOG_WITNESSES .+\n/);
    assert.deepEqual(areRunning(doomed.pids), []);
    assert.equal(doomed.statusMeanwhile, 200);
  });
});
