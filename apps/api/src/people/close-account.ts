import { announceChange, eraseKeyNames, revokeKeysOfAccount } from "../access/keys/keys.table.ts";
import { Failure } from "../failure/failure.ts";
import { usdOf } from "../formats/money.ts";
import { deleteMailsOfAccount, selectMailIdsOfAccount } from "../mail/mails.table.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { selectHead } from "../money/ledger/ledger.table.ts";
import { closeAccountStatus, eraseAccountRow } from "../register/accounts.table.ts";
import { noteAction } from "../register/audit.table.ts";
import { deletePayeeProfile } from "../register/payees.table.ts";
import { closedMail } from "./account-mails.ts";
import { confirmPassword } from "./confirm-password.ts";
import { markErased, selectErasable, upsertClosure } from "./closures.table.ts";
import { normalizeEmail } from "./create-account.ts";
import { deleteLinksOfAccount } from "./links.table.ts";
import type { PeopleContext } from "./people-context.ts";
import type { SignedIn } from "./require-sign-in.ts";
import { deleteSecondFactor } from "./second-factors.table.ts";
import { deleteChallengesOfAccount, deleteSignIns } from "./sign-ins.table.ts";

const erasedAtOnceMax = 100;

type EraseContext = Pick<PeopleContext, "store" | "deleteMailFiles">;

/** Erases all personal data. The ledger stays, under an account id that no longer identifies a person. */
async function erase({ store, deleteMailFiles }: EraseContext, account: { accountId: string; email: string; nowMs: number }): Promise<void> {
  const { db } = store;
  const { accountId, email, nowMs } = account;
  const mails = await selectMailIdsOfAccount(db, accountId).execute();
  await deleteMailFiles(mails.map(({ id }) => id));
  await store.write([
    deleteSignIns(db, { accountId, exceptId: undefined }),
    deleteChallengesOfAccount(db, accountId),
    deleteSecondFactor(db, accountId),
    deleteLinksOfAccount(db, { accountId, kinds: ["verify", "reset", "change_email"] }),
    deleteMailsOfAccount(db, accountId),
    eraseKeyNames(db, accountId),
    deletePayeeProfile(db, accountId),
    eraseAccountRow(db, accountId),
    markErased(db, { accountId, nowMs }),
    // The last mail belongs to no account, and its content is deleted once it is sent.
    queueMail(db, closedMail({ to: email, accountId: undefined }, { erased: true }), nowMs),
    // The owner asked for it; a job may do it later.
    noteAction(db, { actorAccountId: accountId, action: "account.erase", subject: accountId, detail: {}, nowMs }),
  ]);
}

/**
 * Revokes the account's keys on every node within a second. Personal data is erased at once when the balance is 0, or
 * when the account forfeits a positive balance; otherwise once the balance is settled.
 */
export async function closeAccount(
  context: PeopleContext,
  signedIn: SignedIn,
  options: { password: string; confirmEmail: string; forfeit: boolean },
): Promise<{ status: "erased" | "closing"; balanceUsd: number }> {
  const { store } = context;
  const { accountId, email } = signedIn;
  if (normalizeEmail(options.confirmEmail) !== email) throw new Failure("invalid_request", "confirmEmail must be the account's own address.");
  await confirmPassword(context, signedIn, options.password);
  const nowMs = context.nowMs();
  const subject = `account:${accountId}`;
  // Keys first: once no call can be billed, the balance read next is final.
  await store.write([
    closeAccountStatus(store.db, accountId),
    revokeKeysOfAccount(store.db, { accountId, nowMs }),
    upsertClosure(store.db, { accountId, forfeited: options.forfeit, nowMs }),
    ...announceChange(store.db, { subject, nowMs }),
    noteAction(store.db, { actorAccountId: accountId, action: "account.close", subject: accountId, detail: { forfeit: options.forfeit }, nowMs }),
  ]);
  context.channel?.publish(subject);
  const { balance_micro: balance } = await selectHead(store.db, accountId).executeTakeFirstOrThrow();
  const isSettled = balance === 0 || (options.forfeit && balance > 0);
  if (isSettled) await erase(context, { accountId, email, nowMs });
  else await store.write([queueMail(store.db, closedMail({ to: email, accountId }, { erased: false }), nowMs)]);
  context.wakeMailer();
  return { status: isSettled ? "erased" : "closing", balanceUsd: usdOf(balance) };
}

export async function eraseSettledAccounts(context: EraseContext, nowMs: number): Promise<{ erased: number; isMore: boolean }> {
  const settled = await selectErasable(context.store.db, erasedAtOnceMax).execute();
  for (const { account_id: accountId, email } of settled) {
    await erase(context, { accountId, email, nowMs });
  }
  return { erased: settled.length, isMore: settled.length === erasedAtOnceMax };
}
