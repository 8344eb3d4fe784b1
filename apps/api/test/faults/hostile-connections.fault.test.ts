/** Attacks on the connection level against the real server, while another client must be served all the time. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import type { Socket } from "node:net";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeAccount, type TestAccount, vastTier } from "../make-account.ts";
import { exchangeBytes, openConnection, statusesIn } from "../exchange-bytes.ts";
import { goodBody, waitUntil } from "../send.ts";
import { startService, type TestService } from "../start-service.ts";
import { assertFewShed, findShedCalls } from "./rig/count-shed.ts";
import { affordableConnections, countConnections, countFiles, dribble, type Ended, openConnections, watchEnd } from "./rig/attacks.ts";

const idleWanted = 10_000;
const idleMin = 2_000;
const slowCount = 50;
/** The server allows 10 s for headers and 30 s for a request, checked every 2 s; the rest is slack for a busy machine. */
const endMsMax = 75_000;
/** Until the good client has had a number of answers, however slow the machine is. */
const servedMsMax = 300_000;
const dribbleMs = 500;
const pipelined = 20_000;
/** A node needs 60 MiB by itself. The requests above, all of them in memory, need 160 MiB more. */
const smallHeapMiB = 128;
/** Connections that read nothing, each with as many requests as it may send ahead. */
const deafCount = 60;
const aheadCount = 255;
/** Calls of the good client in all. */
const callsMin = 500;

const goodText = JSON.stringify(goodBody);
const live = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";

const residentBytes = (pid: number): number => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;

/** A well-behaved client: one call after another on one connection. */
function startGoodClient(service: TestService, key: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const statuses: number[] = [];
  const stopping = new AbortController();
  const callOnce = async () => {
    const outgoing = request(`${service.url}/api/ml/predict`, { method: "POST", agent, headers: { "x-api-key": key, "content-type": "application/json" } });
    outgoing.end(goodText);
    const [answer] = (await once(outgoing, "response")) as [NodeJS.ReadableStream & { statusCode: number }];
    answer.resume();
    await once(answer, "end");
    statuses.push(answer.statusCode);
    // The wait that a 503 asks for.
    if (answer.statusCode === 503) await sleep(1_000);
  };
  const running = (async () => {
    while (!stopping.signal.aborted) await callOnce();
  })();
  return {
    statuses,
    async stop() {
      stopping.abort();
      await running;
      agent.destroy();
    },
  };
}

