import { isoTime, startOfHour } from "../../formats/time.ts";
import { layOutMail } from "../../mail/lay-out-mail.ts";
import type { Mail } from "../../mail/queue-mail.ts";
import type { Store } from "../../store/store.ts";
import { confirmShares, selectAccountsBeforePrepaid, selectHeadsToConfirm, sumShares } from "../ledger/prepaid.table.ts";
import type { PrepaidBeginning } from "./begin-prepaid.work.ts";

const beginModule = new URL("./begin-prepaid.work.ts", import.meta.url);
const accountsPerPage = 200;
const entriesPerStep = 100_000;

type Run = { nowMs: number; isOver: () => boolean };

function noticeOf(account: { id: string; email: string }, notice: { prepaidFromMs: number; publicUrl: string }): Mail {
  const day = isoTime(notice.prepaidFromMs).slice(0, 10);
  return {
    kind: "prepaid_notice",
    to: account.email,
    accountId: account.id,
    ...layOutMail({
      subject: `Calls are prepaid from ${day}`,
      preview: `From ${day} a call needs a deposit that covers its price.`,
      heading: "Calls are becoming prepaid",
      paragraphs: [
        `From ${isoTime(notice.prepaidFromMs)} your account needs a deposit: a call that it does not cover is answered with 402 payment_required and costs nothing.`,
        "Your account starts at zero: what your calls cost until now no longer counts, beyond what your earnings covered. The dashboard lists the entries.",
        "Ask the operator of this installation how to make a deposit. The share that your calls earn is added to what you can spend.",
      ],
      button: { label: "View your balance", url: `${notice.publicUrl}/dashboard/revenue` },
      footnote: "You received this email because you have an account at this installation of Assay.",
    }),
  };
}

/** Begins prepaid calls for the accounts of earlier versions, each with a notice if there is time left to give it. */
async function beginAll(store: Store, options: Run & { prepaidFromMs: number; publicUrl: string }): Promise<{ begun: number; isMore: boolean }> {
  const { nowMs, isOver, prepaidFromMs } = options;
  let begun = 0;
  for (let afterId = ""; ; ) {
    const accounts = await selectAccountsBeforePrepaid(store.db, { afterId, limit: accountsPerPage }).execute();
    for (const account of accounts) {
      if (isOver()) return { begun, isMore: true };
      const isTold = prepaidFromMs > nowMs && account.status !== "closed" && account.demo === 0;
      const mail = isTold ? noticeOf(account, options) : undefined;
      if (await store.transact<PrepaidBeginning, boolean>(beginModule, { accountId: account.id, mail, nowMs })) begun += 1;
      afterId = account.id;
    }
    if (accounts.length < accountsPerPage) return { begun, isMore: false };
  }
}

/** Adds the shares of an account's calls to what it can spend, up to the end of the previous hour. */
async function confirmAccount(store: Store, head: { account_id: string; share_confirmed_seq: number }, beforeMs: number): Promise<number> {
  let confirmedMicroUsd = 0;
  for (let fromSeq = head.share_confirmed_seq; ; ) {
    const span = { accountId: head.account_id, afterSeq: fromSeq, beforeMs, limit: entriesPerStep };
    const { seq: toSeq, developer_micro: microUsd } = await sumShares(store.db, span).executeTakeFirstOrThrow();
    if (toSeq === null) return confirmedMicroUsd;
    const { numUpdatedRows } = await confirmShares(store.db, { accountId: head.account_id, fromSeq, toSeq, microUsd }).executeTakeFirst();
    // Another node was faster.
    if (numUpdatedRows === 0n) return confirmedMicroUsd;
    confirmedMicroUsd += microUsd;
    fromSeq = toSeq;
  }
}

/** What developers can spend: begins to keep it where it is not kept yet, and adds the shares that calls earned. */
export async function settlePrepaid(
  store: Store,
  options: Run & { prepaidFromMs: number; publicUrl: string | undefined },
): Promise<{ begun: number; confirmedMicroUsd: number; isMore: boolean }> {
  const { publicUrl, nowMs, isOver } = options;
  if (publicUrl === undefined) return { begun: 0, confirmedMicroUsd: 0, isMore: true };
  const { begun, isMore } = await beginAll(store, { ...options, publicUrl });
  let confirmedMicroUsd = 0;
  if (isMore) return { begun, confirmedMicroUsd, isMore };
  for (let afterId = ""; ; ) {
    const heads = await selectHeadsToConfirm(store.db, { afterId, limit: accountsPerPage }).execute();
    for (const head of heads) {
      if (isOver()) return { begun, confirmedMicroUsd, isMore: true };
      confirmedMicroUsd += await confirmAccount(store, head, startOfHour(nowMs));
      afterId = head.account_id;
    }
    if (heads.length < accountsPerPage) return { begun, confirmedMicroUsd, isMore: false };
  }
}
