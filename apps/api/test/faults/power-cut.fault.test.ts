import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { auditClicks } from "../ads/serving/audit-clicks.ts";
import { makeCampaign } from "../ads/serving/make-campaign.ts";
import { makeOffers, type TestOffer } from "../ads/serving/make-offers.ts";
import { makeAccount, type TestAccount, vastTier } from "../make-account.ts";
import { send, waitUntil } from "../send.ts";
import { whyPostgresIsSkipped } from "../start-postgres.ts";
import { makeTestFolder, startService, type TestService } from "../start-service.ts";
import { auditCalls } from "./rig/audit-calls.ts";
import { type CallRecord, createCallBook, isAnswered, isCut, unsettledWithKey } from "./rig/call-book.ts";
import { startClickLoad } from "./rig/click-load.ts";
import { openCutInstallation } from "./rig/cut-installation.ts";
import { retryCalls, startLoad } from "./rig/load.ts";
import { insertDisk, type PowerCutDisk, type Unsynced, whyPowerIsNotCut } from "./rig/power-cut.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";

const sources = new URL("../../src/", import.meta.url).pathname;
const rounds: readonly Unsynced[] = ["lost", "partly lost", "lost"];
const connectionCount = 12;
const accountCount = 2;
const peopleCount = 4;
const offersPerRound = 400;
/** The power fails after this many answers, not after a time: a slow machine would have answered none. */
const answersMin = 40;
const answersMax = 400;
/** Without an end of the syncs, only calls that were synced before are still answered. */
const answersLateMax = 200;
const loadMsMax = 60_000;
const replaysPerRound = 40;

type Prepared = { accounts: TestAccount[]; offersByRound: TestOffer[][] };

async function prepareStore(store: Store): Promise<Prepared> {
  const accounts: TestAccount[] = [];
  for (let made = 0; made < accountCount; made += 1) accounts.push(await makeAccount(store, { tier: vastTier }));
  const campaign = await makeCampaign(store, { budget_micro: 1_000_000_000_000 });
  const offersByRound: TestOffer[][] = [];
  for (let made = 0; made < rounds.length; made += 1) {
    offersByRound.push(await makeOffers(store, { accountId: accounts[0]!.accountId, campaign, atMs: Date.now() - 10_000 }, offersPerRound));
  }
  return { accounts, offersByRound };
}

/** The newest answers are the ones that a disk may not have. */
async function assertReplayed(service: TestService, answered: readonly CallRecord[]): Promise<void> {
  const keyed = answered.filter(({ idempotencyKey }) => idempotencyKey !== undefined).slice(-replaysPerRound);
  assert.ok(keyed.length > 0, "no call with an Idempotency-Key was answered");
  await retryCalls(service.url, keyed);
  for (const { attempts } of keyed) {
    const [first, again] = [attempts[0]!, attempts.at(-1)!];
    assert.ok(first.kind === "answered" && again.kind === "answered" && again.replayed, `a replay after the cut was ${JSON.stringify(again)}`);
    assert.equal(again.text, first.text);
  }
}

