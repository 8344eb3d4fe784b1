import type { FastifyReply, FastifyRequest } from "fastify";
import { hkdfSync } from "node:crypto";
import type { AccountStatus } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { Auth } from "./create-auth.ts";
import type { ReadSignIn } from "./require-sign-in.ts";
import { translateAuthError } from "./translate-auth-error.ts";

/** A key for one purpose, derived with HKDF: it reveals neither the installation's secret nor the other keys. */
export const deriveSecret = (secretKey: string, purpose: string): string =>
  Buffer.from(hkdfSync("sha256", secretKey, "assay", purpose, 32)).toString("hex");

/** Loads better-auth on first use: a node that only scores never holds it in memory. */
export type OpenAuth = () => Promise<{ auth: Auth; headersOf: (request: FastifyRequest) => Headers }>;

export function createOpenAuth(settings: { store: Store; nowMs: () => number; publicUrl: () => string; secretKey: string }): OpenAuth {
  let opened: ReturnType<OpenAuth> | undefined;
  const open = async () => {
    const { createAuth, ipHeader } = await import("./create-auth.ts");
    const { store, nowMs, secretKey } = settings;
    const auth = createAuth({ store, nowMs, publicUrl: settings.publicUrl(), cookieSecret: deriveSecret(secretKey, "sign-in cookies") });
    // Only these headers: a caller's forwarding headers do not get this far.
    const headersOf = (request: FastifyRequest) =>
      new Headers({
        cookie: request.headers.cookie ?? "",
        "user-agent": request.headers["user-agent"] ?? "",
        [ipHeader]: request.ip,
      });
    return { auth, headersOf };
  };
  return () => (opened ??= open());
}

export function passCookies(reply: FastifyReply, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) reply.header("set-cookie", cookie);
}

/** Reads the store each time, so a session that was revoked on another node is revoked here too. */
export function createReadSignIn(openAuth: OpenAuth): ReadSignIn {
  return async (request, reply) => {
    if (request.headers.cookie === undefined) return undefined;
    const { auth, headersOf } = await openAuth();
    const { headers, response } = await auth.api.getSession({ headers: headersOf(request), returnHeaders: true }).catch(translateAuthError);
    passCookies(reply, headers);
    if (!response) return undefined;
    const { user, session } = response;
    return {
      accountId: user.id,
      email: user.email,
      operator: user.operator,
      verified: user.emailVerified,
      status: user.status as AccountStatus,
      sessionId: session.id,
    };
  };
}
