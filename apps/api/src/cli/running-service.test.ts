import { Redis } from "ioredis";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { hasRedisServer, type RedisServer, startRedis } from "../../test/access/start-redis.ts";
import { describeBothStores } from "../../test/both-stores.ts";
import { assayOn } from "../../test/cli/run-assay.ts";
import { predict, waitUntil } from "../../test/send.ts";
import { makeTestFolder, serviceEnvironment } from "../../test/start-service.ts";
import { keyChangesChannel } from "../access/keys/follow-key-changes.ts";

type KeyJson = { api_key: string; id: string };

describeBothStores("a command's change", (open) => {
  it("reaches a running service without a restart", async () => {
    const database = await open();
    const assay = assayOn(database);
    const service = await database.serve();
    const email = "watched@example.com";
    await assay.json("account", "create", "--email", email, "--tier", "Starter", "--verified");
    const key = await assay.json<KeyJson>("key", "create", "--email", email, "--name", "watched");
    const untilStatus = (status: number) =>
      waitUntil(async () => (await predict(service, key.api_key)).status === status, `the key answers ${status}`);
    const untilPolicy = (policy: string) =>
      waitUntil(
        async () => String((await predict(service, key.api_key)).headers["ratelimit-policy"]).includes(policy),
        `the limits are ${policy}`,
      );

    await untilStatus(200);
    await assay.json("account", "suspend", "--email", email);
    await untilStatus(401);
    await assay.json("account", "resume", "--email", email);
    await untilStatus(200);
    await assay.json("account", "set-tier", "--email", email, "--tier", "Scale");
    await untilPolicy('"hour";q=100000;w=3600, "burst";q=1000;w=60');
    await assay.json("tier", "set", "Scale", "--per-hour", "90000", "--per-minute", "900", "--share-bps", "7000");
    await untilPolicy('"hour";q=90000;w=3600, "burst";q=900;w=60');
    await assay.json("key", "revoke", key.id);
    await untilStatus(401);
    assert.deepEqual((await assay.json<{ ok: boolean }>("ledger", "verify")).ok, true);
  });
});

describe("a command's change with a shared Redis", { skip: hasRedisServer() ? false : "redis-server is not on this machine" }, () => {
  let redis: RedisServer;
  let listener: Redis;
  const heard: string[] = [];

  before(async () => {
    redis = await startRedis();
    listener = new Redis(redis.url);
    listener.on("message", (_channel, subject) => heard.push(subject));
    await listener.subscribe(keyChangesChannel);
  });

  after(async () => {
    listener.disconnect();
    await redis.stop();
  });

  it("is announced to every node", async () => {
    const assay = assayOn({ dataDir: makeTestFolder(), redisUrl: redis.url });
    const email = "heard@example.com";
    const { id } = await assay.json<{ id: string }>("account", "create", "--email", email, "--tier", "Starter", "--verified");
    const key = await assay.json<KeyJson>("key", "create", "--email", email, "--name", "heard");
    const announces = async (subject: RegExp, ...words: string[]) => {
      heard.length = 0;
      await assay.json(...words);
      await waitUntil(() => heard.some((each) => subject.test(each)), `${words.join(" ")} is announced`);
    };
    const account = new RegExp(`^account:${id}$`);
    await announces(account, "account", "suspend", "--email", email);
    await announces(account, "account", "resume", "--email", email);
    await announces(account, "account", "set-tier", "--email", email, "--tier", "Growth");
    await announces(/^\*$/, "tier", "set", "Gold", "--per-hour", "9", "--per-minute", "9", "--share-bps", "7000");
    await announces(/^key:[0-9a-f]{64}$/, "key", "revoke", key.id);
  });

  it("is made even while Redis is unreachable", async () => {
    const assay = assayOn({ dataDir: makeTestFolder(), redisUrl: "redis://127.0.0.1:1" });
    await assay.json("account", "create", "--email", "alone@example.com", "--tier", "Starter");
    const { status } = await assay.json<{ status: string }>("account", "suspend", "--email", "alone@example.com");
    assert.equal(status, "suspended");
  });
});

describe("serve --json", () => {
  it("prints one document, serves, and drains on SIGTERM", async () => {
    const main = new URL("main.ts", import.meta.url).pathname;
    const env = serviceEnvironment({ dataDir: makeTestFolder() });
    const child = spawn(process.execPath, [main, "serve", "--json"], { env, stdio: ["ignore", "pipe", "inherit"] });
    after(() => child.kill("SIGKILL"));
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    await waitUntil(() => stdout.endsWith("\n"), "the address is printed", 30_000);
    const { address, first_sign_ins: first } = JSON.parse(stdout) as { address: string; first_sign_ins: { live_key: string } };
    assert.equal((await predict({ url: address }, first.live_key)).status, 200);
    child.kill("SIGTERM");
    const [code] = (await once(child, "exit")) as [number | null];
    assert.equal(code, 0);
    assert.doesNotThrow(() => JSON.parse(stdout));
  });
});
