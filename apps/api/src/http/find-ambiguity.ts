import type { FastifyRequest } from "fastify";

/**
 * Why a request could be read in another way than we read it by somebody between its sender and us; undefined for the
 * usual ones. Node's parser refuses the worst (two lengths, a length and chunks, folded lines, bare line feeds); this is
 * what it lets through.
 */
export function findAmbiguity({ headers, raw: { httpVersion } }: Pick<FastifyRequest, "headers"> & { raw: { httpVersion: string } }): string | undefined {
  const coding = headers["transfer-encoding"];
  if (httpVersion !== "1.1") {
    if (httpVersion !== "1.0") return "Only HTTP/1.1 and HTTP/1.0 are understood here.";
    return coding === undefined ? undefined : "Transfer-Encoding is not part of HTTP/1.0.";
  }
  if (headers.host === undefined) return "The header Host is missing.";
  // Headers that come twice are joined: see server-limits.ts.
  if (headers.host.includes(",")) return "The header Host is there twice.";
  return coding === undefined || coding.toLowerCase() === "chunked" ? undefined : "Transfer-Encoding must be chunked.";
}
