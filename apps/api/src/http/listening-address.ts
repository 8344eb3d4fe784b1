import type { FastifyInstance } from "fastify";
import type { AddressInfo } from "node:net";

export const addressOf = ({ host, port }: { host: string; port: number }): string => `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

/** The URL of a server that listens already. */
export function listeningAddress(app: FastifyInstance, host: string): string {
  const { port } = app.server.address() as AddressInfo;
  return addressOf({ host, port });
}
