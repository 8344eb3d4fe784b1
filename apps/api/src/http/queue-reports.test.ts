import assert from "node:assert/strict";
import fastify from "fastify";
import { describe, it } from "node:test";
import { takeTurns } from "../queues/take-turns.ts";
import { queueReports } from "./queue-reports.ts";
import { createFailureReport, replyFailures } from "./reply-failures.ts";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("reports", () => {
  it("of a flood wait or get 503, while other accounts' reports and other routes are answered", async () => {
    const app = fastify();
    replyFailures(app, createFailureReport({ log: app.log, onFailure: () => {} }));
    queueReports(app, {
      inTurn: takeTurns({ atOnceMax: 2, perSubjectMax: 1, waitingMax: 4, what: "reports" }),
      isWithin: (url) => url.startsWith("/reports/"),
      accountOf: (request) => (request.params as { account: string }).account,
    });
    const ends: (() => void)[] = [];
    let runningMost = 0;
    let running = 0;
    app.get("/reports/:account", async () => {
      runningMost = Math.max(runningMost, (running += 1));
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
      return { made: true };
    });
    app.get("/quick", async () => ({ quick: true }));
    await app.ready();
    const ask = (method: "GET" | "HEAD", account: string) => app.inject({ method, url: `/reports/${account}` });
    // HEAD takes the same places as GET, and each only once.
    const flood = (["GET", "HEAD", "HEAD", "GET"] as const).map((method) => ask(method, "loud"));
    await nextTurn();
    const refused = await flood[3]!;
    assert.deepEqual([refused.statusCode, refused.json().error, refused.headers["retry-after"]], [503, "overloaded", "1"]);
    const quiet = ask("GET", "quiet");
    assert.equal((await app.inject("/quick")).statusCode, 200);
    while (ends.length < 2) await nextTurn();
    ends[1]!();
    assert.equal((await quiet).statusCode, 200, "while the flood's first report is still being made");
    for (let next = 0; next < 3; next += 1) {
      const index = next === 0 ? 0 : next + 1;
      while (ends.length <= index) await nextTurn();
      ends[index]!();
    }
    assert.deepEqual((await Promise.all(flood.slice(0, 3))).map(({ statusCode }) => statusCode), [200, 200, 200]);
    assert.equal(runningMost, 2);
  });
});
