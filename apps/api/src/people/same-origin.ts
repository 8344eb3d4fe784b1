import type { FastifyRequest } from "fastify";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * The origin that the dashboard's pages have. Without PUBLIC_URL it is the one that the browser was pointed at:
 * the cookie belongs to that very host, so another name for this machine gains nothing.
 */
const ownOrigin = (request: FastifyRequest, publicUrl: string | undefined): string =>
  publicUrl === undefined ? `http://${request.headers.host ?? ""}` : new URL(publicUrl).origin;

/**
 * Whether a request may change something: a page of our own origin sent it. Browsers say where a request comes
 * from in two headers that pages cannot forge; both must agree, and one of them must be there.
 */
export function mayChange(request: FastifyRequest, publicUrl: string | undefined): boolean {
  if (safeMethods.has(request.method)) return true;
  const { origin, "sec-fetch-site": site } = request.headers;
  if (site !== undefined && site !== "same-origin") return false;
  if (origin !== undefined) return origin === ownOrigin(request, publicUrl);
  return site === "same-origin";
}

export const changesNothing = (request: FastifyRequest): boolean => safeMethods.has(request.method);
