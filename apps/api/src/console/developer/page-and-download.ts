import type { FastifyReply } from "fastify";
import type { Readable } from "node:stream";
import { Failure } from "../../failure/failure.ts";

/** The schema has already checked that the text is a whole number. */
export function parsePageLimit(text: string | undefined, bounds: { fallback: number; max: number }): number {
  const limit = text === undefined ? bounds.fallback : Number(text);
  if (limit < 1 || limit > bounds.max) throw new Failure("invalid_request", `limit must be a whole number from 1 to ${bounds.max}`);
  return limit;
}

/** File names are our own, never a caller's, so they cannot inject headers. */
export function sendDownload(reply: FastifyReply, file: { name: string; type: string; content: string | Buffer | Readable }): FastifyReply {
  return reply
    .header("content-type", file.type)
    .header("content-disposition", `attachment; filename="${file.name}"`)
    .header("x-content-type-options", "nosniff")
    .send(file.content);
}
