import { Failure } from "../../failure/failure.ts";
import { msPerSecond } from "../../formats/time.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { Sealer } from "../../secrets/sealer.ts";
import type { Store } from "../../store/store.ts";
import type { Egress } from "../egress/post-outwards.ts";
import { endpointsMax, overlapMs, readTypes, testSpanMs, testsPerAudienceMax, testsPerEndpointMax, writeTypes } from "../endpoints/endpoint-rules.ts";
import { newSecret, sealSecret } from "../endpoints/endpoint-secret.ts";
import { readOwners } from "../endpoints/read-owners.ts";
import { type EndpointChange, rotateSecret, selectEndpoint, updateEndpoint } from "../endpoints/endpoints.table.ts";
import type { CreateOutcome, NewEndpoint } from "./create-endpoint.work.ts";
import type { Deletion } from "./delete-endpoint.work.ts";
import { type Asked, type EndpointTest, ownerOf, type TestOutcome } from "./send-test.work.ts";

export type EndpointContext = {
  store: Store;
  sealer: Sealer;
  readUrl: Egress["readUrl"];
};

export type OfEndpoint = Asked & { endpointId: string };

const createWork = new URL("./create-endpoint.work.ts", import.meta.url);
const testWork = new URL("./send-test.work.ts", import.meta.url);
const deleteWork = new URL("./delete-endpoint.work.ts", import.meta.url);

export const unknownEndpoint = () => new Failure("not_found", "No webhook endpoint has this id.");

const offTexts = {
  paused: "This endpoint is paused: resume it first.",
  disabled: "This endpoint is switched off: enable it again first.",
};
export const endpointIsOff = (state: keyof typeof offTexts) => new Failure("invalid_request", offTexts[state]);

const tooManyTests = () =>
  new Failure(
    "rate_limit_exceeded",
    `At most ${testsPerEndpointMax} test events per endpoint, and ${testsPerAudienceMax} in all, can be sent in an hour. Try again later.`,
    "too many test events of a webhook endpoint",
    { retryAfterSeconds: testSpanMs / msPerSecond },
  );

/** By syntax and literal addresses. What a name resolves to is judged before every delivery. */
async function checkUrl({ store, readUrl }: EndpointContext, audience: string, given: string): Promise<string> {
  const toOwner = await readOwners(store, [audience]);
  const judged = readUrl(given.trim(), toOwner(audience));
  if (judged.kind === "refused") throw new Failure("invalid_request", judged.message, `a webhook URL was refused: ${judged.reason}`);
  return judged.href;
}

/** Sends a test event at once. The secret is returned once, and stored sealed. */
export async function createEndpoint(
  context: EndpointContext,
  { url: given, types: chosen, ...asked }: Asked & { url: string; types: readonly string[] | null },
): Promise<{ endpointId: string; eventId: string; secret: string }> {
  const { audience, nowMs } = asked;
  const url = await checkUrl(context, audience, given);
  const types = writeTypes(audience, chosen);
  const endpointId = timeOrderedId("wh", nowMs);
  const eventId = timeOrderedId("evt", nowMs);
  const secret = newSecret();
  const outcome = await context.store.transact<NewEndpoint, CreateOutcome>(createWork, { ...asked, endpointId, eventId, url, types, secret: sealSecret(context.sealer, endpointId, secret) });
  if (outcome === "too_many_endpoints") throw new Failure("forbidden", `There can be at most ${endpointsMax} endpoints. Delete one first.`);
  if (outcome === "too_many_tests") throw tooManyTests();
  return { endpointId, eventId, secret };
}

/** Why a guarded statement found nothing to change. */
async function refuse({ store }: EndpointContext, named: OfEndpoint): Promise<Failure> {
  const endpoint = await selectEndpoint(store.db, named).executeTakeFirst();
  return endpoint ? new Failure("invalid_request", "This endpoint is switched off already.") : unknownEndpoint();
}

/** `state`: `active` resumes a paused endpoint, and enables one that Assay has switched off. `types`: null for all. */
export async function changeEndpoint(
  context: EndpointContext,
  { url, types, state, ...named }: OfEndpoint & { url?: string | undefined; types?: readonly string[] | null | undefined; state?: "active" | "paused" | undefined },
): Promise<void> {
  const { store } = context;
  const { audience, endpointId, actorAccountId, nowMs } = named;
  const change: EndpointChange = {
    ...(url !== undefined && { url: await checkUrl(context, audience, url) }),
    ...(types !== undefined && { types: writeTypes(audience, types) }),
    ...(state !== undefined && { state }),
  };
  const changed = Object.keys(change);
  if (changed.length === 0) throw new Failure("invalid_request", "Say what to change: url, types or state.");
  const present = await selectEndpoint(store.db, named).executeTakeFirst();
  // What is so already is neither written nor noted, unless it gives a failing endpoint a fresh start.
  if (present && present.failing_since === null && changed.every((name) => present[name as keyof EndpointChange] === change[name as keyof EndpointChange])) return;
  const detail = { changed, ...(change.types !== undefined && { types: readTypes(change.types) }), ...(state !== undefined && { state }) };
  const note = noteAction(store.db, { actorAccountId, action: "webhook.change", subject: endpointId, accountId: ownerOf(audience), detail, nowMs });
  const [rows] = await store.write([updateEndpoint(store.db, { endpointId, audience, change, nowMs }), note], { guards: 1 });
  if (rows !== 1) throw await refuse(context, named);
}

/** The old secret signs too for a day, so that receivers can be switched over without losing an event. */
export async function rotateEndpointSecret(context: EndpointContext, named: OfEndpoint): Promise<{ secret: string; previousUntilMs: number }> {
  const { store, sealer } = context;
  const { audience, endpointId, actorAccountId, nowMs } = named;
  const secret = newSecret();
  const previousUntilMs = nowMs + overlapMs;
  const rotate = rotateSecret(store.db, { endpointId, audience, secret: sealSecret(sealer, endpointId, secret), previousUntilMs, nowMs });
  const detail = { previous_until: previousUntilMs };
  const note = noteAction(store.db, { actorAccountId, action: "webhook.rotate", subject: endpointId, accountId: ownerOf(audience), detail, nowMs });
  const [rows] = await store.write([rotate, note], { guards: 1 });
  if (rows !== 1) throw unknownEndpoint();
  return { secret, previousUntilMs };
}

/** Deletes its log too. */
export async function removeEndpoint({ store }: Pick<EndpointContext, "store">, deletion: OfEndpoint): Promise<void> {
  if ((await store.transact<Deletion, "deleted" | "unknown">(deleteWork, deletion)) === "unknown") throw unknownEndpoint();
}

/** To this endpoint alone, whatever it chose. */
export async function sendTest({ store }: Pick<EndpointContext, "store">, named: OfEndpoint): Promise<{ eventId: string }> {
  const eventId = timeOrderedId("evt", named.nowMs);
  const outcome = await store.transact<EndpointTest, TestOutcome>(testWork, { ...named, eventId });
  if (outcome === "unknown") throw unknownEndpoint();
  if (outcome === "too_many_tests") throw tooManyTests();
  if (outcome !== "sent") throw endpointIsOff(outcome);
  return { eventId };
}
