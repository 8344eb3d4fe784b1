import { openCheckpoint } from "@assay/tlog/checkpoint.ts";
import { NaiveTree } from "@assay/tlog/testing/naive-tree.ts";
import { TestSigner } from "@assay/tlog/testing/test-signer.ts";
import { formatWitnessRequest } from "@assay/tlog/witness-request.ts";
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { assayOn } from "../../test/cli/run-assay.ts";
import { makeTestFolder, serviceEnvironment } from "../../test/start-service.ts";

type Started = { child: ChildProcess; address: string; name: string; key: string; logs: string[] };

const main = new URL("./main.ts", import.meta.url).pathname;
const name = "witness.example/w1";
const roundsOfKills = 3;
const sizeMax = 200;
const tree = NaiveTree.ofNumbers(sizeMax);
const fork = tree.withForgedLeaf(0);

describe("assay log witness", () => {
  const dataDir = makeTestFolder();
  const dir = join(dataDir, "witness");
  const assay = assayOn({ dataDir });
  const running = new Set<ChildProcess>();
  const servers: Server[] = [];
  let log: TestSigner;

  before(async () => {
    log = await TestSigner.log("assay.example/log");
  });
  after(async () => {
    for (const child of running) await end(child, "SIGKILL");
    for (const server of servers) server.close();
  });

  async function serve(answer: RequestListener): Promise<string> {
    const server = createServer(answer).listen(0, "127.0.0.1");
    servers.push(server);
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function start(...words: string[]): Promise<Started> {
    const child = spawn(process.execPath, [main, "log", "witness", "--json", "--name", name, "--dir", dir, "--port", "0", ...words], {
      env: serviceEnvironment({ dataDir }),
      stdio: ["ignore", "pipe", "inherit"],
    });
    running.add(child);
    let printed = "";
    for await (const text of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
      printed += text;
      if (printed.endsWith("\n")) break;
    }
    return { child, ...(JSON.parse(printed) as Omit<Started, "child">) };
  }

  async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
    running.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const exit = once(child, "exit") as Promise<[number | null]>;
    child.kill(signal);
    return (await exit)[0];
  }

  async function ask({ address }: Started, { oldSize, size, of = tree }: { oldSize: number; size: number; of?: NaiveTree }) {
    const body = formatWitnessRequest({ oldSize, path: of.consistencyPath(oldSize, size), checkpointNote: log.signCheckpoint({ size, root: of.root(size) }) });
    const response = await fetch(`${address}/add-checkpoint`, { method: "POST", body });
    return { status: response.status, text: await response.text() };
  }

  /** The size that the witness has cosigned last, by its own word, after it has refused a fork. */
  async function findRemembered(witness: Started, promised: number): Promise<number> {
    const { status, text } = await ask(witness, { oldSize: 0, size: sizeMax, of: fork });
    assert.equal(status, 409);
    const remembered = Number(text);
    // At most the one checkpoint more that it could not answer for.
    assert(remembered === promised || remembered === promised + 1, `${remembered} after ${promised}`);
    assert.equal((await ask(witness, { oldSize: remembered, size: sizeMax, of: fork })).status, 422);
    return remembered;
  }

  it("keeps what it has promised through kill -9 at any moment [threat: forked-log]", async () => {
    let promised = 0;
    let key: string | undefined;
    for (let round = 1; round <= roundsOfKills; round += 1) {
      const witness = await start("--log", log.vkey);
      key ??= witness.key;
      assert.deepEqual([witness.name, witness.key, witness.logs], [name, key, [log.name]]);
      const remembered = round === 1 ? 0 : await findRemembered(witness, promised);
      const killAt = remembered + 10 * round;
      for (let size = remembered; size < sizeMax - 1; size += 1) {
        if (size === killAt) witness.child.kill("SIGKILL");
        const answer = await ask(witness, { oldSize: size, size: size + 1 }).catch(() => undefined);
        if (!answer) break;
        assert.equal(answer.status, 200);
        promised = size + 1;
      }
      await end(witness.child, "SIGKILL");
      assert(promised >= killAt - 1 && promised < sizeMax - 1);
    }
    assert.equal(statSync(join(dir, "witness.key")).mode & 0o777, 0o600);
  });

  it("reads a log's keys from a file and from an installation, and stops when told to", async () => {
    const other = await TestSigner.log("other.example/log");
    const file = join(dataDir, "logs.txt");
    writeFileSync(file, `# two forms\n${log.vkey}\nlog ${other.vkey} https://other.example\n`);
    const url = await serve((request, response) => void response.writeHead(request.url === "/log/key" ? 200 : 404).end(`${log.vkey}\n`));
    const witness = await start("--log", file, url);
    assert.deepEqual(witness.logs, [log.name, other.name]);
    const size = Number((await ask(witness, { oldSize: 0, size: sizeMax })).text);
    const { text } = await ask(witness, { oldSize: size, size: sizeMax });
    const { witnessedBy } = await openCheckpoint(log.signCheckpoint({ size: sizeMax, root: tree.root(sizeMax) }) + text, { logKeys: [log.vkey], witnessKeys: [witness.key] });
    assert.deepEqual(witnessedBy.map((each) => each.name), [name]);
    assert.equal(await end(witness.child, "SIGTERM"), 0);
  });

  it("refuses what it cannot use, with one line", async () => {
    const empty = join(dataDir, "empty.txt");
    writeFileSync(empty, "# nothing\n");
    const url = await serve((_request, response) => void response.writeHead(401).end("{}"));
    const refusal = (...words: string[]) => assay.refusal("log", "witness", "--name", name, "--dir", dir, "--port", "0", ...words);
    assert.match(await refusal("--log", empty), /names no log/);
    assert.match(await refusal("--log", join(dataDir, "missing.txt")), /missing\.txt cannot be read or written \(ENOENT\)/);
    assert.match(await refusal("--log", log.vkey.slice(0, -4)), /The key cannot be used/);
    assert.match(await refusal("--log", (await TestSigner.witness("w.example")).vkey), /is the key of a witness/);
    assert.match(await refusal("--log", url), /answered 401: its log is not public/);
    assert.match(await refusal("--log", "http://127.0.0.1:1"), /does not answer/);
    assert.match(await refusal("--log", log.vkey, "--name", "two words"), /two words/);
    assert.match(await refusal("--log", log.vkey, "--port", "70000"), /whole number from 0 to 65535/);
  });
});
