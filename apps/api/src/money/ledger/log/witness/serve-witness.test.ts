import { openCheckpoint } from "@assay/tlog/checkpoint.ts";
import { formatNote, parseNote, parseVerifierKey } from "@assay/tlog/note.ts";
import { NaiveTree } from "@assay/tlog/testing/naive-tree.ts";
import { TestSigner } from "@assay/tlog/testing/test-signer.ts";
import { formatWitnessRequest } from "@assay/tlog/witness-request.ts";
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { chmodSync, statSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { makeTestFolder } from "../../../../../test/start-service.ts";
import type { WitnessAnswer } from "./cosign-checkpoint.ts";
import { type RunningWitness, serveWitness } from "./serve-witness.ts";
import { readOrMakeWitnessKey, type WitnessKey } from "./witness-key.ts";
import { openWitnessMemory, type WitnessMemory } from "./witness-memory.ts";

const nowMs = 1_800_000_000_000;
const tree = NaiveTree.ofNumbers(40);
const name = "witness.example/w1";

describe("a witness", () => {
  const folder = makeTestFolder();
  const answers: WitnessAnswer[] = [];
  const errors: unknown[] = [];
  let log: TestSigner;
  let key: WitnessKey;
  let memory: WitnessMemory;
  let witness: RunningWitness;
  /** Throws once where the witness asks for the time, so many times from now. */
  let failAfterCalls = Number.POSITIVE_INFINITY;

  before(async () => {
    log = await TestSigner.log("assay.example/assay/Ab3dEf9h");
    await start();
  });
  after(() => stop());

  async function start(): Promise<void> {
    key = await readOrMakeWitnessKey(join(folder, "witness.key"), name);
    memory = openWitnessMemory(join(folder, "witness.sqlite"));
    const tell = (): number => {
      failAfterCalls -= 1;
      if (failAfterCalls < 0) throw new Error("killed");
      return nowMs;
    };
    const logKeys = [await parseVerifierKey(log.vkey)];
    witness = await serveWitness({ key, logKeys, memory, nowMs: tell }, { host: "127.0.0.1", port: 0, onAnswer: (answer) => answers.push(answer), onError: (error) => errors.push(error) });
  }

  async function stop(): Promise<void> {
    await witness.stop();
    memory.close();
  }

  async function post(body: string): Promise<{ status: number; type: string | null; text: string }> {
    const response = await fetch(`${witness.address}/add-checkpoint`, { method: "POST", body });
    return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
  }

  type Ask = { oldSize: number; size: number; of?: NaiveTree; signer?: TestSigner; path?: Uint8Array[]; note?: string };

  /** Asks the witness for a cosignature of the log at that size. */
  function ask({ oldSize, size, of = tree, signer = log, path = of.consistencyPath(Math.min(oldSize, size), size), note = signer.signCheckpoint({ size, root: of.root(size) }) }: Ask) {
    return post(formatWitnessRequest({ oldSize, path, checkpointNote: note }));
  }

  /** An origin of its own for each test. */
  const follow = (number: number): Promise<TestSigner> => log.renamed(`${log.name}/${number}`);

  it("cosigns what continues the log, and nothing else, as C2SP tlog-witness says", async () => {
    const first = await ask({ oldSize: 0, size: 5 });
    assert.equal(first.status, 200);
    const opened = await openCheckpoint(log.signCheckpoint({ size: 5, root: tree.root(5) }) + first.text, { logKeys: [log.vkey], witnessKeys: [key.vkey] });
    assert.deepEqual(opened.witnessedBy, [{ name, atMs: nowMs }]);
    assert.equal((await ask({ oldSize: 5, size: 13 })).status, 200);
    assert.equal((await ask({ oldSize: 13, size: 13 })).status, 200);

    assert.deepEqual(await ask({ oldSize: 5, size: 20 }), { status: 409, type: "text/x.tlog.size", text: "13\n" });
    assert.deepEqual(await ask({ oldSize: 0, size: 20 }), { status: 409, type: "text/x.tlog.size", text: "13\n" });
    // Back to where it was: not a proof of anything that the witness has seen.
    assert.deepEqual(await ask({ oldSize: 5, size: 5 }), { status: 409, type: "text/x.tlog.size", text: "13\n" });
    assert.equal((await ask({ oldSize: 13, size: 5, path: [] })).status, 400);
    assert.equal((await ask({ oldSize: 13, size: 20, path: tree.consistencyPath(12, 20) })).status, 422);
    assert.equal((await ask({ oldSize: 13, size: 20, path: [] })).status, 422);
    assert.equal((await ask({ oldSize: 13, size: 13, path: [tree.root(13)] })).status, 422);
    assert.equal((await ask({ oldSize: 13, size: 20 })).status, 200);
  });

  it("knows only the logs it was given, and those that follow them with the same key", async () => {
    const stranger = await TestSigner.log("stranger.example/log");
    const imposter = await TestSigner.log(log.name);
    assert.equal((await ask({ oldSize: 0, size: 5, signer: stranger })).status, 404);
    assert.equal((await ask({ oldSize: 20, size: 20, signer: imposter })).status, 403);
    for (const number of ["1", "02", "x", "2/2", "99999"]) assert.equal((await ask({ oldSize: 0, size: 5, signer: await log.renamed(`${log.name}/${number}`) })).status, 404, number);
    assert.equal((await ask({ oldSize: 0, size: 5, signer: await TestSigner.log(`${log.name}/2`) })).status, 403);
    assert.equal((await ask({ oldSize: 0, size: 5, signer: await follow(2) })).status, 200);
  });

  it("refuses a signature of a known key that is wrong, even beside a right one", async () => {
    const { text, signatures } = parseNote(log.signCheckpoint({ size: 20, root: tree.root(20) }));
    const wrong = formatNote({ text, signatures: [...signatures, log.sign("another text\n")] });
    assert.equal((await ask({ oldSize: 20, size: 20, note: wrong })).status, 403);
    const witnessOnly = await TestSigner.witness("w.example");
    assert.equal((await ask({ oldSize: 20, size: 20, note: formatNote({ text, signatures: [witnessOnly.sign(text, 5)] }) })).status, 403);
  });

  it("refuses a fork, with any proof, and keeps both signed checkpoints of one size [threat: forked-log]", async () => {
    const signer = await follow(3);
    assert.equal((await ask({ oldSize: 0, size: 13, signer })).status, 200);
    const fork = tree.withForgedLeaf(4);
    for (const size of [13, 14, 20]) {
      for (const claimed of [0, 4, 5, 8, 13]) {
        const path = fork.consistencyPath(Math.min(claimed, size), size);
        assert.equal((await ask({ oldSize: 13, size, of: fork, signer, path })).status, 422, `${claimed} to ${size}`);
      }
    }
    assert(answers.some((answer) => answer.kind === "inconsistent" && answer.isContradiction && answer.origin === signer.name));
    const kept = memory.readContradictions(signer.name);
    assert.equal(kept.length, 1);
    const keys = { logKeys: [signer.vkey], witnessKeys: [] };
    const [known, contradicting] = await Promise.all([openCheckpoint(kept[0]!.knownNote, keys), openCheckpoint(kept[0]!.note, keys)]);
    assert.equal(known.checkpoint.size, contradicting.checkpoint.size);
    assert.notDeepEqual(known.checkpoint.root, contradicting.checkpoint.root);
    assert.equal((await ask({ oldSize: 13, size: 20, signer })).status, 200);
  });

  it("accepts the empty log with its own root only", async () => {
    const signer = await follow(4);
    const emptyNote = (root: Uint8Array) => signer.signCheckpoint({ size: 0, root });
    assert.equal((await ask({ oldSize: 0, size: 0, signer, note: emptyNote(tree.root(1)) })).status, 422);
    assert.equal((await ask({ oldSize: 0, size: 0, signer })).status, 200);
    assert.equal((await ask({ oldSize: 0, size: 3, signer, path: [tree.root(1)] })).status, 422);
    assert.equal((await ask({ oldSize: 0, size: 3, signer })).status, 200);
  });

  it("cosigns one of two continuations that are asked for at once", async () => {
    const signer = await follow(5);
    assert.equal((await ask({ oldSize: 0, size: 8, signer })).status, 200);
    const fork = tree.withForgedLeaf(9);
    const statuses = await Promise.all(Array.from({ length: 20 }, (_, each) => ask({ oldSize: 8, size: 10 + (each % 5), of: each % 2 === 0 ? tree : fork, signer })));
    assert.equal(statuses.filter(({ status }) => status === 200).length, 1);
    assert(statuses.every(({ status }) => status === 200 || status === 409));
  });

  it("has remembered a checkpoint before it signs it, so that a crash in between cannot lead it to a fork [threat: forked-log]", async () => {
    const signer = await follow(6);
    assert.equal((await ask({ oldSize: 0, size: 8, signer })).status, 200);
    // The second call is for the time of the signature.
    failAfterCalls = 1;
    assert.equal((await ask({ oldSize: 8, size: 13, signer })).status, 500);
    failAfterCalls = Number.POSITIVE_INFINITY;
    assert.match(String(errors.at(-1)), /killed/);
    await stop();
    await start();
    const fork = tree.withForgedLeaf(9);
    assert.deepEqual(await ask({ oldSize: 8, size: 13, of: fork, signer }), { status: 409, type: "text/x.tlog.size", text: "13\n" });
    assert.equal((await ask({ oldSize: 13, size: 20, of: fork, signer })).status, 422);
    const monitored = await fetch(`${witness.address}/${hash("sha256", signer.name)}/checkpoint`);
    assert.equal((await openCheckpoint(await monitored.text(), { logKeys: [signer.vkey], witnessKeys: [key.vkey] })).witnessedBy.length, 1);
    assert.equal((await ask({ oldSize: 13, size: 20, signer })).status, 200);
  });

  it("shows monitors the checkpoint that it cosigned last, with the signatures that it verified only", async () => {
    const signer = await follow(7);
    const stranger = await TestSigner.witness("stranger.example");
    const { text, signatures } = parseNote(signer.signCheckpoint({ size: 8, root: tree.root(8) }));
    const { text: line } = await ask({ oldSize: 0, size: 8, signer, note: formatNote({ text, signatures: [...signatures, stranger.sign(text, 5)] }) });
    const path = `${witness.address}/${hash("sha256", signer.name)}/checkpoint`;
    assert.equal(await (await fetch(path)).text(), formatNote({ text, signatures }) + line);
    assert.equal((await fetch(path, { method: "POST" })).status, 405);
    assert.equal((await fetch(`${witness.address}/${hash("sha256", "unknown")}/checkpoint`)).status, 404);
  });

  it("refuses what is not a request, is too long, or comes another way", async () => {
    for (const body of ["", "old 0\n", "old 0\n\n", "old 00\n\n", `old 0\n\n${"x".repeat(60_000)}`, "old 20\n\nassay.example\n5\nAAAA\n\n— a AAAAAAAA\n"]) assert.equal((await post(body)).status, 400, body.slice(0, 30));
    assert.equal((await post("x".repeat(65_537))).status, 413);
    assert.equal((await fetch(`${witness.address}/add-checkpoint`, { method: "POST", body: Uint8Array.of(0xff, 0xfe) })).status, 413);
    assert.equal((await fetch(`${witness.address}/add-checkpoint`)).status, 405);
    assert.equal((await fetch(`${witness.address}/`)).status, 404);
  });

  it("reads no more of an endless body than it takes", async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const sending = httpRequest(`${witness.address}/add-checkpoint`, { method: "POST" }, ({ statusCode }) => resolve(statusCode!));
    sending.on("error", () => {});
    const chunk = "x".repeat(16 * 1024);
    let isAnswered = false;
    void promise.then(() => (isAnswered = true));
    // An endless sender: only the answer stops it.
    const more = (): void => {
      if (isAnswered || sending.destroyed) return void sending.destroy();
      if (sending.write(chunk)) setImmediate(more);
      else sending.once("drain", more);
    };
    more();
    assert.equal(await promise, 413);
    assert.equal((await ask({ oldSize: 20, size: 20 })).status, 200);
  });

  it("keeps its key to itself, and keeps the same one", async () => {
    const file = join(folder, "witness.key");
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal((await readOrMakeWitnessKey(file, name)).vkey, key.vkey);
    chmodSync(file, 0o640);
    await assert.rejects(readOrMakeWitnessKey(file, name), { name: "WitnessKeyError", message: /can be read by others/ });
    chmodSync(file, 0o600);
    const other = join(folder, "other.key");
    writeFileSync(other, "not a key", { mode: 0o600 });
    await assert.rejects(readOrMakeWitnessKey(other, name), { name: "WitnessKeyError", message: /does not contain an Ed25519 key/ });
    await assert.rejects(readOrMakeWitnessKey(file, "two words"), { name: "TlogError" });
  });
});
