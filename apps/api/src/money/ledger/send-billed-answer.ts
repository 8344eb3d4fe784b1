import type { FastifyReply } from "fastify";
import type { BilledAnswer } from "./answer-once.ts";

export function sendBilledAnswer(reply: FastifyReply, answer: BilledAnswer): FastifyReply {
  if (answer.receipt) reply.header("assay-receipt", answer.receipt);
  if (answer.replayed) reply.header("idempotent-replayed", "true");
  return reply.header("content-type", "application/json; charset=utf-8").send(answer.body);
}
