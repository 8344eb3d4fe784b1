import { noteAction } from "../../register/audit.table.ts";
import type { TransactionWork } from "../../store/store.ts";
import { endpointsMax, readTypes } from "../endpoints/endpoint-rules.ts";
import { countEndpoints, insertEndpoint } from "../endpoints/endpoints.table.ts";
import { lockHead } from "../events/events.table.ts";
import { type Asked, mayTest, ownerOf, writeTest } from "./send-test.work.ts";

/** `secret` is sealed. `eventId`: of the test that is sent at once. */
export type NewEndpoint = Asked & { endpointId: string; url: string; types: string; secret: string; eventId: string };
export type CreateOutcome = "created" | "too_many_endpoints" | "too_many_tests";

/** The lock on the audience's head makes creations wait for each other: of two at once, the second one counts the first. */
export const work: TransactionWork<NewEndpoint, CreateOutcome> = async (tx, endpoint) => {
  const { audience, endpointId, actorAccountId, nowMs } = endpoint;
  await tx.change(lockHead(tx.db, audience));
  const [existing] = await tx.run(countEndpoints(tx.db, audience));
  if (existing!.count >= endpointsMax) return "too_many_endpoints";
  if (!(await mayTest(tx, endpoint))) return "too_many_tests";
  await tx.change(insertEndpoint(tx.db, endpoint));
  await writeTest(tx, endpoint);
  // Without the URL: its path may be a secret of the receiver.
  const detail = { types: readTypes(endpoint.types) };
  await tx.change(noteAction(tx.db, { actorAccountId, action: "webhook.create", subject: endpointId, accountId: ownerOf(audience), detail, nowMs }));
  return "created";
};
