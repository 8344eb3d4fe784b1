// Baseline: the bare echo whose answers are durable, and nothing else. Each waits until some bytes were flushed to disk,
// together with whatever came meanwhile: the least latency that a durable answer has on this machine's disk.
//   node bench/flushing-fastify.ts FILE
import { AdReply, AdRequest } from "@assay/contract/ads.ts";
import { PredictReply, ScoringRequest } from "@assay/contract/scoring.ts";
import fastify from "fastify";
import { open } from "node:fs/promises";
import { exampleAd, exampleReply } from "./example-reply.ts";

/** About what a call adds to SQLite's log. */
const bytesPerCall = 600;

const file = await open(process.argv[2]!, "w");
let waiting: (() => void)[] = [];
let isFlushing = false;

async function flush(): Promise<void> {
  isFlushing = true;
  while (waiting.length > 0) {
    const together = waiting;
    waiting = [];
    await file.write(Buffer.alloc(bytesPerCall * together.length), 0);
    await file.datasync();
    for (const resolve of together) resolve();
  }
  isFlushing = false;
}

function flushed(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (!isFlushing && waiting.length === 1) setImmediate(() => void flush());
  });
}

const app = fastify({ logger: false });
app.post("/api/ml/predict", {
  schema: { body: ScoringRequest, response: { 200: PredictReply } },
  handler: async (request) => {
    await flushed();
    return exampleReply(request.body as ScoringRequest);
  },
});
app.post("/api/ads/request", {
  schema: { body: AdRequest, response: { 200: AdReply } },
  handler: async (request) => {
    await flushed();
    return exampleAd(request.body as AdRequest);
  },
});
const address = await app.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`is ready at ${address}\n`);
process.on("SIGTERM", () => process.exit(0));
