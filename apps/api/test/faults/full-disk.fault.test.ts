import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { goodPassword } from "../people/browser.ts";
import { clickUrlOf, follow, requestAd } from "../ads/serving/send-tracking.ts";
import { openStore, sqliteFileName } from "../../src/store/open-store.ts";
import { makeAccount, type TestAccount, vastTier } from "../make-account.ts";
import { type Answer, predict, send, waitUntil } from "../send.ts";
import { startService, type TestService } from "../start-service.ts";
import { auditCalls } from "./rig/audit-calls.ts";
import { type Attempt, type CallBook, countAttempts, createCallBook } from "./rig/call-book.ts";
import { startLoad } from "./rig/load.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";
import { assertFewShed, findShedCalls } from "./rig/count-shed.ts";
import { limitPages, mountSmallDisk, type SmallDisk } from "./rig/small-disk.ts";

const diskMebibytes = 24;
const connectionCount = 8;
/** How often the disk is filled and freed under load. */
const roundCount = 2;
const answeredBetween = 100;

const signUp = (service: TestService, email: string) =>
  send(service, "/dashboard/api/auth/sign-up/email", {
    method: "POST",
    headers: { "content-type": "application/json", origin: service.url, "sec-fetch-site": "same-origin" },
    body: { email, password: goodPassword },
  });

const isReady = async (service: TestService) => (await send(service, "/health/ready")).status === 200;

/** Retries until the answer is right: a machine that is busy with other tests briefly sheds all kinds of requests. */
const untilAnswered = (what: string, ask: () => Promise<Answer>, isRight: (answer: Answer) => boolean) => waitUntil(async () => isRight(await ask()), what);

const isRefused = ({ status, headers, text }: Answer) => status === 503 && headers["retry-after"] === "5" && text.includes('"overloaded"');

/** What a service with a full disk still answers, and how it refuses everything else. */
async function assertRefusesWrites(service: TestService, account: TestAccount, clickUrl: string): Promise<void> {
  await untilAnswered("it is not ready and says why", () => send(service, "/health/ready"), ({ status, text }) => status === 503 && text.includes("the disk is full"));
  for (const path of ["/health/live", "/metrics", "/api/status", "/api/usage"]) {
    await untilAnswered(`${path} still works`, () => send(service, path, { headers: { "x-api-key": account.liveKey } }), ({ status }) => status === 200);
  }
  await untilAnswered("a call is refused", () => predict(service, account.liveKey), isRefused);
  await untilAnswered("an ad request is refused", () => requestAd(service, account.liveKey, {}), isRefused);
  await untilAnswered("a sign-up is refused", () => signUp(service, "nobody@example.com"), isRefused);
  await untilAnswered("a click is still redirected", () => follow(service, clickUrl), ({ status }) => status === 302);
}

async function assertRecovers(service: TestService, round: number): Promise<void> {
  await waitUntil(() => isReady(service), "the service is ready again");
  const email = `round-${round}@example.com`;
  await untilAnswered("sign-up works again", () => signUp(service, email), ({ status }) => status === 200);
  const outbox = join(service.dataDir, "outbox");
  const isThere = () =>
    existsSync(outbox) && readdirSync(outbox).some((name) => name.endsWith(".eml") && readFileSync(join(outbox, name), "utf8").includes(`To: ${email}`));
  await waitUntil(isThere, "the mail is in the outbox");
}

/** Only a call whose COMMIT may or may not be durable is cut; all others are answered, and a refusal names the disk. */
const isExpected = (attempt: Attempt) =>
  attempt.kind === "answered" ? attempt.status === 200 || (attempt.status === 503 && attempt.text.includes("cannot write to its disk")) : attempt.kind === "cut";

/** The transitions that the service logged, in order. */
const readTransitions = (service: TestService) => all(service.logs(), /the disk of DATA_DIR (is full|fails|takes writes again)/g);
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!);

