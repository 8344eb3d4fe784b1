/** The cookies that sign-in uses. Their values are random tokens in base64url, so nothing in the header needs decoding. */
import type { FastifyReply, FastifyRequest } from "fastify";

const names = {
  session: "_session",
  /** Between the password and the code. */
  challenge: "_challenge",
  /** The session cookie of version 0.1. */
  old_session: ".session_token",
} as const;

export type CookieKind = keyof typeof names;

/** PUBLIC_URL; undefined: plain http. */
export type CookieContext = { configuredUrl: string | undefined };

const isSecure = ({ configuredUrl }: CookieContext): boolean => configuredUrl?.startsWith("https:") === true;

/** With https, browsers reject a __Host- cookie that is set by a sister domain, for a path, or without https. */
const nameOf = (context: CookieContext, kind: CookieKind): string => (isSecure(context) ? "__Host-assay" : "assay") + names[kind];

/** `lifeMs` undefined: until the browser closes. */
export function setCookie(context: CookieContext, reply: FastifyReply, cookie: { kind: CookieKind; value: string; lifeMs: number | undefined }): void {
  const attributes = [
    `${nameOf(context, cookie.kind)}=${cookie.value}`,
    ...(cookie.lifeMs === undefined ? [] : [`Max-Age=${Math.floor(cookie.lifeMs / 1_000)}`]),
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
    ...(isSecure(context) ? ["Secure"] : []),
  ];
  reply.header("set-cookie", attributes.join("; "));
}

export function readCookie(context: CookieContext, request: FastifyRequest, kind: CookieKind): string | undefined {
  const name = nameOf(context, kind);
  for (const pair of (request.headers.cookie ?? "").split(";")) {
    const [key = "", value = ""] = pair.trim().split("=");
    if (key === name && value !== "") return value;
  }
  return undefined;
}

/** Only if the browser has it. */
export function expireCookie(context: CookieContext, request: FastifyRequest, reply: FastifyReply, kind: CookieKind): void {
  if (readCookie(context, request, kind) !== undefined) setCookie(context, reply, { kind, value: "", lifeMs: 0 });
}
