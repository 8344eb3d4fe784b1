import { type SendNotice, work as send } from "../../src/people/notices/send-notice.work.ts";
import type { TransactionWork } from "../../src/store/store.ts";

/** Sends a notice, and is interrupted before it is committed. */
export const work: TransactionWork<SendNotice, never> = async (tx, notice) => {
  const { mails } = await send(tx, notice);
  throw new Error(`interrupted after ${mails} mails`);
};
