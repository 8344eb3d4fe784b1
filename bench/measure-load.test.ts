import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { after, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { measureAtRate, measureLoad } from "./measure-load.ts";

const closers: (() => void)[] = [];
after(() => {
  for (const close of closers) close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  closers.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const call = { apiKey: "none", uniqueKeys: false };
const atRate = { ...call, seconds: 0.3, connections: 1, perSecond: 100 };

/** Answers nothing for a while after its first request, and everything at once from then on. */
function serveAfterStall(stallMs: number): Promise<string> {
  let stall: Promise<unknown> | undefined;
  return serve(async (_request, response) => {
    stall ??= sleep(stallMs);
    await stall;
    response.end("{}");
  });
}

describe("a load at a fixed rate", () => {
  it("counts latency from when a call was due, so that a stall shows in all calls that it delays", async () => {
    const load = await measureAtRate(await serveAfterStall(250), atRate);
    assert.deepEqual([load.calls, load.errors], [30, 0]);
    // There is one connection, and half of the calls were due at least 100 ms before the stall ended.
    assert.ok(load.p50Ms >= 80, `median ${load.p50Ms} ms`);
  });

  it("sends no call before it is due", async () => {
    const arrivedMs: number[] = [];
    const url = await serve((_request, response) => {
      arrivedMs.push(performance.now());
      response.end("{}");
    });
    const startedMs = performance.now();
    await measureAtRate(url, { ...atRate, connections: 8 });
    for (const [index, atMs] of arrivedMs.entries()) assert.ok(atMs - startedMs >= index * 10, `call ${index} came after ${atMs - startedMs} ms`);
    assert.equal(arrivedMs.length, 30);
  });

  it("counts answers other than 200 as errors and not as latencies", async () => {
    let calls = 0;
    const url = await serve((_request, response) => {
      response.statusCode = (calls += 1) % 3 === 0 ? 503 : 200;
      response.end("{}");
    });
    const load = await measureAtRate(url, { ...atRate, connections: 4 });
    assert.deepEqual([load.calls, load.errors], [20, 10]);
  });

  it("fails when the server closes a connection", async () => {
    const url = await serve((_request, response) => response.socket!.destroy());
    await assert.rejects(measureAtRate(url, atRate), /closed a connection/);
  });
});

describe("a load by callers that wait", () => {
  it("counts answers other than 200, and closed connections, as errors", async () => {
    let calls = 0;
    const url = await serve((_request, response) => {
      calls += 1;
      if (calls === 2) response.statusCode = 500;
      if (calls === 3) response.socket!.destroy();
      else response.end("{}");
    });
    const load = await measureLoad(url, { ...call, seconds: 30, connections: 1 });
    assert.deepEqual([load.calls, load.errors], [1, 2]);
  });
});
