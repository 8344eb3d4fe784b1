import { readSnapshot } from "../money/payouts/payee-snapshot.ts";
import { selectKeptPayees } from "../money/payouts/payouts.table.ts";
import { bankCountryOf, spellingsOf } from "../register/bank-account.ts";
import { selectUnmarkedPayees } from "../register/payees.table.ts";
import type { Marks } from "../secrets/read-sealed-key.ts";
import type { Store } from "../store/store.ts";
import type { MarkPayee } from "./mark-payee.work.ts";
import { marksOf } from "./payee-marks.ts";

const workModule = new URL("./mark-payee.work.ts", import.meta.url);
const payeesAtOnce = 100;

type Context = { store: Store; marks: Marks };
type Unmarked = Awaited<ReturnType<ReturnType<typeof selectUnmarkedPayees>["execute"]>>[number];

async function markPayee({ store, marks }: Context, row: Unmarked): Promise<boolean> {
  const kept = await selectKeptPayees(store.db, row.account_id).execute();
  const entered = [{ atMs: row.updated_at, marks: await marksOf(marks, row) }];
  for (const { payee, proposed_at: atMs } of kept) entered.push({ atMs, marks: await marksOf(marks, readSnapshot(payee!)) });
  const payload = { accountId: row.account_id, updatedAtMs: row.updated_at, bankCountry: bankCountryOf(row), entered };
  return store.transact<MarkPayee, boolean>(workModule, payload);
}

/**
 * Gives profiles of earlier versions their marks, as entered when they were last saved. Those that name an account
 * without its bank come first: an IBAN, or a whole number like it, has a mark of its number only where one of them has
 * it. Safe to interrupt and to repeat.
 */
export async function markPayees(context: Context, isOver: () => boolean): Promise<{ marked: number; isMore: boolean }> {
  let marked = 0;
  for (const withBank of [false, true]) {
    for (let afterId = ""; ; ) {
      if (isOver()) return { marked, isMore: true };
      const rows = await selectUnmarkedPayees(context.store.db, { afterId, limit: payeesAtOnce }).execute();
      for (const row of rows) if ((withBank || !spellingsOf(row).hasBank) && (await markPayee(context, row))) marked += 1;
      if (rows.length < payeesAtOnce) break;
      afterId = rows.at(-1)!.account_id;
    }
  }
  return { marked, isMore: false };
}
