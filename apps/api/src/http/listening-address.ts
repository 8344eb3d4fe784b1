import type { FastifyInstance } from "fastify";
import type { AddressInfo } from "node:net";

/** Where the server listens, once it does, in the form that a browser takes. */
export function listeningAddress(app: FastifyInstance, host: string): string {
  const { port } = app.server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
