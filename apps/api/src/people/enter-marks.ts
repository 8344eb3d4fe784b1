import { insertMarks, selectMarksOfOthers, selectOwnMarks } from "../register/payees.table.ts";
import type { Transaction } from "../store/store.ts";
import type { PayeeMark } from "./payee-marks.ts";

/**
 * Adds marks that the account does not have yet. Those that only now say the same as an older one of the same profile
 * are as old as that one: who was first stays first. The caller has locked the account's chain.
 */
export async function enterMarks(tx: Transaction, { accountId, marks, atMs }: { accountId: string; marks: readonly PayeeMark[]; atMs: number }): Promise<void> {
  const own = await tx.run(selectOwnMarks(tx.db, accountId));
  const ifShared = marks.flatMap(({ mark, ifShared: only }) => (only ? [mark] : []));
  const shared = new Set((ifShared.length === 0 ? [] : await tx.run(selectMarksOfOthers(tx.db, { accountId, marks: ifShared }))).map(({ mark }) => mark));
  const enteredAt = (kind: PayeeMark["kind"]): number => {
    const first = marks.find((each) => each.kind === kind)?.mark;
    return own.find((each) => each.kind === kind && each.mark === first)?.entered_at ?? atMs;
  };
  const rows = marks
    .filter(({ mark, ifShared: only }) => !only || shared.has(mark))
    .map(({ kind, mark }) => ({ account_id: accountId, kind, mark, entered_at: enteredAt(kind) }));
  await tx.change(insertMarks(tx.db, rows));
}
