// Naive billing: each request waits for its own durable insert.
//   node bench/insert-per-request.ts sqlite FILE | postgres URL
import { PredictReply, ScoringRequest } from "@assay/contract/scoring.ts";
import fastify from "fastify";
import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { exampleReply } from "./example-reply.ts";

const [dialect, database] = process.argv.slice(2);
const createTable = "CREATE TABLE IF NOT EXISTS usage (id TEXT PRIMARY KEY, account TEXT, at BIGINT, gross BIGINT, developer BIGINT)";

async function openInsert(): Promise<() => unknown> {
  const values = () => [randomUUID(), "acct_1", Date.now(), 50_000, 34_000];
  if (dialect === "sqlite") {
    const sqlite = new DatabaseSync(database!);
    sqlite.exec("PRAGMA journal_mode = WAL");
    sqlite.exec("PRAGMA synchronous = FULL");
    sqlite.exec(createTable);
    const insert = sqlite.prepare("INSERT INTO usage VALUES (?, ?, ?, ?, ?)");
    return () => insert.run(...values());
  }
  const pool = new pg.Pool({ connectionString: database, max: 10 });
  await pool.query(createTable);
  return () => pool.query({ name: "insert", text: "INSERT INTO usage VALUES ($1, $2, $3, $4, $5)", values: values() });
}

const insert = await openInsert();
const app = fastify({ logger: false });
app.post("/api/ml/predict", {
  schema: { body: ScoringRequest, response: { 200: PredictReply } },
  handler: async (request) => {
    await insert();
    return exampleReply(request.body as ScoringRequest);
  },
});
const address = await app.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`is ready at ${address}\n`);
process.on("SIGTERM", () => process.exit(0));
