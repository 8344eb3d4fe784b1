import type { FastifyRequest } from "fastify";

const loopbackPeers = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);
const loopbackHosts = new Set(["localhost", "127.0.0.1"]);
const isForwardingHeader = (name: string) => name.startsWith("x-forwarded-") || name === "forwarded" || name === "x-real-ip" || name === "via";

/**
 * Whether the request comes from this machine and not through a proxy: the installation serves loopback only, and peer,
 * Host and headers say so too. A proxy on this machine that rewrites Host and adds no header looks the same, unless
 * PUBLIC_URL names its address: what must never leak needs a secret as well.
 */
export function isLoopback(request: FastifyRequest, installation: { isLocal: boolean }): boolean {
  const peer = request.raw.socket.remoteAddress ?? "";
  const host = (request.headers.host ?? "").replace(/:\d+$/, "");
  return installation.isLocal && loopbackPeers.has(peer) && loopbackHosts.has(host) && !Object.keys(request.headers).some(isForwardingHeader);
}