/** Runs a program on the disk, in a process that ends when it is done; then the power fails. */
function runThenCut(program: string, { dataDir, disk }: { dataDir: string; disk: PowerCutDisk }): void {
  const options = ["--input-type=module-typescript", "--eval", program.replaceAll("DATA_DIR", JSON.stringify(dataDir))];
  const { status, stderr } = spawnSync(process.execPath, options, { cwd: sources, env: { ...process.env, ...disk.env }, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  disk.cutPower("lost");
}

function openEmptyDisk() {
  const folder = makeTestFolder();
  const dataDir = join(folder, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  return { dataDir, disk: insertDisk(dataDir, { beside: join(folder, "disk"), random: createSeededRandom() }) };
}

describe("a file that the service writes before the power fails", { skip: whyPowerIsNotCut() }, () => {
  it("is there if it is the installation's secret", () => {
    const place = openEmptyDisk();
    runThenCut('import { readOrMakeSecret } from "./start/prepare-data-dir.ts"; readOrMakeSecret(DATA_DIR);', place);
    assert.match(readFileSync(join(place.dataDir, "secret.key"), "utf8"), /^[\w-]{43}$/);
  });

  it("is there if it is a mail that counts as sent", () => {
    const place = openEmptyDisk();
    const mail = { id: "mail_1", recipient: "reader@example.com", subject: "Hello", body_text: "plain words", body_html: "<p>rich words</p>", created_at: 0 };
    runThenCut(`import { deliverToFolder } from "./mail/deliver-mail.ts"; await deliverToFolder({ dataDir: DATA_DIR, from: undefined })(${JSON.stringify(mail)});`, place);
    assert.match(readFileSync(join(place.dataDir, "outbox", "mail_1.eml"), "utf8"), /^To: reader@example.com$[^]*rich words/m);
  });

  it("is lost if nobody synced it, although it was written and closed", () => {
    const place = openEmptyDisk();
    const program = 'import { writeFileSync } from "node:fs"; import { syncToDisk } from "./transfer/backup/store-files.ts";';
    runThenCut(`${program} for (const name of ["named", "whole"]) writeFileSync(DATA_DIR + "/" + name, name, { flush: name === "whole" }); syncToDisk(DATA_DIR); writeFileSync(DATA_DIR + "/nameless", "", { flush: true });`, place);
    const left = readdirSync(place.dataDir).toSorted().map((name) => [name, readFileSync(join(place.dataDir, name), "utf8")]);
    assert.deepEqual(left, [["named", ""], ["whole", "whole"]]);
  });
});

describe("an embedded installation whose power fails right after its first start", { skip: whyPowerIsNotCut() }, () => {
  it("has its secret, its first sign-ins and its keys", async () => {
    const { dataDir, disk } = openEmptyDisk();
    const first = await startService({ dataDir, env: disk.env });
    const key = /assay_live_[0-9A-Za-z]{38}/.exec(first.logs())![0];
    await first.kill9();
    const secret = readFileSync(join(dataDir, "secret.key"), "utf8");
    disk.cutPower("lost");
    assert.equal(readFileSync(join(dataDir, "secret.key"), "utf8"), secret);
    const second = await startService({ dataDir, env: disk.env });
    assert.equal((await send(second, "/api/usage", { headers: { "x-api-key": key } })).status, 200);
    assert.equal(await second.stop(), 0);
  });
});

const dialects = [
  { dialect: "sqlite", skip: whyPowerIsNotCut() },
  { dialect: "postgres", skip: whyPowerIsNotCut() || whyPostgresIsSkipped() },
] as const;

for (const { dialect, skip } of dialects) {
  describe(`an installation whose power fails under load (${dialect})`, { skip }, () => {
    it(`has every call and click that it answered, once, after ${rounds.length} power cuts [threat: lost-bill]`, async (t) => {
      const random = createSeededRandom();
      t.diagnostic(`${dialect}: ASSAY_TEST_SEED=${random.seed}`);
      let prepared: Prepared | undefined;
      const installation = await openCutInstallation(dialect, { random, prepare: async (store) => void (prepared = await prepareStore(store)) });
      t.after(() => installation.close());
      const { accounts, offersByRound } = prepared!;
      const book = createCallBook();
      const redirected = new Set<string>();
      const lost = { blocks: 0, names: 0 };
      let syncs = 0;
      let service = await installation.start();

      for (const [index, unsynced] of rounds.entries()) {
        book.round = index + 1;
        const victim = service;
        // Or the load would go on after a failure.
        t.after(() => victim.kill9());
        const syncsBefore = installation.disk.countSyncs();
        const answersBeforeStall = random.between(answersMin, answersMax);
        let answers = 0;
        const onAnswer = () => {
          answers += 1;
          if (answers === answersBeforeStall) installation.disk.stall();
        };
        const clicks = startClickLoad({ nodes: () => [victim], offers: offersByRound[index]!, people: peopleCount, random, endsWhenCut: true });
        const load = startLoad({ book, random, accounts, connections: connectionCount, urls: [victim.url], endsWhenCut: true, onAnswer });
        await waitUntil(() => installation.disk.isAwaited() || answers > answersBeforeStall + answersLateMax, "the disk is busy when the power fails", loadMsMax);
        installation.killAll(victim);
        await Promise.all([load.ended, clicks.ended]);
        syncs += installation.disk.countSyncs() - syncsBefore;
        const loss = await installation.cutPower(victim, unsynced);
        assert.ok(loss.blocks > 0 || unsynced === "partly lost", "the cut took nothing away, so it proves nothing");
        lost.blocks += loss.blocks;
        lost.names += loss.names;
        for (const id of clicks.redirected) redirected.add(id);
        t.diagnostic(`${dialect}: round ${book.round}: ${JSON.stringify({ unsynced, ...loss })}, ${clicks.redirected.size} clicks`);

        service = await installation.start();
        const made = book.records.filter(({ round }) => round === book.round);
        await assertReplayed(service, made.filter((record) => isAnswered(record, 200)));
        const retried = unsettledWithKey(made.filter(isCut));
        await retryCalls(service.url, retried);
        for (const record of retried) assert.ok(isAnswered(record, 200), `a retry failed: ${JSON.stringify(record.attempts)}`);
      }
      assert.equal(await service.stop(), 0);

      const { store } = await openStore(installation.settings, { nowMs: Date.now(), onConnectionError: () => {} });
      try {
        const audit = await auditCalls(store, book.records);
        const { clicks } = await auditClicks(store);
        const judged = await store.db.selectFrom("offers").select("id").where("verdict", "is not", null).execute();
        const verdicts = new Set(judged.map(({ id }) => id));
        assert.deepEqual([...redirected].filter((id) => !verdicts.has(id)), [], "a click that was answered has no verdict");
        assert.ok(redirected.size > rounds.length && clicks > 0, `only ${redirected.size} clicks were answered, which is no load`);
        t.diagnostic(`${dialect}: ${audit.answered} calls answered, ${audit.entries} entries, ${redirected.size} clicks answered, ${clicks} paid, ${syncs} syncs, lost ${JSON.stringify(lost)}`);
      } finally {
        await store.close();
      }
      assert.ok(syncs > 0, "nothing was synced");
    });
  });
}
