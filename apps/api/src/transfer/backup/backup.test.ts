import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";
import { assayOn } from "../../../test/cli/run-assay.ts";
import { makeAccount, type TestAccount } from "../../../test/make-account.ts";
import { predict } from "../../../test/send.ts";
import { makeTestFolder, serviceEnvironment, spawnService, startService, type TestService } from "../../../test/start-service.ts";
import { prepareDataDir } from "../../start/prepare-data-dir.ts";
import { sqliteFileName } from "../../store/open-store.ts";
import { findDamage } from "./find-damage.ts";
import { lockDataDir } from "./lock-data-dir.ts";
import { makeBackup } from "./make-backup.ts";
import { restoreBackup } from "./restore-backup.ts";

type BackupJson = { file: string; bytes: number; entries: number; accounts: number };
type RestoreJson = { made_at: string; version: string; entries: number; accounts: number; replaced: string | null };

const calls = 4;
const nowMs = Date.parse("2026-01-01T00:00:00Z");
const secretKey = undefined;

/** The restore command, without starting a process. */
const restore = (file: string, dataDir = makeTestFolder(), more: { force?: boolean; secretKey?: string } = {}) =>
  restoreBackup({ file, dataDir, force: false, secretKey, nowMs, ...more });

const storeIn = (dataDir: string) => join(dataDir, sqliteFileName);

/** The one line that a refused start prints. */
async function refusalOfStart(dataDir: string): Promise<string> {
  const { logs, whenEnded } = spawnService(serviceEnvironment({ dataDir }));
  assert.equal(await whenEnded, 1);
  const [, line] = /^Assay cannot start: (.+)\n$/.exec(logs()) ?? [];
  assert.ok(line, `not one line but: ${logs()}`);
  return line;
}

