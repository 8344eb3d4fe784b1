import { selectHead } from "../money/ledger/ledger.table.ts";
import { Failure } from "../failure/failure.ts";
import { announceChange, eraseKeyNames, revokeKeysOfAccount } from "../access/keys/keys.table.ts";
import { deleteMailsOfAccount, selectMailIdsOfAccount } from "../mail/mails.table.ts";
import { queueMail } from "../mail/queue-mail.ts";
import type { ClosedWrite, Store } from "../store/store.ts";
import { closedMail } from "./account-mails.ts";
import type { PeopleContext } from "./people-context.ts";
import { confirmPassword } from "./change-credentials.ts";
import { markErased, selectErasable, upsertClosure } from "./closures.table.ts";
import { normalizeEmail } from "./create-account.ts";
import { deleteLinksOfAccount } from "./links.table.ts";
import type { SignedIn } from "./require-sign-in.ts";
import { deleteChallengesOfAccount, deleteSecondFactor, deleteSignIns } from "./sign-ins.table.ts";
import { closeAccountStatus, eraseAccountRow } from "../register/accounts.table.ts";
import { deletePayeeProfile } from "../register/payees.table.ts";
import { usdOf } from "../formats/money.ts";

const erasedAtOnceMax = 100;

type Erasers = Pick<PeopleContext, "store" | "forgetMails">;

/** Everything that is known about the person. The ledger stays, under an id that leads to nobody any more. */
function eraseStatements(context: Erasers, order: { accountId: string; email: string; nowMs: number }): ClosedWrite {
  const { db } = context.store;
  const { accountId, email, nowMs } = order;
  return [
    deleteSignIns(db, { accountId, exceptId: undefined }),
    deleteChallengesOfAccount(db, accountId),
    deleteSecondFactor(db, accountId),
    deleteLinksOfAccount(db, { accountId, kinds: ["verify", "reset", "change_email"] }),
    deleteMailsOfAccount(db, accountId),
    eraseKeyNames(db, accountId),
    deletePayeeProfile(db, accountId),
    eraseAccountRow(db, accountId),
    markErased(db, { accountId, nowMs }),
    // The last mail belongs to no account, and is emptied as soon as it has left.
    queueMail(db, closedMail({ to: email, accountId: undefined }, { erased: true }), nowMs),
  ];
}

async function erase(context: Erasers, order: { accountId: string; email: string; nowMs: number }): Promise<void> {
  const mails = await selectMailIdsOfAccount(context.store.db, order.accountId).execute();
  await context.forgetMails(mails.map(({ id }) => id));
  await context.store.write(eraseStatements(context, order));
}

async function readBalance(store: Store, accountId: string): Promise<number> {
  return (await selectHead(store.db, accountId).executeTakeFirstOrThrow()).balance_micro;
}

export type CloseWish = { password: string; confirmEmail: string; forfeit: boolean };

/**
 * Closes an account: its keys stop on every node within a second. What is known about the person is erased at once when
 * nothing is owed on either side, or when the person gives up what is owed to them; otherwise once it is settled.
 */
export async function closeAccount(context: PeopleContext, who: SignedIn, wish: CloseWish): Promise<{ status: "erased" | "closing"; balanceUsd: number }> {
  const { store } = context;
  const { accountId, email } = who;
  if (normalizeEmail(wish.confirmEmail) !== email) throw new Failure("invalid_request", "confirmEmail must be the account's own address.");
  await confirmPassword(context, who, wish.password);
  const nowMs = context.nowMs();
  const subject = `account:${accountId}`;
  // First the keys: once no call can be billed any more, the balance that is read next is the last one.
  await store.write([
    closeAccountStatus(store.db, accountId),
    revokeKeysOfAccount(store.db, { accountId, nowMs }),
    upsertClosure(store.db, { accountId, forfeited: wish.forfeit, nowMs }),
    ...announceChange(store.db, { subject, nowMs }),
  ]);
  context.channel?.publish(subject);
  const balance = await readBalance(store, accountId);
  const isSettled = balance === 0 || (wish.forfeit && balance > 0);
  if (isSettled) await erase(context, { accountId, email, nowMs });
  else await store.write([queueMail(store.db, closedMail({ to: email, accountId }, { erased: false }), nowMs)]);
  context.mailQueued();
  return { status: isSettled ? "erased" : "closing", balanceUsd: usdOf(balance) };
}

/** Erases closing accounts whose balance has been settled since. */
export async function eraseSettledAccounts(context: Erasers, nowMs: number): Promise<{ erased: number; isMore: boolean }> {
  const settled = await selectErasable(context.store.db, erasedAtOnceMax).execute();
  for (const { account_id: accountId, email } of settled) {
    await erase(context, { accountId, email, nowMs });
  }
  return { erased: settled.length, isMore: settled.length === erasedAtOnceMax };
}
