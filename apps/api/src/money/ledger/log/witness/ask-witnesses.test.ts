import { formatCheckpoint, openCheckpoint } from "@assay/tlog/checkpoint.ts";
import { formatNote, formatSignatureLine, parseNote, parseVerifierKey } from "@assay/tlog/note.ts";
import { TestSigner } from "@assay/tlog/testing/test-signer.ts";
import { formatWitnessRequest, parseWitnessRequest } from "@assay/tlog/witness-request.ts";
import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { describeBothStores } from "../../../../../test/both-stores.ts";
import { addEntries, extend, logContextOf } from "../../../../../test/log/log-context.ts";
import { makeAccount } from "../../../../../test/make-account.ts";
import { makeTestFolder } from "../../../../../test/start-service.ts";
import type { Store } from "../../../../store/store.ts";
import { openLogSigner, readLogKeys } from "../log-keys.ts";
import { selectLogs } from "../log.table.ts";
import { readCheckpoint } from "../read-log.ts";
import { readLogStatus } from "./read-log-status.ts";
import { askWitnesses, describeAsked, readWitnessStates, type Witness } from "./ask-witnesses.ts";
import { readWitnesses } from "./read-witnesses.ts";
import { serveWitness } from "./serve-witness.ts";
import { readOrMakeWitnessKey } from "./witness-key.ts";
import { openWitnessMemory } from "./witness-memory.ts";

/** Not reached by an answer that comes: only the hanging witness waits for it. */
const answerMsMax = 3_000;

