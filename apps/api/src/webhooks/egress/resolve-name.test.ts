import assert from "node:assert/strict";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { after, describe, it } from "node:test";
import { openResolver } from "./resolve-name.ts";

const timeout = 60_000;
const typeA = 1;
const typeAaaa = 28;
const servers: Socket[] = [];
after(() => servers.forEach((server) => server.close()));

/** A name server on loopback: gives these records, of each type apart; undefined: it never answers, "broken": it fails. */
async function openNameServer(recordsOf: (type: number) => Uint8Array[] | "broken" | undefined) {
  const server = createSocket("udp4");
  servers.push(server);
  let queries = 0;
  server.on("message", (query, peer) => {
    queries += 1;
    // The question: labels up to an empty one, then type and class.
    const end = query.indexOf(0, 12) + 5;
    const records = recordsOf(query.readUInt16BE(end - 4));
    if (!records) return;
    const isBroken = records === "broken";
    const list = isBroken ? [] : records;
    const header = Buffer.from([query[0]!, query[1]!, 0x81, isBroken ? 0x82 : 0x80, 0, 1, 0, list.length, 0, 0, 0, 0]);
    const answers = list.map((bytes) => Buffer.from([0xc0, 12, 0, bytes.length === 4 ? typeA : typeAaaa, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]));
    server.send(Buffer.concat([header, query.subarray(12, end), ...answers]), peer.port, peer.address);
  });
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  return { resolve: openResolver([`127.0.0.1:${server.address().port}`]), queries: () => queries };
}

const options = () => ({ isOperators: false, signal: new AbortController().signal });
const loopback6 = new Uint8Array(16).fill(1, 15);

describe("the resolver", () => {
  it("gives all addresses of both families, so that all can be judged [threat: ssrf]", { timeout }, async () => {
    const { resolve } = await openNameServer((type) => (type === typeA ? [Uint8Array.of(93, 184, 215, 14), Uint8Array.of(10, 0, 0, 1)] : [loopback6]));
    assert.deepEqual((await resolve("hooks.example.com", options())).toSorted(), ["10.0.0.1", "93.184.215.14", "::1"].toSorted());
  });

  it("is content with one family if the other fails", { timeout }, async () => {
    const { resolve } = await openNameServer((type) => (type === typeA ? [Uint8Array.of(93, 184, 215, 14)] : "broken"));
    assert.deepEqual(await resolve("hooks.example.com", options()), ["93.184.215.14"]);
    const { resolve: resolveNone } = await openNameServer(() => []);
    assert.deepEqual(await resolveNone("hooks.example.com", options()), []);
  });

  it("stops asking a silent server when the exchange is over", { timeout }, async () => {
    const { resolve, queries } = await openNameServer(() => undefined);
    const controller = new AbortController();
    const found = resolve("hooks.example.com", { isOperators: false, signal: controller.signal });
    while (queries() < 2) await new Promise(setImmediate);
    controller.abort();
    assert.deepEqual(await found, []);
    assert.equal(queries(), 2, "a query that is not cancelled is repeated before it is given up");
  });

  it("asks the system for operators' names, which knows those of the local network", { timeout }, async () => {
    const { resolve, queries } = await openNameServer(() => []);
    assert.ok((await resolve("localhost", { ...options(), isOperators: true })).length > 0);
    assert.equal(queries(), 0);
  });
});
