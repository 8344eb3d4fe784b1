import { Failure, overtaken } from "../failure/failure.ts";
import { usdOf } from "../formats/money.ts";
import type { CloseAccount, CloseOutcome } from "./close-account.work.ts";
import { selectErasable, selectLeftovers } from "./closures.table.ts";
import { confirmPassword } from "./confirm-password.ts";
import { normalizeEmail } from "./create-account.ts";
import { letInOf } from "./hold-sign-in.ts";
import { lastOperatorText } from "./last-operator.ts";
import type { PeopleContext } from "./people-context.ts";
import type { SignedIn } from "./require-sign-in.ts";
import type { EraseAccount, EraseOutcome } from "./settle-closure.ts";

const closeModule = new URL("./close-account.work.ts", import.meta.url);
const eraseModule = new URL("./erase-account.work.ts", import.meta.url);
const accountsAtOnce = 100;

type EraseContext = Pick<PeopleContext, "store" | "deleteMailFiles">;

/**
 * Deletes the files of mails after the transaction that erased their rows. If the node dies in between, the files have no
 * row any more, and every node deletes such files of its own.
 */
async function finishErasure({ deleteMailFiles }: EraseContext, outcome: EraseOutcome): Promise<boolean> {
  if (outcome.kind === "erased") await deleteMailFiles(outcome.mailIds);
  return outcome.kind === "erased";
}

/**
 * Revokes the account's keys on every node within a second, and erases its personal data at once if nothing is left to
 * settle. `forfeit` gives the balance up.
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
  const closing = { accountId, letIn: letInOf(signedIn), forfeit: options.forfeit, nowMs: context.nowMs() };
  const outcome = await store.transact<CloseAccount, CloseOutcome>(closeModule, closing);
  if (outcome === "overtaken") throw overtaken();
  if (outcome === "last_operator") throw new Failure("invalid_request", lastOperatorText);
  const { balanceMicroUsd, erasure } = outcome;
  context.channel?.publish(`account:${accountId}`);
  await finishErasure(context, erasure);
  context.wakeMailer();
  return { status: erasure.kind === "waits" ? "closing" : "erased", balanceUsd: usdOf(balanceMicroUsd) };
}

/** Erases closed accounts that are settled by now, and gives up what reached erased ones since. */
export async function eraseSettledAccounts(context: EraseContext, nowMs: number, isOver: () => boolean): Promise<{ erased: number; isMore: boolean }> {
  let erased = 0;
  for (const select of [selectErasable, selectLeftovers]) {
    for (let afterId = ""; ; ) {
      const rows = await select(context.store.db, { afterId, limit: accountsAtOnce }).execute();
      for (const { account_id: accountId } of rows) {
        if (isOver()) return { erased, isMore: true };
        const outcome = await context.store.transact<EraseAccount, EraseOutcome>(eraseModule, { accountId, nowMs });
        if (await finishErasure(context, outcome)) erased += 1;
      }
      if (rows.length < accountsAtOnce) break;
      afterId = rows.at(-1)!.account_id;
    }
  }
  return { erased, isMore: false };
}
