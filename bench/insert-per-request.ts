// The usual way to bill: each request makes its own durable insert, and waits for it.
//   node bench/insert-per-request.ts sqlite FILE | postgres URL
import { PredictReply, ScoringRequest } from "@assay/contract/scoring.ts";
import fastify from "fastify";
import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";

const [dialect, place] = process.argv.slice(2);
const createTable = "CREATE TABLE IF NOT EXISTS usage (id TEXT PRIMARY KEY, account TEXT, at BIGINT, gross BIGINT, developer BIGINT)";

async function openInsert(): Promise<() => unknown> {
  const values = () => [randomUUID(), "acct_1", Date.now(), 50_000, 34_000];
  if (dialect === "sqlite") {
    const database = new DatabaseSync(place!);
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = FULL");
    database.exec(createTable);
    const insert = database.prepare("INSERT INTO usage VALUES (?, ?, ?, ?, ?)");
    return () => insert.run(...values());
  }
  const pool = new pg.Pool({ connectionString: place, max: 10 });
  await pool.query(createTable);
  return () => pool.query({ name: "insert", text: "INSERT INTO usage VALUES ($1, $2, $3, $4, $5)", values: values() });
}

const insert = await openInsert();
const app = fastify({ logger: false });
app.post("/api/ml/predict", {
  schema: { body: ScoringRequest, response: { 200: PredictReply } },
  handler: async (request) => {
    await insert();
    const { session_data: signals } = request.body as ScoringRequest;
    return {
      service_score: signals.user_engagement * 100,
      trust_level: "high",
      confidence: signals.user_engagement,
      revenue_attribution: 0.034,
      processing_time_ms: 0.123,
      session_id: "sess_0W4kTqZb00A8fLq2mXc3Rt",
      timestamp: "2026-01-15T09:30:00.000Z",
      attribution_confidence: signals.user_engagement,
      recommendation: "high_value_user",
      model_version: "1.0.0",
    };
  },
});
const address = await app.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`is ready at ${address}\n`);
process.on("SIGTERM", () => process.exit(0));