/** Limits the size of the process's files: to SQLite that is a failing disk, not a full one. */
const limitFiles = ({ pid }: TestService, bytes: number | "unlimited") =>
  assert.equal(spawnSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:`]).status, 0);

/** Fills and frees the disk under load for several rounds; then lets writes fail. */
async function disruptDisk({ folder, fill, free }: SmallDisk, { service, account, book }: { service: TestService; account: TestAccount; book: CallBook }) {
  const count = (outcome: string) => countAttempts(book.records)[outcome] ?? 0;
  const untilMore = (outcome: string, more: number, what: string) => {
    const target = count(outcome) + more;
    return waitUntil(() => count(outcome) >= target, what, 60_000);
  };
  const clickUrl = clickUrlOf(await requestAd(service, account.liveKey, {}));
  for (let round = 1; round <= roundCount; round += 1) {
    await untilMore("200", answeredBetween, "calls are billed");
    fill();
    await untilMore("503", 1, "calls are refused");
    // Use up whatever space is left as well.
    fill();
    await assertRefusesWrites(service, account, clickUrl);
    free();
    await assertRecovers(service, round);
  }
  assert.equal(count("cut"), 0, "a full disk leaves no outcome unknown");
  const expected = Array.from({ length: roundCount }, () => ["is full", "takes writes again"]).flat();
  assert.deepEqual(readTransitions(service), expected, "each change is logged once, however many calls fail");
  limitFiles(service, statSync(join(folder, `${sqliteFileName}-wal`)).size);
  await untilMore("cut", 1, "the write-ahead log cannot grow, and calls are cut");
  limitFiles(service, "unlimited");
  await untilMore("200", answeredBetween, "calls are billed again");
}

async function runOnFullDisk(t: TestContext, disk: SmallDisk): Promise<void> {
  const settings = { dataDir: disk.folder, databaseUrl: undefined, env: disk.env };
  const service = await startService(settings);
  const account = await makeAccount(settings, { tier: vastTier });
  const book = createCallBook();
  const load = startLoad({ book, random: createSeededRandom(), accounts: [account], connections: connectionCount, urls: [service.url], endsWhenCut: false });
  t.after(async () => {
    await service.kill9();
    await load.stop();
    disk.close();
  });
  await disruptDisk(disk, { service, account, book });
  const transitionsBefore = readTransitions(service).length;
  // Killed with a full disk and restarted: everything acknowledged must be there.
  disk.fill();
  await waitUntil(async () => !(await isReady(service)), "the disk is full again");
  await load.stop();
  await service.kill9();
  assert.deepEqual(readTransitions(service).slice(transitionsBefore), ["is full"]);
  disk.free();
  const again = await startService(settings);
  await untilAnswered("the service answers again", () => predict(again, account.testKey), ({ status }) => status === 200);
  await again.stop();

  const shedIds = findShedCalls(service.logs());
  const isShed = (attempt: Attempt) => attempt.kind === "answered" && attempt.status === 503 && shedIds.has(attempt.requestId ?? "");
  const unexpected = book.records.flatMap((record) => record.attempts).filter((attempt) => !isExpected(attempt));
  assert.deepEqual(unexpected.filter((attempt) => !isShed(attempt)), []);
  assertFewShed({ shed: unexpected.length, calls: book.records.length }, (line) => t.diagnostic(line));
  const { store } = await openStore(settings, { nowMs: Date.now(), onConnectionError: () => {} });
  try {
    const audit = await auditCalls(store, book.records);
    t.diagnostic(`${roundCount} rounds with ${disk.kind}, ${JSON.stringify(countAttempts(book.records))}, ${audit.entries} entries`);
  } finally {
    await store.close();
  }
}

describe("a SQLite store whose disk fills up under load", () => {
  it("bills exactly the calls that it answers with 200, refuses the others with 503, still serves reads, and recovers by itself", (t) =>
    runOnFullDisk(t, mountSmallDisk(diskMebibytes) ?? limitPages()));
});
