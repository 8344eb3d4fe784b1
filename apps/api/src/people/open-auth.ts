import type { FastifyReply, FastifyRequest } from "fastify";
import type { AccountStatus } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { Auth } from "./create-auth.ts";
import { deriveSecret } from "./derive-secret.ts";
import type { ReadSignIn } from "./require-sign-in.ts";
import { translateAuthError } from "./translate-auth-error.ts";

/** better-auth, loaded and opened when it is first needed: a node that only scores never holds it in memory. */
export type OpenAuth = () => Promise<{ auth: Auth; headersOf: (request: FastifyRequest) => Headers }>;

export function createOpenAuth(settings: { store: Store; nowMs: () => number; publicUrl: () => string; secretKey: string }): OpenAuth {
  let opened: ReturnType<OpenAuth> | undefined;
  const open = async () => {
    const { createAuth, ipHeader } = await import("./create-auth.ts");
    const { store, nowMs, secretKey } = settings;
    const auth = createAuth({ store, nowMs, publicUrl: settings.publicUrl(), cookieSecret: deriveSecret(secretKey, "sign-in cookies") });
    // Only what it needs to know: no forwarding header of a caller gets this far.
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

/** Hands on the cookies that better-auth wants set. */
export function passCookies(reply: FastifyReply, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) reply.header("set-cookie", cookie);
}

/** Asks the store each time: a session that was ended elsewhere is ended here. */
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
