import type { LogRow } from "../../../store/schema-log.ts";
import type { TransactionWork } from "../../../store/store.ts";
import { insertLog, lockLog, selectLogs } from "./log.table.ts";

/** `after`: the number of the log that was open when this one was decided on; 0 if there was none. */
export type Opening = LogRow & { after: number };

/** "lost": another log was opened meanwhile. */
export const work: TransactionWork<Opening, "opened" | "lost"> = async (tx, { after, ...log }) => {
  await tx.run(lockLog(tx.db));
  const [newest] = await tx.run(selectLogs(tx.db).limit(1));
  if ((newest?.number ?? 0) !== after) return "lost";
  await tx.change(insertLog(tx.db, log));
  return "opened";
};
