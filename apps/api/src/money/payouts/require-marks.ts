import { Failure } from "../../failure/failure.ts";
import { selectOldMarks } from "../../register/payees.table.ts";
import type { Store } from "../../store/store.ts";

/**
 * No payout may leave on the marks of an earlier version, which took the spellings of one bank account for several. None
 * is added, so nothing has to be locked.
 */
export async function requireMarks(store: Store): Promise<void> {
  if ((await selectOldMarks(store.db).executeTakeFirst()) === undefined) return;
  throw new Failure("overloaded", "After an upgrade the start of the service compares the payees' bank accounts anew. Payouts can be proposed, approved and exported after that: start the service, or try again in a minute.");
}
