import { msPerDay } from "../formats/time.ts";
import { timeOrderedId } from "../ids/time-ordered-id.ts";
import { lockAccount } from "../register/accounts.table.ts";
import { noteAction } from "../register/audit.table.ts";
import { insertTierRequest, selectUndecidedTierRequests, withdrawTierRequest } from "../register/tier-requests.table.ts";
import type { TransactionWork } from "../store/store.ts";
import { operators, writeEvents } from "../webhooks/events/write-events.ts";

export type TierWish = { accountId: string; tier: string; isInstant: boolean; nowMs: number };
export type TierWishOutcome = "requested" | "unchanged";

/** Operators who were told of a request, and have not decided, are told of no other for this long. */
const toldMs = msPerDay;

/** Another request replaces the pending one, under a new id: nobody approves what changed meanwhile. Operators are told once. */
export const work: TransactionWork<TierWish, TierWishOutcome> = async (tx, { accountId, tier, isInstant, nowMs }) => {
  await tx.run(lockAccount(tx.db, accountId));
  const undecided = await tx.run(selectUndecidedTierRequests(tx.db, { accountId, sinceMs: nowMs - toldMs }));
  if (!isInstant && undecided.some((request) => request.state === "pending" && request.tier === tier)) return "unchanged";
  await tx.change(withdrawTierRequest(tx.db, { accountId, nowMs }));
  await tx.change(
    insertTierRequest(tx.db, {
      id: timeOrderedId("tierreq", nowMs),
      account_id: accountId,
      tier,
      state: isInstant ? "applied" : "pending",
      requested_at: nowMs,
      decided_at: isInstant ? nowMs : null,
    }),
  );
  const isTold = isInstant || undecided.length > 0;
  if (!isTold) await writeEvents(tx, [{ audience: operators, type: "tier.requested", data: { account_id: accountId, tier } }], nowMs);
  await tx.change(noteAction(tx.db, { actorAccountId: accountId, action: "account.request_tier", subject: accountId, detail: { tier }, nowMs }));
  return "requested";
};
