import { noteAction } from "../../register/audit.table.ts";
import type { Transaction, TransactionWork } from "../../store/store.ts";
import { countTestsOfAudience, countTestsOfEndpoint, insertDelivery } from "../deliveries/ask-again.table.ts";
import { testSpanMs, testsPerAudienceMax, testsPerEndpointMax } from "../endpoints/endpoint-rules.ts";
import { selectEndpoint } from "../endpoints/endpoints.table.ts";
import { advanceHead, insertEvent, lockHead } from "../events/events.table.ts";

/** A person's change. `actorAccountId` is null for the command line. */
export type Asked = { audience: string; actorAccountId: string | null; nowMs: number };
export type EndpointTest = Asked & { endpointId: string; eventId: string };
export type TestOutcome = "sent" | "unknown" | "paused" | "disabled" | "too_many_tests";

/** Whether the audience, and the endpoint, may send another one. The caller holds the audience's head. */
export async function mayTest(tx: Transaction, { audience, endpointId, nowMs }: { audience: string; endpointId: string; nowMs: number }): Promise<boolean> {
  const span = { audience, fromMs: nowMs - testSpanMs };
  const [ofAudience] = await tx.run(countTestsOfAudience(tx.db, span));
  const [ofEndpoint] = await tx.run(countTestsOfEndpoint(tx.db, { ...span, endpointId }));
  return ofAudience!.count < testsPerAudienceMax && ofEndpoint!.count < testsPerEndpointMax;
}

/** An event for one endpoint only, whatever the others chose. */
export async function writeTest(tx: Transaction, { audience, endpointId, eventId, nowMs }: Omit<EndpointTest, "actorAccountId">): Promise<void> {
  await tx.change(advanceHead(tx.db, audience));
  await tx.change(insertEvent(tx.db, { id: eventId, audience, type: "webhook.test", data: JSON.stringify({ endpoint_id: endpointId }), onceKey: null, nowMs }));
  await tx.change(insertDelivery(tx.db, { endpointId, eventId, nowMs }));
}

export const ownerOf = (audience: string): string | null => (audience.startsWith("acct_") ? audience : null);

export const work: TransactionWork<EndpointTest, TestOutcome> = async (tx, test) => {
  const { audience, endpointId, actorAccountId, nowMs } = test;
  await tx.change(lockHead(tx.db, audience));
  const [endpoint] = await tx.run(selectEndpoint(tx.db, test));
  if (!endpoint) return "unknown";
  if (endpoint.state !== "active") return endpoint.state;
  if (!(await mayTest(tx, test))) return "too_many_tests";
  await writeTest(tx, test);
  await tx.change(noteAction(tx.db, { actorAccountId, action: "webhook.test", subject: endpointId, accountId: ownerOf(audience), detail: { event_id: test.eventId }, nowMs }));
  return "sent";
};
