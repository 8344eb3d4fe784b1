import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import { Failure } from "../failure/failure.ts";
import type { AccountStatus } from "../store/schema.ts";

export type SignedIn = {
  accountId: string;
  email: string;
  operator: boolean;
  verified: boolean;
  status: AccountStatus;
  /** The session's id, never its token. */
  sessionId: string;
  /** The session's token as the store holds it. */
  storedToken: string;
  /** Whether its cookie outlives the browser. */
  isRemembered: boolean;
  /** Of the account's sign-ins, read together with the session: it rises with each change of a credential. */
  epoch: number;
};

declare module "fastify" {
  interface FastifyRequest {
    /** Set by `requireSignIn` before a handler runs. */
    signedIn: SignedIn;
  }
}

/** Reads the session from the store on every request; may renew its cookie on the reply. */
export type ReadSignIn = (request: FastifyRequest, reply: FastifyReply) => Promise<SignedIn | undefined>;

export type SignInGuard = { readSignIn: ReadSignIn; publicUrl: string | undefined };

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * CSRF protection: whether one of our own pages sent the request. Browsers state its source in two headers that pages
 * cannot forge; one must be present, and both must agree. Without PUBLIC_URL our origin is the host that the browser was
 * pointed at: the cookie belongs to that very host, so another name for this machine gains nothing.
 */
function isSameOrigin(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const { host = "", origin, "sec-fetch-site": site } = request.headers;
  if (site !== undefined && site !== "same-origin") return false;
  if (origin === undefined) return site === "same-origin";
  return origin === (publicUrl === undefined ? `http://${host}` : new URL(publicUrl).origin);
}

/** Changes come from our own pages only. */
export function refuseOtherOrigins(request: FastifyRequest, publicUrl: string | undefined): void {
  if (!safeMethods.has(request.method) && !isSameOrigin(request, publicUrl)) {
    throw new Failure("forbidden", "This request must come from a page of this dashboard.", "another origin, or none was given");
  }
}

/** For everything under /dashboard/api: 403 for a cross-origin change, 401 `sign_in_required` without a session. */
export function requireSignIn(guard: SignInGuard): onRequestAsyncHookHandler {
  return async (request, reply) => {
    refuseOtherOrigins(request, guard.publicUrl);
    const signedIn = await guard.readSignIn(request, reply);
    if (!signedIn) throw new Failure("sign_in_required", "Sign in to continue.");
    request.signedIn = signedIn;
  };
}

/**
 * `requireSignIn` and what else is to be refused; for a change both once more when its body has arrived: a request could
 * be begun while its session works, held back, and finished after the session has ended.
 */
export function addSignInHooks(app: FastifyInstance, guard: SignInGuard, refuse: onRequestAsyncHookHandler = async () => {}): void {
  const check = requireSignIn(guard);
  app.addHook("onRequest", check);
  app.addHook("onRequest", refuse);
  app.addHook("preHandler", async (request, reply) => {
    if (safeMethods.has(request.method)) return;
    await check.call(app, request, reply);
    await refuse.call(app, request, reply);
  });
}

export const whyNotActive = ({ status }: SignedIn): string => (status === "suspended" ? "This account is suspended" : "This account is being closed");

/** After `requireSignIn`: a suspended or closing account is read-only. */
export const refuseUnlessActive: onRequestAsyncHookHandler = async (request) => {
  if (request.signedIn.status === "active" || safeMethods.has(request.method)) return;
  throw new Failure("forbidden", `${whyNotActive(request.signedIn)}: it can be viewed, but not changed.`);
};
