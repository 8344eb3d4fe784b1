import { noteAction } from "../../register/audit.table.ts";
import type { TransactionWork } from "../../store/store.ts";
import { deleteAttemptsOfEndpoint, deleteDeliveriesOfEndpoint } from "../deliveries/ask-again.table.ts";
import { deleteEndpoint, lockOwnEndpoint } from "../endpoints/endpoints.table.ts";
import { lockHead } from "../events/events.table.ts";
import { type Asked, ownerOf } from "./send-test.work.ts";

export type Deletion = Asked & { endpointId: string };

/**
 * With its log. Events are written under the same lock, so none leaves a delivery behind for an endpoint that is gone.
 */
export const work: TransactionWork<Deletion, "deleted" | "unknown"> = async (tx, deletion) => {
  const { audience, endpointId, actorAccountId, nowMs } = deletion;
  const [endpoint] = await tx.run(lockOwnEndpoint(tx.db, deletion));
  if (!endpoint) return "unknown";
  await tx.change(lockHead(tx.db, audience));
  const deliveries = await tx.change(deleteDeliveriesOfEndpoint(tx.db, endpointId));
  await tx.change(deleteAttemptsOfEndpoint(tx.db, endpointId));
  await tx.change(deleteEndpoint(tx.db, deletion));
  await tx.change(noteAction(tx.db, { actorAccountId, action: "webhook.delete", subject: endpointId, accountId: ownerOf(audience), detail: { deliveries }, nowMs }));
  return "deleted";
};
