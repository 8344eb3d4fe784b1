// Baseline: the same framework, schemas, requests and replies, without any work.
import { PredictReply, ScoringRequest } from "@assay/contract/scoring.ts";
import { AdReply, AdRequest } from "@assay/contract/ads.ts";
import { BeatReply, BeatRequest } from "@assay/contract/attestation.ts";
import fastify from "fastify";
import { exampleAd, exampleBeat, exampleReply } from "./example-reply.ts";

const app = fastify({ logger: false });
app.post("/api/ml/predict", {
  schema: { body: ScoringRequest, response: { 200: PredictReply } },
  handler: (request) => exampleReply(request.body as ScoringRequest),
});
app.post("/api/ads/request", {
  schema: { body: AdRequest, response: { 200: AdReply } },
  handler: (request) => exampleAd(request.body as AdRequest),
});
app.addContentTypeParser("text/plain", { parseAs: "string" }, (_request, text, done) => done(null, JSON.parse(text as string)));
app.post("/c/v1/beat", {
  schema: { body: BeatRequest, response: { 200: BeatReply } },
  handler: (request) => exampleBeat(request.body as BeatRequest),
});
const address = await app.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`is ready at ${address}\n`);
process.on("SIGTERM", () => process.exit(0));
