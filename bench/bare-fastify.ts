// The baseline: the same framework, schemas, request and reply, and nothing else.
import { PredictReply, ScoringRequest } from "@assay/contract/scoring.ts";
import fastify from "fastify";
import { exampleReply } from "./example-reply.ts";

const app = fastify({ logger: false });
app.post("/api/ml/predict", {
  schema: { body: ScoringRequest, response: { 200: PredictReply } },
  handler: (request) => exampleReply(request.body as ScoringRequest),
});
const address = await app.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`is ready at ${address}\n`);
process.on("SIGTERM", () => process.exit(0));
