import type { FastifyInstance } from "fastify";
import type { AddressInfo } from "node:net";

/** The URL of a server that listens already. */
export function listeningAddress(app: FastifyInstance, host: string): string {
  const { port } = app.server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
