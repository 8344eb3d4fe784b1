import { timeOrderedId } from "../ids/time-ordered-id.ts";
import { appendEntries, type LockedHeads } from "../money/ledger/append-entries.ts";
import { payoutEvent } from "../money/payouts/payout-event.ts";
import { cancelOpenPayouts, selectCancellablePayouts } from "../money/payouts/payouts.table.ts";
import { pendingOf } from "../money/payouts/pending.ts";
import { selectUnsettled } from "../money/payouts/unsettled.table.ts";
import type { NotedAction } from "../register/audit.table.ts";
import type { Transaction } from "../store/store.ts";
import { writeEvents } from "../webhooks/events/write-events.ts";

const cancelNote = "The account gave up its balance.";

/**
 * Books what the account gives up: its balance without pending calls and clicks, which may still be reversed, and without what is
 * on its way to the bank. Cancels payouts that are not. Returns the notes for the audit log, which are to be written last.
 */
export async function giveUpBalance(tx: Transaction, heads: LockedHeads, { accountId, nowMs }: { accountId: string; nowMs: number }): Promise<NotedAction[]> {
  const cancelled = await tx.run(selectCancellablePayouts(tx.db, accountId));
  if (cancelled.length > 0) await tx.change(cancelOpenPayouts(tx.db, { accountId, note: cancelNote, nowMs }));
  await writeEvents(tx, cancelled.map((payout) => payoutEvent("cancelled", payout)), nowMs);
  const notes: NotedAction[] = cancelled.map(({ id, amount_micro: amountMicro, status }) => {
    const detail = { amount_micro: amountMicro, from: status, note: cancelNote };
    return { actorAccountId: accountId, action: "payout.cancelled", subject: id, accountId, detail, nowMs };
  });
  const unsettled = (await tx.run(selectUnsettled(tx.db, accountId)))[0]!;
  const microUsd = heads.get(accountId)!.balance_micro - pendingOf(unsettled).microUsd - (unsettled.exported_micro ?? 0);
  if (microUsd <= 0) return notes;
  const ref = timeOrderedId("adj", nowMs);
  const amounts = { grossMicroUsd: -microUsd, developerMicroUsd: -microUsd };
  await appendEntries(tx, heads, [{ accountId, atMs: nowMs, kind: "adjustment", ref, endpoint: "adjustment", payer: "platform", shareBps: 10_000, ...amounts }]);
  return [...notes, { actorAccountId: accountId, action: "account.forfeit", subject: accountId, detail: { amount_micro: microUsd, ref }, nowMs }];
}
