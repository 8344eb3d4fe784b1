import { sql } from "kysely";
import { type SendNotice, type SentNotice, work as send } from "../../src/people/notices/send-notice.work.ts";
import type { TransactionWork } from "../../src/store/store.ts";

/** Sends a notice and takes its time to commit, where others can go on meanwhile. */
export const work: TransactionWork<SendNotice, SentNotice> = async (tx, notice) => {
  const sent = await send(tx, notice);
  if (tx.dialect === "postgres") await tx.run(tx.db.selectNoFrom(sql<string>`pg_sleep(3)::text`.as("slept")));
  return sent;
};
