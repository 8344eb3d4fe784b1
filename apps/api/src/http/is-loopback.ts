import type { FastifyRequest } from "fastify";

const loopbackPeers = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);
const loopbackHosts = new Set(["localhost", "127.0.0.1"]);
const forwardingHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];

/** Whether the request comes from this machine and not through a proxy, by its peer, Host and forwarding headers. */
export function isLoopback(request: FastifyRequest): boolean {
  const peer = request.raw.socket.remoteAddress ?? "";
  const host = (request.headers.host ?? "").replace(/:\d+$/, "");
  return (
    loopbackPeers.has(peer) &&
    loopbackHosts.has(host) &&
    forwardingHeaders.every((name) => request.headers[name] === undefined)
  );
}
