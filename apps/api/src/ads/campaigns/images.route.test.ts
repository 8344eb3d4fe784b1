import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fastify from "fastify";
import { replyFailures, createFailureReport } from "../../http/reply-failures.ts";
import type { Store } from "../../store/store.ts";
import { addImageRoute } from "./images.route.ts";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A store whose reads of images end when the test says so. */
function openImages() {
  const ends: ((row: object | undefined) => void)[] = [];
  const read = () => new Promise<object | undefined>((resolve) => ends.push(resolve));
  const query: object = new Proxy({}, { get: (_, method) => (method === "executeTakeFirst" ? read : () => query) });
  const app = fastify({ trustProxy: true });
  replyFailures(app, createFailureReport({ log: app.log, onFailure: () => {} }));
  addImageRoute(app, { store: { db: query } as unknown as Store, lineOf: (ip) => ip.replace(/\.\d+$/, ".0/24") });
  const ask = (hash: string, ip: string) => app.inject({ url: `/cdn/${hash.repeat(64)}.png`, headers: { "x-forwarded-for": ip } });
  return { ends, ask };
}

const image = { content_type: "image/png", bytes: Buffer.from("an image") };

describe("an image that is not in memory", () => {
  it("is read once for all who ask for it, and then not again", async () => {
    const { ends, ask } = openImages();
    const answers = ["192.0.2.1", "192.0.2.2", "198.51.100.1"].map((ip) => ask("a", ip));
    while (ends.length === 0) await nextTurn();
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    ends[0]!(image);
    for (const answer of answers) assert.equal((await answer).body, "an image");
    assert.equal((await ask("a", "203.0.113.1")).statusCode, 200);
    assert.equal(ends.length, 1);
  });

  it("is read for a network two at a time, whichever of its addresses ask, and meanwhile for another [threat: image-flood]", async () => {
    const { ends, ask } = openImages();
    const flood = Array.from("0123456789", (hash, index) => ask(hash, `192.0.2.${index}`));
    while (ends.length < 2) await nextTurn();
    const other = ask("f", "198.51.100.1");
    while (ends.length < 3) await nextTurn();
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    assert.equal(ends.length, 3);
    ends[2]!(image);
    assert.equal((await other).statusCode, 200);
    for (let index = 0; index < 11; index += 1) {
      while (ends.length <= index) await nextTurn();
      if (index !== 2) ends[index]!(undefined);
    }
    for (const answer of flood) assert.equal((await answer).statusCode, 404);
  });
});
