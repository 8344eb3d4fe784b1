// Prints what time it is for each kind of process that tests start, as this process's environment has it.
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { once } from "node:events";
import { Redis } from "ioredis";
import pg from "pg";
import { hasRedisServer, startRedis } from "./access/start-redis.ts";
import { startPostgres, whyPostgresIsSkipped } from "./start-postgres.ts";
import { startService } from "./start-service.ts";

async function askPostgres(): Promise<string> {
  const postgres = await startPostgres();
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query<{ now: Date }>("select clock_timestamp() as now");
  await client.end();
  await postgres.stop();
  return rows[0]!.now.toISOString();
}

async function askRedis(): Promise<string> {
  const server = await startRedis();
  const client = new Redis(server.url);
  const [seconds] = await client.time();
  client.disconnect();
  await server.stop();
  return new Date(Number(seconds) * 1_000).toISOString();
}

async function askService(): Promise<string> {
  const service = await startService();
  const { headers } = await fetch(`${service.url}/api/status`);
  await service.stop();
  return new Date(headers.get("date")!).toISOString();
}

async function askWorker(): Promise<string> {
  const [time] = (await once(new Worker('require("node:worker_threads").parentPort.postMessage(new Date().toISOString())', { eval: true }), "message")) as [string];
  return time;
}

const clocks = {
  node: new Date().toISOString(),
  worker: await askWorker(),
  sqlite: new DatabaseSync(":memory:").prepare("select strftime('%Y-%m-%dT%H:%M:%fZ', 'now') as now").get()!["now"],
  service: await askService(),
  ...(whyPostgresIsSkipped() === false && { postgres: await askPostgres() }),
  ...(hasRedisServer() && { redis: await askRedis() }),
};
process.stdout.write(`${JSON.stringify(clocks)}\n`);
