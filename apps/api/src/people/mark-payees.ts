import { selectUnmarkedPayees } from "../register/payees.table.ts";
import type { Marks } from "../secrets/read-sealed-key.ts";
import type { Store } from "../store/store.ts";
import type { MarkPayee } from "./mark-payee.work.ts";
import { marksOf } from "./payee-marks.ts";

const workModule = new URL("./mark-payee.work.ts", import.meta.url);
const payeesAtOnce = 100;

/** Gives profiles of earlier versions their marks, as entered when they were last saved. Safe to interrupt and to repeat. */
export async function markPayees({ store, marks }: { store: Store; marks: Marks }, isOver: () => boolean): Promise<{ marked: number; isMore: boolean }> {
  let marked = 0;
  for (let afterId = ""; !isOver(); ) {
    const rows = await selectUnmarkedPayees(store.db, { afterId, limit: payeesAtOnce }).execute();
    for (const row of rows) {
      const payload = { accountId: row.account_id, updatedAtMs: row.updated_at, marks: await marksOf(marks, row) };
      if (await store.transact<MarkPayee, boolean>(workModule, payload)) marked += 1;
    }
    if (rows.length < payeesAtOnce) return { marked, isMore: false };
    afterId = rows.at(-1)!.account_id;
  }
  return { marked, isMore: true };
}
