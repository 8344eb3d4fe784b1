import fastify from "fastify";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createFailureReport, replyFailures } from "./reply-failures.ts";
import { shedLoad, watchLag } from "./shed-load.ts";

describe("an event loop that lags", () => {
  it("is detected by consecutive late ticks: a single pause does not count, and one timely tick ends it", () => {
    const watch = watchLag(0, { tickMs: 100, lagMsMax: 1_000 });
    const lagsAfter = (nowMs: number) => {
      watch.tick(nowMs);
      return watch.lags();
    };
    assert.deepEqual([100, 5_100, 5_200, 6_300].map(lagsAfter), [false, false, false, false]);
    assert.deepEqual([7_401, 8_502, 9_603, 9_703].map(lagsAfter), [false, true, true, false]);
  });

  it("refuses calls but serves probes and pages until it catches up", async (t) => {
    const app = fastify();
    t.after(() => app.close());
    replyFailures(app, createFailureReport({ log: app.log, onFailure: () => undefined }));
    shedLoad(app, { tickMs: 50, lagMsMax: 50 });
    for (const path of ["/call", "/health/ready", "/dashboard/assets/*"]) app.get(path, () => "well");
    await app.listen({ host: "127.0.0.1", port: 0 });
    const ask = async (url: string) => (await app.inject({ url })).statusCode;

    let statuses = [200];
    // Only a tick runs between two pieces of blocking work.
    for (let rounds = 0; statuses[0] === 200 && rounds < 50; rounds += 1) {
      const endMs = performance.now() + 200;
      while (performance.now() < endMs);
      await sleep(1);
      statuses = await Promise.all(["/call", "/health/ready", "/dashboard/assets/app.js"].map(ask));
    }
    assert.deepEqual(statuses, [503, 200, 200]);
    while ((await ask("/call")) !== 200) await sleep(10);
  });
});
