import { type Mail, queueMail } from "../../mail/queue-mail.ts";
import type { TransactionWork } from "../../store/store.ts";
import { lockChains } from "../ledger/append-entries.ts";
import { beginPrepaid } from "./begin-prepaid.ts";

export type PrepaidBeginning = { accountId: string; mail: Mail | undefined; nowMs: number };

/** An account begins once, so it gets one mail. */
export const work: TransactionWork<PrepaidBeginning, boolean> = async (tx, { accountId, mail, nowMs }) => {
  const heads = await lockChains(tx, [accountId]);
  if (!(await beginPrepaid(tx, heads, { accountId, nowMs }))) return false;
  if (mail) await tx.change(queueMail(tx.db, mail, nowMs));
  return true;
};
