import type { ConsistencyReply } from "@assay/contract/ledger.ts";
import { claimedReceiptOf, parseProof } from "@assay/tlog/proof.ts";
import { leafText } from "@assay/tlog/receipt-leaf.ts";
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { makeAccount, type TestAccount } from "../make-account.ts";
import { type OpenedApp, openApp } from "../open-app.ts";
import { makeTestFolder } from "../start-service.ts";
import { addEntries, extend, holdLogJob } from "./log-context.ts";

const go = process.env.ASSAY_TEST_GO;
const goPackages = process.env.ASSAY_TEST_GO_PACKAGES;
const missing = go === undefined || goPackages === undefined ? "no Go, or not its package x/mod: ASSAY_TEST_GO or ASSAY_TEST_GO_PACKAGES is not set (npm test sets them)" : false;
const buildMsMax = 240_000;

type Task = { url: string; api_key: string; log_key: string; proofs: string[]; leaves: string[]; old_checkpoint: string; consistency: string[] };

describe("Go's verifier of its checksum database", { skip: missing }, () => {
  const folder = makeTestFolder();
  const program = join(folder, "verify");
  let opened: OpenedApp;
  let account: TestAccount;
  let task: Task;

  const get = async (path: string): Promise<string> => {
    const answer = await opened.app.inject({ url: path, headers: { "x-api-key": account.liveKey } });
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.body;
  };

  before(async () => {
    const source = join(import.meta.dirname, "go", "main.go");
    // GOPATH mode: nothing is downloaded.
    const env = { PATH: process.env.PATH, HOME: folder, GOCACHE: join(folder, "cache"), GOPATH: goPackages, GO111MODULE: "off", GOFLAGS: "", CGO_ENABLED: "0" };
    const built = spawnSync(go!, ["build", "-o", program, source], { env, encoding: "utf8", timeout: buildMsMax });
    assert.equal(built.status, 0, built.stderr);
    opened = await openApp();
    const { store } = opened.deps;
    await holdLogJob(store);
    account = await makeAccount(store);
    await addEntries(store, account.accountId, 300);
    await extend(store);
    const oldCheckpoint = await get("/log/checkpoint");
    await addEntries(store, account.accountId, 700);
    await extend(store);
    const proofs = await Promise.all([1, 2, 256, 257, 300, 301, 999, 1_000].map((seq) => get(`/api/ledger/proof?seq=${seq}`)));
    const { path } = JSON.parse(await get("/api/ledger/proof?consistency_from=300")) as ConsistencyReply;
    const leaves = proofs.map((proof) => leafText(claimedReceiptOf(parseProof(proof))!));
    const url = await opened.app.listen({ host: "127.0.0.1", port: 0 });
    task = { url, api_key: account.liveKey, log_key: (await get("/log/key")).trimEnd(), proofs, leaves, old_checkpoint: oldCheckpoint, consistency: path };
  });
  after(() => opened?.close());

  /** The program reads while this process serves. */
  async function verify(changed: Partial<Task> = {}): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const child = spawn(program, { stdio: ["pipe", "pipe", "pipe"] });
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject);
    child.on("close", resolve);
    child.stdin.end(JSON.stringify({ ...task, ...changed }));
    return { code: await promise, stdout, stderr };
  }

  it("accepts our checkpoints, tiles and proofs", async () => {
    const { code, stdout, stderr } = await verify();
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), { size: 1_000, proofs: 8, old_size: 300, tiles: true });
  });

  it("refuses them when a leaf, a hash, a signature or the key is another one", async () => {
    const [proof] = task.proofs as [string];
    const [first, ...rest] = task.consistency as [string];
    const other = task.consistency.at(-1)!;
    for (const changed of [
      { leaves: task.leaves.with(3, task.leaves[4]!) },
      { proofs: task.proofs.with(0, proof.replace(/^index .*$/m, "index 1")) },
      { proofs: task.proofs.with(0, proof.replace("\n1000\n", "\n1001\n")) },
      { consistency: [other, ...rest] },
      { consistency: [first, ...rest, first] },
      { old_checkpoint: task.old_checkpoint.replace("\n300\n", "\n299\n") },
      { log_key: "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k" },
    ]) {
      const { code, stderr } = await verify(changed);
      assert.equal(code, 1, JSON.stringify(Object.keys(changed)));
      assert.notEqual(stderr, "");
    }
  });
});
