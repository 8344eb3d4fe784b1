import fastify from "fastify";
import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { replyFailures } from "./reply-failures.ts";
import { shedLoad } from "./shed-load.ts";

const lagMsMax = 20;
const blockedMs = 200;

/** Keeps the event loop from turning, as too much work would. */
function block(): void {
  const endMs = performance.now() + blockedMs;
  while (performance.now() < endMs);
}

it("calls are turned away while the event loop lags, probes and pages are not, and calls again when it does not", async (t) => {
  const app = fastify();
  t.after(() => app.close());
  replyFailures(app, { log: app.log, onFailure: () => undefined });
  await shedLoad(app, { lagMsMax, startLagMs: 0 });
  for (const path of ["/call", "/health/ready", "/dashboard/assets/*"]) app.get(path, () => "well");
  await app.listen({ host: "127.0.0.1", port: 0 });
  const ask = async (url: string) => (await app.inject({ url })).statusCode;

  let status = 200;
  for (let blocks = 0; status === 200 && blocks < 50; blocks += 1) {
    block();
    await sleep(1);
    status = await ask("/call");
  }
  assert.equal(status, 503);
  assert.deepEqual([await ask("/health/ready"), await ask("/dashboard/assets/app.js")], [200, 200]);
  while ((await ask("/call")) !== 200) await sleep(100);
});
