import { announceChange, revokeKeysOfAccount } from "../access/keys/keys.table.ts";
import { eraseSites } from "../attestation/sites/sites.table.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { lockChains } from "../money/ledger/append-entries.ts";
import { selectUnsettled } from "../money/payouts/unsettled.table.ts";
import { closeAccountStatus } from "../register/accounts.table.ts";
import { type NotedAction, noteAction } from "../register/audit.table.ts";
import type { TransactionWork } from "../store/store.ts";
import { closedMail } from "./account-mails.ts";
import { selectClosure, upsertClosure } from "./closures.table.ts";
import { giveUpBalance } from "./give-up-balance.ts";
import { isStillLetIn, type LetIn } from "./hold-sign-in.ts";
import { isLastOperator } from "./last-operator.ts";
import { type EraseOutcome, settleClosure } from "./settle-closure.ts";

export type CloseAccount = { accountId: string; /** Undefined: nobody who is signed in asks for it. */ letIn?: LetIn; forfeit: boolean; nowMs: number };
/** `balanceMicroUsd` is what the account had before it gave anything up. */
export type CloseOutcome = { balanceMicroUsd: number; erasure: EraseOutcome } | "last_operator" | "overtaken";

/**
 * Closes the account, revokes its keys, ends its sites and an operator's role; holds stay as they are. A second request
 * can only give the balance up. If nothing is left to settle, the personal data is erased in the same transaction.
 */
export const work: TransactionWork<CloseAccount, CloseOutcome> = async (tx, { accountId, letIn, forfeit, nowMs }) => {
  const heads = await lockChains(tx, [accountId]);
  // Operators' accounts are locked in an order of their own, so this account alone comes after them.
  if (await isLastOperator(tx, accountId)) return "last_operator";
  if (letIn && !(await isStillLetIn(tx, letIn, nowMs))) return "overtaken";
  const balanceMicroUsd = heads.get(accountId)!.balance_micro;
  const { status, email } = (await tx.run(selectUnsettled(tx.db, accountId)))[0]!;
  const [known] = await tx.run(selectClosure(tx.db, accountId));
  if (known && known.erased_at !== null) return { balanceMicroUsd, erasure: { kind: "already_erased" } };
  const notes: NotedAction[] = known ? [] : [{ actorAccountId: accountId, action: "account.close", subject: accountId, detail: { from: status, forfeit }, nowMs }];
  await tx.change(closeAccountStatus(tx.db, accountId));
  await tx.change(revokeKeysOfAccount(tx.db, { accountId, nowMs }));
  await tx.change(eraseSites(tx.db, { accountId, nowMs }));
  await tx.change(upsertClosure(tx.db, { accountId, forfeited: forfeit, nowMs }));
  if (forfeit) notes.push(...(await giveUpBalance(tx, heads, { accountId, nowMs })));
  const settled = await settleClosure(tx, heads, { accountId, nowMs });
  notes.push(...settled.notes);
  const isNew = !known && settled.outcome.kind === "waits";
  if (isNew) await tx.change(queueMail(tx.db, closedMail({ to: email, accountId }, { erased: false }), nowMs));
  for (const statement of announceChange(tx.db, { subject: `account:${accountId}`, nowMs })) await tx.change(statement);
  for (const note of notes) await tx.change(noteAction(tx.db, note));
  return { balanceMicroUsd, erasure: settled.outcome };
};
