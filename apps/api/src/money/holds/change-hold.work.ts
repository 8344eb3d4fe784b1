import { queueMail } from "../../mail/queue-mail.ts";
import { selectOwnAccount } from "../../register/accounts.table.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { MoneyHoldRow } from "../../store/schema-payouts.ts";
import type { Transaction, TransactionWork } from "../../store/store.ts";
import { writeEvents } from "../../webhooks/events/write-events.ts";
import { type DecidingActor, findOwnInterest, lockForDecision } from "../four-eyes/find-own-interest.ts";
import { holdMail } from "./hold-mails.ts";
import { liftHold, openHold, selectOpenHolds } from "./holds.table.ts";

type HoldKind = MoneyHoldRow["kind"];
/** `actorAccountId` is null for the command line of an installation without an operator. */
type Actor = { accountId: string; reason: string; actorAccountId: string | null; nowMs: number };

export type HoldChange = Actor & DecidingActor & { to: "open" | "lift" };
export type HoldChangeOutcome =
  | { kind: "opened" | "already_open" | "unknown_account" | "none_open" | "still_suspended" | "own_account" }
  | { kind: "lifted"; lifted: HoldKind[] };

/**
 * Opens a hold and queues its mail. Returns whether one of this kind was not open before. The caller has locked the
 * account's chain: a payout step that found no hold has finished, and every later one finds this hold.
 */
export async function openHoldIn(tx: Transaction, hold: Actor & { kind: HoldKind; email: string }): Promise<boolean> {
  const { accountId, kind, reason, actorAccountId, email, nowMs } = hold;
  const opened = await tx.change(openHold(tx.db, { accountId, kind, reason, openedBy: actorAccountId, nowMs }));
  if (opened === 0) return false;
  await tx.change(queueMail(tx.db, holdMail({ to: email, accountId }, { isOpened: true, reason }), nowMs));
  await writeEvents(tx, [{ audience: accountId, type: "hold.opened", data: { account_id: accountId, kind } }], nowMs);
  return true;
}

/** Lifts the holds of these kinds that are open, queues one mail, and returns their kinds. */
export async function liftHoldsIn(tx: Transaction, lift: Actor & { kinds: readonly HoldKind[]; email: string }): Promise<HoldKind[]> {
  const { accountId, kinds, reason, actorAccountId, email, nowMs } = lift;
  const lifted: HoldKind[] = [];
  for (const kind of kinds) {
    if ((await tx.change(liftHold(tx.db, { accountId, kind, reason, liftedBy: actorAccountId, nowMs }))) > 0) lifted.push(kind);
  }
  if (lifted.length === 0) return lifted;
  await tx.change(queueMail(tx.db, holdMail({ to: email, accountId }, { isOpened: false, reason }), nowMs));
  await writeEvents(tx, [{ audience: accountId, type: "hold.lifted", data: { account_id: accountId, kinds: lifted } }], nowMs);
  return lifted;
}

/** A suspended account's own hold is lifted by resuming the account; once it is closed, it can only be lifted here. */
export const work: TransactionWork<HoldChange, HoldChangeOutcome> = async (tx, change) => {
  const { accountId, actorAccountId, reason, to, nowMs } = change;
  const [known] = await tx.run(selectOwnAccount(tx.db, accountId));
  if (!known) return { kind: "unknown_account" };
  const heads = await lockForDecision(tx, change, [accountId]);
  const own = await findOwnInterest(tx, heads, change, accountId);
  if (own !== null) return { kind: own };
  const { status, email } = (await tx.run(selectOwnAccount(tx.db, accountId)))[0]!;
  const note = (action: string, detail: Record<string, unknown>) =>
    tx.change(noteAction(tx.db, { actorAccountId, action, subject: accountId, detail: { reason, ...detail }, nowMs }));

  if (to === "open") {
    if (!(await openHoldIn(tx, { ...change, kind: "operator", email }))) return { kind: "already_open" };
    await note("hold.open", {});
    return { kind: "opened" };
  }
  const open = (await tx.run(selectOpenHolds(tx.db, [accountId]))).map(({ kind }) => kind);
  const kinds = open.filter((kind) => kind !== "suspension" || status !== "suspended");
  if (kinds.length === 0) return { kind: open.length === 0 ? "none_open" : "still_suspended" };
  const lifted = await liftHoldsIn(tx, { ...change, kinds, email });
  await note("hold.lift", { kinds: lifted });
  return { kind: "lifted", lifted };
};
