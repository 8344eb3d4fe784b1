import { type TestScenario, testScenarios } from "@assay/contract/scoring.ts";
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import { Failure, internalErrorText } from "../failure/failure.ts";
import { invalidKey } from "../http/describe-failures.ts";
import type { Authenticator } from "./keys/authenticate-key.ts";
import type { Caller } from "./keys/caller.ts";
import type { KeyUseRecorder } from "./keys/record-key-use.ts";
import type { Limiter, LimitOutcome } from "./limits/limiter.ts";
import { rateLimitOf, rateLimitPolicyOf } from "./limits/rate-limit-headers.ts";

type GuardContext = { authenticator: Authenticator; limiter: Limiter; keyUse: KeyUseRecorder; nowMs: () => number };

/** For the test scenario `rate_limited`; it uses no quota. */
const forcedRefusal: LimitOutcome = {
  allowed: false,
  limit: "burst",
  retryAfterSeconds: 60,
  hour: { remaining: 0, resetSeconds: 60 },
  burst: { remaining: 0, resetSeconds: 60 },
};

function parseScenario(header: string | string[] | undefined, caller: Caller): TestScenario | undefined {
  if (header === undefined) return undefined;
  if (caller.mode === "live") throw new Failure("invalid_request", "Assay-Test-Scenario is for test keys only.");
  const scenario = testScenarios.find((each) => each === header);
  if (!scenario) throw new Failure("invalid_request", `Assay-Test-Scenario must be one of ${testScenarios.join(", ")}.`);
  return scenario;
}

export function refusalOf(caller: Pick<Caller, "quota">, { limit, retryAfterSeconds }: LimitOutcome & { allowed: false }): Failure {
  const quota = limit === "burst" ? `${caller.quota.perMinute} calls per minute` : `${caller.quota.perHour} calls per hour`;
  const wait = `${retryAfterSeconds} ${retryAfterSeconds === 1 ? "second" : "seconds"}`;
  const message = `The ${limit} limit of ${quota} is used up. Try again in ${wait}.`;
  return new Failure("rate_limit_exceeded", message, undefined, { retryAfterSeconds, limit });
}

/** Checks the key, then the limits; the body is read afterwards. Free of promises when key and limits are in memory. */
export function guardCall(context: GuardContext): onRequestHookHandler {
  const { authenticator, limiter, keyUse, nowMs } = context;

  function admit(request: FastifyRequest, reply: FastifyReply, outcome: LimitOutcome, done: (error?: Error) => void) {
    reply.header("ratelimit-policy", rateLimitPolicyOf(request.caller.quota)).header("ratelimit", rateLimitOf(outcome));
    if (!outcome.allowed) {
      done(refusalOf(request.caller, outcome));
      return;
    }
    try {
      request.testScenario = parseScenario(request.headers["assay-test-scenario"], request.caller);
    } catch (error) {
      done(error as Failure);
      return;
    }
    if (request.testScenario === "server_error") done(new Failure("internal_error", internalErrorText, "requested by a test key"));
    else done();
  }

  function limit(request: FastifyRequest, reply: FastifyReply, caller: Caller | undefined, done: (error?: Error) => void) {
    if (!caller) {
      done(invalidKey);
      return;
    }
    request.caller = caller;
    const atMs = nowMs();
    keyUse.record(caller.keyId, atMs);
    if (request.headers.origin !== undefined && caller.mode === "live") keyUse.recordBrowser(caller.keyId, atMs);
    const isForced = caller.mode === "test" && request.headers["assay-test-scenario"] === "rate_limited";
    const outcome = isForced ? forcedRefusal : limiter.consume(caller.limitSubject, caller.quota);
    if (outcome instanceof Promise) outcome.then((each) => admit(request, reply, each, done), done);
    else admit(request, reply, outcome, done);
  }

  return (request, reply, done) => {
    const key = request.headers["x-api-key"];
    try {
      const caller = typeof key === "string" ? authenticator.authenticate(key, request) : undefined;
      if (caller instanceof Promise) {
        caller.then((each) => limit(request, reply, each, done)).catch(done);
      } else {
        limit(request, reply, caller, done);
      }
    } catch (error) {
      done(error as Error);
    }
  };
}