describe("a backup of the embedded store", () => {
  let service: TestService;
  let account: TestAccount;
  const folder = makeTestFolder();
  const file = join(folder, "assay.backup");

  before(async () => {
    service = await startService();
    account = await makeAccount({ dataDir: service.dataDir, databaseUrl: undefined });
    for (let call = 0; call < calls; call += 1) assert.equal((await predict(service, account.liveKey)).status, 200);
  });
  after(() => service.stop());

  it("is made while the service runs: one file, readable by its owner only, with a report of its contents", async () => {
    const report = await assayOn(service).json<BackupJson>("backup", file);
    assert.deepEqual({ ...report, accounts: 0 }, { file, bytes: statSync(file).size, entries: calls, accounts: 0 });
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(folder), ["assay.backup"], "nothing is left beside it");
    assert.equal((await predict(service, account.liveKey)).status, 200);
  });

  it("leaves out the salts of networks, which it would outlive [threat: address-disclosure]", () => {
    const store = new DatabaseSync(storeIn(service.dataDir), { readOnly: true });
    const salts = store.prepare("SELECT salt FROM network_salts").all() as { salt: string }[];
    store.close();
    assert(salts.length > 0);
    const copy = readFileSync(file);
    for (const { salt } of salts) assert(!copy.includes(salt));
  });

  it("never replaces a file without --force, and is never written inside DATA_DIR", async () => {
    const options = { dataDir: service.dataDir, secretKey, version: "0", nowMs, force: false };
    const bytes = readFileSync(file);
    assert.deepEqual(await makeBackup({ ...options, file }), { kind: "file_exists" });
    assert.deepEqual(readFileSync(file), bytes);
    assert.deepEqual(await makeBackup({ ...options, file: join(service.dataDir, "mine.backup") }), { kind: "inside_data_dir" });
    assert.deepEqual(await makeBackup({ ...options, dataDir: makeTestFolder(), file: join(folder, "none") }), { kind: "no_store" });
    const copy = join(folder, "copy.backup");
    copyFileSync(file, copy);
    assert.equal((await makeBackup({ ...options, file: copy, force: true })).kind, "made");
    assert.equal(statSync(copy).mode & 0o777, 0o600);
  });

  it("is refused on PostgreSQL, and the refusal names PostgreSQL's own tool", async () => {
    const assay = assayOn({ dataDir: makeTestFolder(), databaseUrl: "postgres://nobody@127.0.0.1:1/none" });
    assert.match(await assay.refusal("backup", join(folder, "pg")), /pg_dump/);
    assert.match(await assay.refusal("restore", file), /pg_restore/);
  });

  it("is restored into a folder that does not exist yet, with the secret, and its keys work", async () => {
    const dataDir = join(makeTestFolder(), "deep", "data");
    const report = await assayOn({ dataDir }).json<RestoreJson>("restore", file);
    assert.equal(report.entries, calls);
    assert.equal(report.replaced, null);
    for (const name of [sqliteFileName, "secret.key"]) assert.equal(statSync(join(dataDir, name)).mode & 0o777, 0o600);
    assert.equal(readFileSync(join(dataDir, "secret.key"), "utf8"), readFileSync(join(service.dataDir, "secret.key"), "utf8"));
    assert.ok(!readFileSync(storeIn(dataDir)).includes(readFileSync(join(dataDir, "secret.key"))), "the store does not contain the secret");
    const restored = await startService({ dataDir });
    const answer = await predict(restored, account.liveKey);
    assert.equal(answer.status, 200);
    assert.match(String(answer.headers["assay-receipt"]), new RegExp(`^${calls + 1}\\.`));
    await restored.stop();
  });

  it("is not restored under a running service, nor over a store without --force, which keeps the old store", async () => {
    assert.match(await assayOn(service).refusal("restore", file, "--force"), /uses .+: stop it first/);
    assert.equal((await predict(service, account.liveKey)).status, 200);
    const dataDir = makeTestFolder();
    assert.equal((await restore(file, dataDir)).kind, "restored");
    const first = readFileSync(storeIn(dataDir));
    assert.deepEqual(await restore(file, dataDir), { kind: "store_exists" });
    assert.deepEqual(readFileSync(storeIn(dataDir)), first);
    const again = await restore(file, dataDir, { force: true });
    assert.ok(again.kind === "restored" && again.replaced !== undefined);
    assert.deepEqual(readFileSync(storeIn(again.replaced)), first);
  });

  it("is not restored when it is corrupted or truncated", async () => {
    const bytes = readFileSync(file);
    const bad = join(folder, "bad.backup");
    const tryWith = async (content: Buffer) => {
      writeFileSync(bad, content);
      const dataDir = makeTestFolder();
      const { kind } = await restore(bad, dataDir);
      assert.deepEqual(readdirSync(dataDir), ["in-use.lock"], "nothing is left behind");
      return kind;
    };
    for (let part = 0; part < 12; part += 1) {
      const altered = Buffer.from(bytes);
      const at = Math.floor(((part + 0.5) / 12) * (bytes.length - 100));
      altered[at] = altered[at]! ^ 4;
      assert.equal(await tryWith(altered), "altered", `byte ${at}`);
    }
    for (const length of [0, 50, 4_096, bytes.length - 1]) assert.equal(await tryWith(bytes.subarray(0, length)), "not_a_backup");
    assert.equal(await tryWith(readFileSync(storeIn(service.dataDir))), "not_a_backup");
  });

  it("is not restored when the ledger was tampered with before the backup, although the checksum matches", async () => {
    const dataDir = makeTestFolder();
    assert.equal((await restore(file, dataDir)).kind, "restored");
    const store = new DatabaseSync(storeIn(dataDir));
    store.exec("DROP TRIGGER ledger_entries_no_update");
    store.exec("UPDATE ledger_entries SET ref = 'sess_other' WHERE seq = 2");
    store.close();
    const forged = join(folder, "forged.backup");
    const made = await makeBackup({ dataDir, secretKey, file: forged, force: false, version: "0", nowMs });
    assert.equal(made.kind, "made", "the heads still match: only recomputing finds it");
    const outcome = await restore(forged);
    assert.ok(outcome.kind === "damaged");
    assert.match(outcome.problems.join(), /entry 2 of acct_\w+ has been changed/);
  });

  it("does not contain a secret set by SECRET_KEY, and needs the same one to be restored", async () => {
    const own = "a secret that the operator keeps elsewhere";
    const kept = join(folder, "kept.backup");
    assert.equal((await makeBackup({ dataDir: service.dataDir, secretKey: own, file: kept, force: false, version: "0", nowMs })).kind, "made");
    assert.ok(!readFileSync(kept).includes(own));
    assert.deepEqual(await restore(kept), { kind: "secret_missing" });
    assert.deepEqual(await restore(kept, makeTestFolder(), { secretKey: "quite another secret of forty letters ok" }), { kind: "secret_differs" });
    assert.equal((await restore(kept, makeTestFolder(), { secretKey: own })).kind, "restored");
  });

  it("is not made of a damaged store; a service refuses to start on it, and the restore that the refusal names works", async () => {
    const dataDir = makeTestFolder();
    assert.equal((await restore(file, dataDir)).kind, "restored");
    const bytes = readFileSync(storeIn(dataDir));
    // A disk lost a page in the middle.
    bytes.fill(0xa5, 40 * 4_096, 41 * 4_096);
    writeFileSync(storeIn(dataDir), bytes);
    const outcome = await makeBackup({ dataDir, secretKey, file: join(folder, "of-damaged"), force: false, version: "0", nowMs });
    assert.equal(outcome.kind, "damaged");
    assert.ok(!existsSync(join(folder, "of-damaged")));
    assert.match(await refusalOfStart(dataDir), /is damaged .+ restore FILE --force/);
    const verified = await assayOn({ dataDir }).run("ledger", "verify");
    assert.equal(verified.code, 1);
    assert.match(verified.stdout, /BROKEN[^]*\(the file\) +0 +\S/);
    writeFileSync(storeIn(dataDir), "this was never a database".repeat(100));
    assert.deepEqual(findDamage(dataDir, "at_start"), ["file is not a database"]);
    const restored = await assayOn({ dataDir }).json<RestoreJson>("restore", file, "--force");
    assert.match(readFileSync(storeIn(restored.replaced!), "utf8"), /^this was never a database/);
    assert.deepEqual(findDamage(dataDir, "at_start"), []);
  });

  it("is completed by the next start when the power failed after the restore's commit point", async () => {
    const dataDir = makeTestFolder();
    assert.equal((await restore(file, dataDir)).kind, "restored");
    const ready = join(dataDir, "restore.ready-2026-01-01T00-00-00.000Z");
    mkdirSync(ready);
    copyFileSync(storeIn(dataDir), storeIn(ready));
    writeFileSync(storeIn(dataDir), "the old one");
    prepareDataDir(dataDir).release();
    assert.deepEqual(findDamage(dataDir, "at_start"), []);
    assert.equal(readFileSync(storeIn(join(dataDir, "replaced-2026-01-01T00-00-00.000Z")), "utf8"), "the old one");
    assert.ok(!existsSync(ready));
  });
});

describe("the lock on a data folder", () => {
  it("is held by any number of processes, or by one exclusively", () => {
    const dataDir = makeTestFolder();
    const shared = { exclusive: false, waitMs: 0 };
    const exclusive = { exclusive: true, waitMs: 0 };
    const [one, two] = [lockDataDir(dataDir, shared), lockDataDir(dataDir, shared)];
    assert.ok(one && two);
    assert.equal(lockDataDir(dataDir, exclusive), undefined);
    one.release();
    assert.equal(lockDataDir(dataDir, exclusive), undefined);
    two.release();
    const only = lockDataDir(dataDir, exclusive);
    assert.ok(only);
    assert.equal(lockDataDir(dataDir, shared), undefined);
    assert.equal(lockDataDir(dataDir, exclusive), undefined);
    only.release();
    only.release();
    assert.ok(lockDataDir(dataDir, shared));
  });
});
