import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import { Failure } from "../failure/failure.ts";
import type { AccountStatus } from "../store/schema.ts";
import { changesNothing, mayChange } from "./same-origin.ts";

export type SignedIn = {
  accountId: string;
  email: string;
  operator: boolean;
  verified: boolean;
  status: AccountStatus;
  /** Of the session that this request came with; never its token. */
  sessionId: string;
};

declare module "fastify" {
  interface FastifyRequest {
    /** Set by `requireSignIn` before a handler runs. */
    signedIn: SignedIn;
  }
}

/** Who is signed in, read from the store on every request; may renew the session's cookie on the reply. */
export type ReadSignIn = (request: FastifyRequest, reply: FastifyReply) => Promise<SignedIn | undefined>;

export type SignInGuard = { readSignIn: ReadSignIn; publicUrl: string | undefined };

/** Private answers are kept by nobody; what changes something comes from our own pages. */
export function guardPrivateRequest(request: FastifyRequest, reply: FastifyReply, publicUrl: string | undefined): void {
  reply.header("cache-control", "no-store");
  if (!mayChange(request, publicUrl)) {
    throw new Failure("forbidden", "This request must come from a page of this dashboard.", "another origin, or none was given");
  }
}

/**
 * For everything under /dashboard/api: 403 for a change that another origin asks for, 401 `sign_in_required`
 * without a session, and `Cache-Control: no-store`.
 */
export function requireSignIn(guard: SignInGuard): onRequestAsyncHookHandler {
  return async (request, reply) => {
    guardPrivateRequest(request, reply, guard.publicUrl);
    const signedIn = await guard.readSignIn(request, reply);
    if (!signedIn) throw new Failure("sign_in_required", "Sign in to go on.");
    request.signedIn = signedIn;
  };
}

/** For the operator's routes, after `requireSignIn`. Others are told that there is nothing: 404, as for any unknown address. */
export const requireOperator: onRequestAsyncHookHandler = async (request) => {
  if (!request.signedIn.operator) throw new Failure("not_found", "There is nothing at this address. See /docs.");
};

/** After `requireSignIn`: a suspended or closing account may look, and change nothing. */
export const refuseUnlessActive: onRequestAsyncHookHandler = async (request) => {
  const { status } = request.signedIn;
  if (status === "active" || changesNothing(request)) return;
  const why = status === "suspended" ? "This account is suspended" : "This account is being closed";
  throw new Failure("forbidden", `${why}: it can be looked at, but not changed.`);
};
