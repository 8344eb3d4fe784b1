import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it } from "node:test";
import { hasRedisServer, patientWaits, startRedis } from "../../../../test/access/start-redis.ts";
import { makeTestFolder } from "../../../../test/start-service.ts";
import { openRedis } from "../../../access/redis/open-redis.ts";
import { createFileMemory, createRedisMemory, firstOriginOf, memoryFileName } from "./log-memory.ts";

const first = { log: 1, origin: "assay.example.com/assay/Ab3dEf9h", size: 7, root: "AA==" };
const second = { log: 2, origin: "assay.example.com/assay/Ab3dEf9h/2", size: 3, root: "AQ==" };

describe("what is remembered of the log outside of the database", () => {
  it("in a file is replaced as a whole; a file that is cut off counts as none", async () => {
    const dataDir = makeTestFolder();
    const memory = createFileMemory(dataDir);
    assert.equal(await memory.recall(), undefined);
    await memory.remember(first);
    await memory.remember(second);
    assert.deepEqual(await createFileMemory(dataDir).recall(), second);
    writeFileSync(join(dataDir, memoryFileName), JSON.stringify(second).slice(0, 20));
    assert.equal(await memory.recall(), undefined);
  });

  it("in a file has a draft per worker: two that write at the same time would mix their texts in one", async () => {
    const dataDir = makeTestFolder();
    // A folder in its place names the draft that a worker writes.
    const draftOf = (worker: number | undefined) => createFileMemory(dataDir, worker).remember(first).then(() => undefined, ({ path }: NodeJS.ErrnoException) => basename(path!));
    for (const draft of [".new", ".new-1", ".new-2"]) mkdirSync(join(dataDir, `${memoryFileName}${draft}`));
    assert.deepEqual(await Promise.all([undefined, 1, 2].map(draftOf)), [".new", ".new-1", ".new-2"].map((draft) => `${memoryFileName}${draft}`));
  });

  it("in Redis is what any node remembered last, and nothing while Redis is away", { skip: hasRedisServer() ? false : "no redis-server" }, async () => {
    const server = await startRedis();
    const [one, other] = [await openRedis({ mode: "single", url: server.url }, patientWaits), await openRedis({ mode: "single", url: server.url }, patientWaits)];
    try {
      assert.equal(await createRedisMemory(() => one).recall(), undefined);
      await createRedisMemory(() => one).remember(first);
      assert.deepEqual(await createRedisMemory(() => other).recall(), first);
      await server.stop();
      await createRedisMemory(() => one).remember(second);
      assert.equal(await createRedisMemory(() => other).recall(), undefined);
    } finally {
      one.disconnect();
      other.disconnect();
      await server.stop();
    }
  });

  it("names the first of an installation's logs", () => {
    assert.deepEqual([first, second].map(firstOriginOf), [first.origin, first.origin]);
  });
});