describeBothStores("asking witnesses", (open) => {
  const closers: (() => unknown)[] = [];
  let liar: TestSigner;
  before(async () => {
    liar = await TestSigner.witness("liar.example");
  });
  after(async () => {
    for (const close of closers.toReversed()) await close();
  });

  async function serve(answer: RequestListener): Promise<{ server: Server; url: string }> {
    const server = createServer(answer).listen(0, "127.0.0.1");
    closers.push(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server, "listening");
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  /** A witness of this program that knows the store's log, and its memory. */
  async function startWitness(store: Store, name = "honest.example/w1"): Promise<Witness & { folder: string; stop: () => Promise<void> }> {
    const folder = makeTestFolder();
    const key = await readOrMakeWitnessKey(join(folder, "witness.key"), name);
    const memory = openWitnessMemory(join(folder, "witness.sqlite"));
    const { origin } = await selectLogs(store.db).limit(1).executeTakeFirstOrThrow();
    const logKeys = await Promise.all((await readLogKeys(logContextOf(store), origin)).map(({ vkey }) => parseVerifierKey(vkey)));
    const witness = await serveWitness({ key, logKeys, memory, nowMs: Date.now }, { host: "127.0.0.1", port: 0, onAnswer: () => {}, onError: () => {} });
    const stop = async () => {
      await witness.stop();
      memory.close();
    };
    closers.push(() => stop().catch(() => {}));
    return { name, key: await parseVerifierKey(key.vkey), url: witness.address, folder, stop };
  }

  /** A witness under the liar's key that answers as it is told. */
  async function startLiar(answer: (body: string) => { status: number; text: string }, shown?: () => string): Promise<Witness> {
    const { url } = await serve((request, response) => {
      if (request.method === "GET") return void response.writeHead(shown ? 200 : 404).end(shown?.());
      let body = "";
      request.setEncoding("utf8").on("data", (text: string) => (body += text));
      request.on("end", () => {
        const { status, text } = answer(body);
        response.writeHead(status).end(text);
      });
    });
    return { name: "liar", key: await parseVerifierKey(liar.vkey), url };
  }

  const ask = (store: Store, ...witnesses: Witness[]) => askWitnesses({ ...logContextOf(store), witnesses, answerMsMax });

  /** A store with a log of so many entries. */
  async function openLogged(count: number): Promise<{ store: Store; accountId: string }> {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: Date.now() });
    await addEntries(store, accountId, count);
    await extend(store);
    return { store, accountId };
  }

  async function grow({ store, accountId }: { store: Store; accountId: string }, count: number): Promise<void> {
    await addEntries(store, accountId, count);
    await extend(store);
  }

  const cosignaturesOf = (store: Store) => store.db.selectFrom("log_cosignatures").select(["size", "witness"]).orderBy("size").orderBy("witness").execute();
  const originsOf = async (store: Store) => (await selectLogs(store.db).execute()).map(({ origin }) => origin);

  it("keeps the cosignatures of all, whatever they have cosigned before", async () => {
    const logged = await openLogged(5);
    const { store } = logged;
    assert.deepEqual(await askWitnesses({ ...logContextOf((await open()).store), witnesses: [] }), []);
    const one = await startWitness(store);
    const other = await startWitness(store, "honest.example/w2");
    assert.deepEqual((await ask(store, one)).map(({ outcome }) => outcome), ["cosigned"]);
    await grow(logged, 300);
    assert.deepEqual((await ask(store, one, other)).map(({ outcome }) => outcome), ["cosigned", "cosigned"]);
    assert.deepEqual((await ask(store, one, other)).map(({ outcome }) => outcome), ["nothing_new", "nothing_new"]);
    const { note, origin } = (await readCheckpoint(store))!;
    const logKeys = (await readLogKeys(logContextOf(store), origin)).map(({ vkey }) => vkey);
    const keys = { logKeys, witnessKeys: (await readLogStatus(store, { witnesses: [one, other], nowMs: Date.now() }))!.witnesses.map(({ key }) => key) };
    assert.deepEqual((await openCheckpoint(note, keys)).witnessedBy.map(({ name }) => name), ["honest.example/w1", "honest.example/w2"]);
    assert.deepEqual((await cosignaturesOf(store)).map(({ size }) => size), [5, 305, 305]);
  });

  it("finds out what a witness has cosigned when the answer got lost", async () => {
    const logged = await openLogged(5);
    const { store } = logged;
    const witness = await startWitness(store);
    // The witness gets the request; its answer does not arrive.
    const lost = await serve((request, response) => {
      const passed = readAll(request).then((body) => fetch(`${witness.url}${request.url}`, { method: "POST", body }));
      void passed.finally(() => response.destroy());
    });
    assert.deepEqual((await ask(store, { ...witness, url: lost.url })).map(({ outcome }) => outcome), ["failed"]);
    await grow(logged, 4);
    assert.deepEqual((await ask(store, witness)).map(({ outcome }) => outcome), ["cosigned"]);
    assert.deepEqual((await cosignaturesOf(store)).map(({ size }) => size), [9]);
  });

  it("keeps nothing that the witness's key has not signed for this checkpoint [threat: false-witness]", async () => {
    const { store } = await openLogged(5);
    const stranger = await TestSigner.witness(liar.name);
    const textOf = (body: string) => parseNote(parseWitnessRequest(body).checkpointNote).text;
    const lineOf = (signer: TestSigner, text: string) => formatSignatureLine(signer.sign(text, 1_800_000_000));
    const lies: ((body: string) => { status: number; text: string })[] = [
      (body) => ({ status: 200, text: lineOf(liar, textOf(body).replace("\n5\n", "\n6\n")) }),
      (body) => ({ status: 200, text: lineOf(stranger, textOf(body)) }),
      (body) => ({ status: 200, text: lineOf(liar, textOf(body)).trimEnd() }),
      (body) => ({ status: 200, text: `${lineOf(liar, textOf(body))}\n` }),
      () => ({ status: 200, text: "" }),
      () => ({ status: 200, text: "<html>" }),
      () => ({ status: 409, text: "5" }),
      () => ({ status: 409, text: "-1\n" }),
      () => ({ status: 409, text: "3\n" }),
      () => ({ status: 302, text: "" }),
      () => ({ status: 500, text: "" }),
    ];
    for (const lie of lies) {
      const [asked] = await ask(store, await startLiar(lie));
      assert.equal(asked!.outcome, "failed", asked!.detail);
    }
    assert.deepEqual(await cosignaturesOf(store), []);
    assert.deepEqual((await ask(store, await startLiar((body) => ({ status: 200, text: lineOf(stranger, textOf(body)) + lineOf(liar, textOf(body)) })))).map(({ outcome }) => outcome), ["cosigned"]);
    assert.equal((await readCheckpoint(store))!.cosignatures.length, 1, "a line of a key that nobody trusts is not kept");
  });

  it("waits for no witness that hangs, is away, or sends without end [threat: hanging-witness]", async () => {
    const { store } = await openLogged(5);
    const honest = await startWitness(store);
    const key = await parseVerifierKey(liar.vkey);
    const silent = await serve(() => {});
    let sentBytes = 0;
    const endless = await serve((request, response) => {
      request.resume();
      response.writeHead(200);
      const chunk = Buffer.alloc(64 * 1024, "x");
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) sentBytes += chunk.length;
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    const trickling = await serve((request, response) => {
      request.resume();
      response.writeHead(200);
      const timer = setInterval(() => response.write("x"), 50);
      response.on("close", () => clearInterval(timer));
    });
    const asked = await ask(store, honest, { name: "silent", key, url: silent.url }, { name: "endless", key, url: endless.url }, { name: "trickling", key, url: trickling.url }, { name: "away", key, url: "http://127.0.0.1:1" });
    assert.deepEqual(asked.map(({ outcome }) => outcome), ["cosigned", "failed", "failed", "failed", "failed"]);
    assert(sentBytes < 64 * 1024 * 1024, `${sentBytes} bytes were read`);
    assert.match(describeAsked(asked), /^1 of 5 witnesses have signed the newest checkpoint; silent: .*; endless: its answer is longer .* not text; trickling: .*; away: /);
  });

  it("tells for how long each witness has been away", async () => {
    const logged = await openLogged(5);
    const { store } = logged;
    const witness = await startWitness(store);
    const away = { name: "away", key: await parseVerifierKey(liar.vkey), url: "http://127.0.0.1:1" };
    await ask(store, witness);
    const [cosigned] = await store.db.selectFrom("log_cosignatures").select("at").execute();
    const { opened_at: openedMs } = await selectLogs(store.db).limit(1).executeTakeFirstOrThrow();
    const states = (nowMs: number) => readWitnessStates(store, { witnesses: [witness, away], nowMs });
    const laterMs = Date.now() + 60_000;
    assert.deepEqual(await states(laterMs), [
      { name: witness.name, lastMs: cosigned!.at, behindMs: 0 },
      { name: "away", lastMs: undefined, behindMs: laterMs - openedMs },
    ]);
    await grow(logged, 1);
    assert.deepEqual((await states(laterMs)).map(({ behindMs }) => behindMs), [laterMs - cosigned!.at, laterMs - openedMs]);
  });

  it("opens a new log when a witness shows a checkpoint of ours that the store does not have [threat: remembered-outside]", async () => {
    const { store } = await openLogged(5);
    const [origin] = (await originsOf(store)) as [string];
    const sign = await openLogSigner(logContextOf(store), origin);
    // What this installation signed before its store was put back.
    const root = Buffer.alloc(32, 7);
    const signed = (size: number) => {
      const text = formatCheckpoint({ origin, size, root });
      return formatNote({ text, signatures: sign(text) });
    };
    // Its word alone is not enough, nor is a checkpoint that somebody else has signed.
    const imposter = await TestSigner.log(origin);
    for (const shown of [undefined, () => imposter.signCheckpoint({ size: 9, root: Buffer.alloc(32, 7) }), () => "nothing", () => signed(9).replace("\n9\n", "\n8\n")]) {
      const [asked] = await ask(store, await startLiar(() => ({ status: 409, text: "9\n" }), shown));
      assert.equal(asked!.outcome, "failed");
    }
    assert.deepEqual(await originsOf(store), [origin]);
    const [behind] = await ask(store, await startLiar(() => ({ status: 409, text: "9\n" }), () => signed(9)));
    assert.deepEqual([behind!.outcome, behind!.detail], ["contradicted", "the database is behind the checkpoint of size 9"]);
    assert.deepEqual(await originsOf(store), [`${origin}/2`, origin]);
    await extend(store);
    assert.equal((await readCheckpoint(store))!.origin, `${origin}/2`);
  });

  it("opens a new log when a witness refuses ours for another one of the same size", async () => {
    const { store } = await openLogged(5);
    const [origin] = (await originsOf(store)) as [string];
    const sign = await openLogSigner(logContextOf(store), origin);
    const text = formatCheckpoint({ origin, size: 5, root: Buffer.alloc(32, 7) });
    const note = formatNote({ text, signatures: sign(text) });
    const own = (await readCheckpoint(store))!.note;
    // A witness that refuses what continues the very checkpoint it shows is wrong, not we.
    assert.deepEqual((await ask(store, await startLiar(() => ({ status: 422, text: "" }), () => own))).map(({ outcome }) => outcome), ["failed"]);
    assert.deepEqual(await originsOf(store), [origin]);
    const [asked] = await ask(store, await startLiar(() => ({ status: 422, text: "" }), () => note));
    assert.deepEqual([asked!.outcome, asked!.detail], ["contradicted", "the database contradicts the checkpoint of size 5"]);
    assert.deepEqual(await originsOf(store), [`${origin}/2`, origin]);
  });

  it("finds by an honest witness that the store was put back [threat: remembered-outside]", async () => {
    const { store } = await openLogged(5);
    const witness = await startWitness(store);
    const [origin] = (await originsOf(store)) as [string];
    const text = formatCheckpoint({ origin, size: 9, root: Buffer.alloc(32, 7) });
    const checkpointNote = formatNote({ text, signatures: (await openLogSigner(logContextOf(store), origin))(text) });
    const shown = await fetch(`${witness.url}/add-checkpoint`, { method: "POST", body: formatWitnessRequest({ oldSize: 0, path: [], checkpointNote }) });
    assert.equal(shown.status, 200);
    assert.deepEqual((await ask(store, witness)).map(({ outcome }) => outcome), ["contradicted"]);
    await extend(store);
    // The witness follows the installation to its new log.
    assert.deepEqual((await ask(store, witness)).map(({ outcome }) => outcome), ["cosigned"]);
    assert.deepEqual(await originsOf(store), [`${origin}/2`, origin]);
  });
});

