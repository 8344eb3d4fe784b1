import type { Store } from "../../store/store.ts";
import { makeStatement, monthOf, parseMonth } from "./make-statement.ts";
import type { StatementOrder } from "./queue-statement.work.ts";
import { statementMail } from "./statement-mail.ts";
import { selectAccountsToMail } from "./statement-mails.table.ts";

const queueModule = new URL("./queue-statement.work.ts", import.meta.url);

/** A call that came in the last moment of a month is in the ledger by then, on whatever node. */
const settledMs = 3_600_000;
/** A service that was away for longer tells no more of months that are long over. */
const monthsBackMax = 3;
const accountsPerPage = 200;

/** The months that are over and settled, the oldest first. */
export function closedMonths(nowMs: number): string[] {
  const settled = new Date(nowMs - settledMs);
  const backOf = (index: number) => monthOf(Date.UTC(settled.getUTCFullYear(), settled.getUTCMonth() - (monthsBackMax - index)));
  return Array.from({ length: monthsBackMax }, (_, index) => backOf(index));
}

type Sending = { nowMs: number; isOver: () => boolean; publicUrl: string };

async function sendMonth(store: Store, month: string, { nowMs, isOver, publicUrl }: Sending): Promise<{ queued: number; isMore: boolean }> {
  const span = parseMonth(month)!;
  let queued = 0;
  for (let afterId = ""; ; ) {
    const accounts = await selectAccountsToMail(store.db, { month, ...span, afterId, limit: accountsPerPage }).execute();
    for (const { id: accountId, email } of accounts) {
      if (isOver()) return { queued, isMore: true };
      const statement = (await makeStatement(store, { accountId, month, nowMs }))!;
      const mail = statementMail({ to: email, accountId }, { statement, publicUrl });
      const order: StatementOrder = { accountId, month, mail, nowMs };
      if ((await store.transact<StatementOrder, "queued" | "already_queued">(queueModule, order)) === "queued") queued += 1;
      afterId = accountId;
    }
    if (accounts.length < accountsPerPage) return { queued, isMore: false };
  }
}

/** Tells every account whose money moved in a month that is over what it came to, once. */
export async function sendStatements(
  store: Store,
  wish: Omit<Sending, "publicUrl"> & { publicUrl: string | undefined },
): Promise<{ queued: number; isMore: boolean }> {
  const { publicUrl } = wish;
  if (publicUrl === undefined) return { queued: 0, isMore: true };
  let queued = 0;
  for (const month of closedMonths(wish.nowMs)) {
    const sent = await sendMonth(store, month, { ...wish, publicUrl });
    queued += sent.queued;
    if (sent.isMore) return { queued, isMore: true };
  }
  return { queued, isMore: false };
}