describe("a hostile connection", () => {
  let service: TestService;
  let account: TestAccount;
  let goodClient: ReturnType<typeof startGoodClient>;
  let slow: Record<"headers" | "body", Promise<Ended>[]> & { readers: Socket[] };
  /** Open connections of the service with only the good client. */
  let connectionsAtStart: number;

  const headOf = (more: string) => `POST /api/ml/predict HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${account.liveKey}\r\nContent-Type: application/json\r\n${more}`;
  const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

  before(async () => {
    service = await startService();
    account = await makeAccount({ dataDir: service.dataDir, databaseUrl: undefined }, { tier: vastTier });
    goodClient = startGoodClient(service, account.liveKey);
    await waitUntil(() => goodClient.statuses.length > 10, "the good client is served");
    connectionsAtStart = countConnections(service.pid);
    const [headers, body, readers] = [await openConnections(service, slowCount), await openConnections(service, slowCount), await openConnections(service, slowCount)];
    for (const socket of headers) dribble(socket, headOf(`X-Filling: ${"a".repeat(4_000)}`), dribbleMs);
    for (const socket of body) {
      socket.write(headOf(`Content-Length: ${goodText.length + 4_000}\r\n\r\n`));
      dribble(socket, goodText + " ".repeat(4_000), dribbleMs);
    }
    // Answers of megabytes together, of which not a byte is read.
    for (const socket of readers) socket.pause().write("GET /docs HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(40));
    const watch = (sockets: Socket[]) => sockets.map((socket) => watchEnd(socket, endMsMax));
    slow = { headers: watch(headers), body: watch(body), readers };
  });
  after(async () => {
    for (const socket of slow?.readers ?? []) socket.destroy();
    await goodClient?.stop();
    await service?.stop();
  });

  it("with an ambiguous request is refused, and a smuggled request is never processed [threat: request-smuggling]", async () => {
    const hidden = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const { length } = goodText;
    const shapes: Record<string, string> = {
      "length and chunks": headOf(`Content-Length: ${length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`),
      "chunks and length": headOf(`Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${hidden}`),
      "two lengths": headOf(`Content-Length: 5\r\nContent-Length: ${length}\r\n\r\n${goodText}${hidden}`),
      "the same length twice": headOf(`Content-Length: ${length}\r\nContent-Length: ${length}\r\n\r\n${goodText}${hidden}`),
      "a list of lengths": headOf(`Content-Length: ${length}, ${length}\r\n\r\n${goodText}${hidden}`),
      "a signed length": headOf(`Content-Length: +${length}\r\n\r\n${goodText}${hidden}`),
      "a negative length": headOf(`Content-Length: -1\r\n\r\n${hidden}`),
      "a hexadecimal length": headOf(`Content-Length: 0x10\r\n\r\n${hidden}`),
      "a length beyond 64 bits": headOf(`Content-Length: 99999999999999999999999\r\n\r\n${hidden}`),
      "a space before the colon": headOf(`Content-Length : ${length}\r\n\r\n${goodText}${hidden}`),
      identity: headOf(`Transfer-Encoding: identity\r\n\r\n${hidden}`),
      xchunked: headOf(`Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`),
      "chunked, identity": headOf(`Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`),
      "gzip, chunked": headOf(`Transfer-Encoding: gzip, chunked\r\n\r\n${chunked(goodText)}${hidden}`),
      "two codings": headOf(`Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${hidden}`),
      "a vertical tab before chunked": headOf(`Transfer-Encoding: \u000bchunked\r\n\r\n0\r\n\r\n${hidden}`),
      "a folded line": headOf(`X-A: b\r\n c\r\nContent-Length: ${length}\r\n\r\n${goodText}${hidden}`),
      "a folded coding": headOf(`Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${hidden}`),
      "bare line feeds": headOf(`Content-Length: 0\r\n\r\n`).replaceAll("\r\n", "\n") + hidden,
      "one bare line feed": headOf(`X-A: b\nContent-Length: ${length}\r\n\r\n${goodText}${hidden}`),
      "a bare carriage return": headOf(`X-A: b\rTransfer-Encoding: chunked\r\nContent-Length: ${length}\r\n\r\n${goodText}${hidden}`),
      "a NUL in a header": headOf(`X-A: a\0b\r\nContent-Length: ${length}\r\n\r\n${goodText}${hidden}`),
      "a header without a name": headOf(`: b\r\nContent-Length: ${length}\r\n\r\n${goodText}${hidden}`),
      "an invalid chunk size": headOf(`Transfer-Encoding: chunked\r\n\r\nzz\r\n${goodText}\r\n0\r\n\r\n${hidden}`),
      "a chunk size with 0x": headOf(`Transfer-Encoding: chunked\r\n\r\n0x${chunked(goodText)}${hidden}`),
      "a chunk size beyond 64 bits": headOf(`Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n${hidden}`),
      "a chunk without its terminator": headOf(`Transfer-Encoding: chunked\r\n\r\n${length.toString(16)}\r\n${goodText}0\r\n\r\n${hidden}`),
      "a bare line feed after a chunk extension": headOf(`Transfer-Encoding: chunked\r\n\r\n${length.toString(16)};a\n${goodText}\r\n0\r\n\r\n${hidden}`),
      "an oversized chunk extension": headOf(`Transfer-Encoding: chunked\r\n\r\n1;${"a".repeat(20_000)}\r\n{\r\n0\r\n\r\n${hidden}`),
      "no Host": `GET /health/live HTTP/1.1\r\n\r\n${hidden}`,
      "two Hosts": `GET /health/live HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n${hidden}`,
      "chunks in HTTP/1.0": headOf(`Transfer-Encoding: chunked\r\n\r\n${chunked(goodText)}${hidden}`).replace("HTTP/1.1", "HTTP/1.0"),
      "HTTP/0.9": `GET /health/live\r\n\r\n${hidden}`,
      "HTTP/2.0": `GET /health/live HTTP/2.0\r\nHost: localhost\r\n\r\n${hidden}`,
      "the HTTP/2 preface": `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden}`,
      TLS: `\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003${hidden}`,
    };
    for (const [name, bytes] of Object.entries(shapes)) {
      const received = await exchangeBytes(service, Buffer.from(bytes, "latin1"), () => false);
      assert.deepEqual(statusesIn(received), [400], name);
      assert.match(received, /^x-request-id: req_/im, name);
      assert.match(received, /^connection: close/im, name);
      assert.match(received, /"error":"invalid_request"/, name);
    }
  });

  it("with an unusual but unambiguous request is answered, and so is the next request", async () => {
    const shapes: Record<string, [bytes: string, statuses: number[]]> = {
      "a chunk extension": [headOf(`Transfer-Encoding: chunked\r\n\r\n${goodText.length.toString(16)};a=b;c="d"\r\n${goodText}\r\n0\r\n\r\n`), [200]],
      "chunked in capitals": [headOf(`Transfer-Encoding: ChunKed\r\n\r\n${chunked(goodText)}`), [200]],
      "a trailer that looks like a key": [headOf(`Transfer-Encoding: chunked\r\n\r\n${goodText.length.toString(16)}\r\n${goodText}\r\n0\r\nX-API-Key: other\r\n\r\n`), [200]],
      "an expectation": [headOf(`Expect: 100-continue\r\nContent-Length: ${goodText.length}\r\n\r\n${goodText}`), [100, 200]],
      "an unknown expectation": [headOf(`Expect: the-unexpected\r\nContent-Length: ${goodText.length}\r\n\r\n${goodText}`), [200]],
      "a GET with a body": [`GET /health/live HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${live.length}\r\n\r\n${live}`, [200]],
      "an unsupported method": ["TRACE /api/status HTTP/1.1\r\nHost: localhost\r\nCookie: secret\r\n\r\n", [405]],
    };
    for (const [name, [bytes, statuses]] of Object.entries(shapes)) {
      const expected = [...statuses, 200];
      const received = await exchangeBytes(service, bytes + live, (text) => statusesIn(text).length === expected.length);
      assert.deepEqual(statusesIn(received), expected, name);
      assert(!received.includes("secret"), "nothing that was sent is echoed");
    }
  });

  it("with an oversized URL or oversized headers is refused [threat: oversized-request]", async () => {
    for (const bytes of [`GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, headOf(`X-A: ${"a".repeat(20_000)}\r\n\r\n`), headOf(`${"a:\r\n".repeat(5_000)}\r\n`)]) {
      const received = await exchangeBytes(service, bytes, () => false);
      assert.deepEqual(statusesIn(received), [431]);
      assert.match(received, /^x-request-id: req_/im);
    }
  });

  it("that sends garbage after a call gets the answer to the call and nothing else [threat: misplaced-error]", async () => {
    const call = headOf(`Content-Length: ${goodText.length}\r\n\r\n${goodText}`);
    const received = await exchangeBytes(service, `${call}garbage\r\n\r\n`, () => false);
    assert.deepEqual(statusesIn(received), [200], "an error would be taken for the answer to a billed call");
    assert.match(received, /^assay-receipt: \d+\./im);
  });

  it("that is refused, half-closed or reset is closed, whatever its client does", async () => {
    const held = countConnections(service.pid);
    const call = headOf(`Content-Length: ${goodText.length}\r\n\r\n${goodText}`);
    const refused = await openConnections(service, 100);
    for (const socket of refused) {
      socket.allowHalfOpen = true;
      socket.write("garbage\r\n\r\n");
    }
    const half = await openConnections(service, 100);
    for (const socket of half) {
      socket.allowHalfOpen = true;
      socket.end(call);
    }
    for (const bytes of ["", headOf("X-A"), headOf("Content-Length: 500\r\n\r\n{"), call]) {
      for (const socket of await openConnections(service, 100)) socket.write(bytes, () => socket.resetAndDestroy());
    }
    await waitUntil(() => countConnections(service.pid) <= held, "the service has closed them all", endMsMax);
    assert.equal(service.logs().includes("internal_error"), false);
    for (const socket of [...refused, ...half]) socket.destroy();
  });

  it("that pipelines thousands of requests is closed before it costs much memory [threat: pipelining-flood]", async () => {
    const flood = async (at: TestService) => {
      const socket = await openConnection(at);
      const end = watchEnd(socket, endMsMax);
      socket.write("GET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(pipelined));
      return (await end).isClosed;
    };
    const isClosed = flood(service);
    const had = goodClient.statuses.length;
    await waitUntil(() => goodClient.statuses.length > had + 100, "the good client is served meanwhile", servedMsMax);
    assert(await isClosed);
    // Memory that is taken cannot be told from garbage, but where there is little of it, a node that takes more dies.
    const small = await startService({ env: { NODE_OPTIONS: `--max-old-space-size=${smallHeapMiB}` } });
    try {
      assert(await flood(small));
      const answer = await exchangeBytes(small, live, (text) => statusesIn(text).length === 1);
      assert.deepEqual([statusesIn(answer), small.child.signalCode], [[200], null], small.logs());
    } finally {
      await small.stop();
    }
  });

  it("that reads none of its answers costs one answer and one file, however many requests it has sent ahead [threat: unread-answers]", async (test) => {
    const small = await startService({ env: { NODE_OPTIONS: `--max-old-space-size=${smallHeapMiB}` } });
    try {
      const answerLive = () => exchangeBytes(small, live, (text) => statusesIn(text).length === 1);
      assert.deepEqual(statusesIn(await answerLive()), [200]);
      const had = { bytes: residentBytes(small.pid), files: countFiles(small.pid) };
      for (const path of ["/model-card", "/docs"]) {
        const deaf = await openConnections(small, deafCount);
        for (const socket of deaf) socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(aheadCount));
        for (let round = 0; round < 10; round += 1) assert.deepEqual(statusesIn(await answerLive()), [200], path);
        const files = countFiles(small.pid) - had.files;
        const mebibytes = Math.round((residentBytes(small.pid) - had.bytes) / 2 ** 20);
        test.diagnostic(`${path}: ${files} more descriptors, ${mebibytes} MiB more`);
        assert(files <= 2 * deafCount + 20, `${files} more descriptors`);
        assert(mebibytes < 2 * smallHeapMiB, `${mebibytes} MiB more`);
        for (const socket of deaf) socket.destroy();
      }
      const ahead = Array.from({ length: aheadCount }, (_, index) => (index % 3 === 0 ? "/model-card" : index % 3 === 1 ? "/nothing" : "/docs"));
      const all = await exchangeBytes(small, ahead.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(""), (text) => statusesIn(text).length === aheadCount);
      assert.deepEqual(statusesIn(all), ahead.map((path) => (path === "/nothing" ? 404 : 200)));
      assert.deepEqual([small.child.exitCode, small.child.signalCode], [null, null], small.logs());
    } finally {
      await small.stop();
    }
  });

  it("that pipelines a few requests gets all answers in order", async () => {
    const few = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? live : "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    const received = await exchangeBytes(service, few.join(""), (text) => statusesIn(text).length === few.length);
    assert.deepEqual(statusesIn(received), few.map((bytes) => (bytes === live ? 200 : 404)));
  });

  it("that is one of thousands of idle ones is closed if it never sent a request, while others are served [threat: idle-connections]", async (test) => {
    const count = affordableConnections(idleWanted);
    assert(count >= idleMin, `this process's file limit permits only ${count} connections`);
    const hadBytes = residentBytes(service.pid);
    const ends: Promise<Ended>[] = [];
    let answered = 0;
    const talkers = await openConnections(service, count / 2, (socket) => {
      socket.once("data", () => {
        answered += 1;
      });
      socket.write(live);
    });
    await openConnections(service, count / 2, (socket) => ends.push(watchEnd(socket, endMsMax)));
    await waitUntil(() => answered === talkers.length, "every connection with a request is answered", endMsMax);
    test.diagnostic(`${count} idle connections (${idleWanted} wanted, bounded by this process's file limit): ${Math.round((residentBytes(service.pid) - hadBytes) / 2 ** 20)} MiB`);
    const had = goodClient.statuses.length;
    await waitUntil(() => goodClient.statuses.length > had + 100, "the good client is served meanwhile", servedMsMax);
    for (const { isClosed, received } of await Promise.all(ends)) assert.deepEqual([isClosed, statusesIn(received)], [true, [408]]);
    assert.equal(talkers.filter(({ destroyed }) => destroyed).length, 0, "connections that have sent a request stay open");
    for (const socket of talkers) socket.destroy();
  });

  it("with slow headers, a slow body or slow reading is closed without an effect [threat: slow-connection]", async (test) => {
    for (const { isClosed, received } of await Promise.all(slow.headers)) assert.deepEqual([isClosed, statusesIn(received)], [true, [408]], "headers");
    for (const { isClosed, received } of await Promise.all(slow.body)) assert.deepEqual([isClosed, statusesIn(received)], [true, [408]], "body");
    await waitUntil(() => countConnections(service.pid) <= connectionsAtStart, "the slow readers are closed too", endMsMax);
    await waitUntil(() => goodClient.statuses.length > callsMin, "the good client was served many times", servedMsMax);
    await goodClient.stop();
    const calls = goodClient.statuses.length;
    const shed = goodClient.statuses.filter((status) => status === 503).length;
    assert.deepEqual(goodClient.statuses.filter((status) => status !== 200 && status !== 503), []);
    await waitUntil(() => findShedCalls(service.logs()).size >= shed, "every 503 is logged as shed");
    assertFewShed({ shed, calls }, (line) => test.diagnostic(line));
  });
});