describe("the file of LOG_WITNESSES", () => {
  it("lists witnesses with their addresses, and is refused with one line", async () => {
    const folder = makeTestFolder();
    const witness = await TestSigner.witness("w.example");
    const read = async (text: string) => {
      const file = join(folder, "witnesses.txt");
      writeFileSync(file, text);
      return readWitnesses(file);
    };
    const witnesses = await read(`# ours\nwitness w1 ${witness.vkey} https://w.example/\n`);
    assert(typeof witnesses !== "string");
    assert.deepEqual(witnesses.map(({ name, url, key }) => [name, url, key.name]), [["w1", "https://w.example", "w.example"]]);
    assert.match((await read(`witness w1 ${witness.vkey}\n`)) as string, /witnesses\.txt has no address for the witness w1$/);
    assert.match((await read("w1\n")) as string, /witnesses\.txt: Line 1: “w1” is not/);
    assert.match((await readWitnesses(join(folder, "missing"))) as string, /missing cannot be read \(ENOENT\)$/);
    const many = await Promise.all(Array.from({ length: 33 }, async (_, each) => `witness w${each} ${(await TestSigner.witness(`w${each}.example`)).vkey} https://w.example\n`));
    assert.match((await read(many.join(""))) as string, /lists more than 32 witnesses$/);
  });
});
