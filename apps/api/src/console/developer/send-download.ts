import type { FastifyReply } from "fastify";

/** Sends a file for the browser to save; names are our own, so that no header can be broken out of. */
export function sendDownload(reply: FastifyReply, file: { name: string; type: string; content: string | Buffer }): FastifyReply {
  return reply
    .header("content-type", file.type)
    .header("content-disposition", `attachment; filename="${file.name}"`)
    .header("x-content-type-options", "nosniff")
    .send(file.content);
}
