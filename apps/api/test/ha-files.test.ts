/** The files in deploy/ha/ that no fault suite starts, and what the others must agree on. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Redis } from "ioredis";
import { startRedis } from "./access/start-redis.ts";
import { adaptHaExample } from "./faults/rig/ha-example.ts";
import { findFreePort } from "./find-free-port.ts";
import { waitUntil } from "./send.ts";
import { makeTestFolder } from "./start-service.ts";

const folder = new URL("../../../deploy/ha/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");
const whySentinelIsSkipped = process.env.ASSAY_TEST_REDIS_SERVER ? false : "no redis-server: ASSAY_TEST_REDIS_SERVER is not set (npm test sets it)";

function numberIn(text: string, pattern: RegExp): number {
  const [, found] = pattern.exec(text) ?? [];
  assert.ok(found !== undefined, pattern.source);
  return Number(found);
}

describe("deploy/ha/", () => {
  it("README.md mentions every file", () => {
    const text = read("README.md");
    for (const name of readdirSync(folder)) assert.ok(name === "README.md" || text.includes(`\`${name}\``), `${name} is not mentioned`);
  });

  it("Patroni's times keep its rule, and let it give up before its lease runs out", () => {
    const text = read("patroni.yml");
    const [ttl, loop, retry] = [/^ {4}ttl: (\d+)$/m, /^ {4}loop_wait: (\d+)$/m, /^ {4}retry_timeout: (\d+)$/m].map((pattern) => numberIn(text, pattern)) as [number, number, number];
    assert.ok(loop + 2 * retry <= ttl, `${loop} + 2 * ${retry} is more than ${ttl}`);
    assert.match(text, /^ {4}synchronous_mode: true$/m);
  });

  it("HAProxy, PgBouncer and Patroni name the same ports", () => {
    const [patroni, haproxy, pgbouncer] = [read("patroni.yml"), read("haproxy.cfg"), read("pgbouncer.ini")];
    const postgresPort = numberIn(patroni, /^ {2}connect_address: 10\.0\.0\.11:(5\d+)$/m);
    const restPort = numberIn(patroni, /^ {2}connect_address: 10\.0\.0\.11:(8\d+)$/m);
    for (const [, port, checked] of haproxy.matchAll(/server postgres-\d 10\.0\.0\.1\d:(\d+) check port (\d+)/g)) assert.deepEqual([Number(port), Number(checked)], [postgresPort, restPort]);
    assert.equal(numberIn(pgbouncer, /host=127\.0\.0\.1 port=(\d+)/), numberIn(haproxy, /bind 127\.0\.0\.1:(\d+)/));
  });

  it("Sentinel starts with sentinel.conf and knows its primary", { skip: whySentinelIsSkipped }, async () => {
    const redis = await startRedis();
    const [port, own] = [await findFreePort(), makeTestFolder()];
    const config = join(own, "sentinel.conf");
    const replaced = adaptHaExample("sentinel.conf", [
      ["bind 0.0.0.0", "bind 127.0.0.1"],
      ["port 26379", `port ${port}`],
      ["dir /var/lib/redis", `dir ${own}`],
      ["monitor assay 10.0.0.31 6379", `monitor assay 127.0.0.1 ${redis.port}`],
    ]);
    writeFileSync(config, replaced);
    const child = spawn(process.env.ASSAY_TEST_REDIS_SERVER!, [config, "--sentinel"], { stdio: "ignore" });
    const kill = () => void child.kill("SIGKILL");
    process.once("exit", kill);
    const client = new Redis({ host: "127.0.0.1", port, retryStrategy: () => 50, maxRetriesPerRequest: null, enableReadyCheck: false });
    client.on("error", () => {});
    try {
      const isKnown = async () => {
        const found = await client.call("SENTINEL", "get-master-addr-by-name", "assay");
        return JSON.stringify(found) === JSON.stringify(["127.0.0.1", String(redis.port)]);
      };
      await waitUntil(isKnown, "the Sentinel knows the primary");
    } finally {
      client.disconnect();
      const ended = once(child, "exit");
      kill();
      await ended;
      process.removeListener("exit", kill);
      await redis.stop();
    }
  });
});
