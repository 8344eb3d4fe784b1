import { lockChains } from "../money/ledger/append-entries.ts";
import { noteMarked, selectPayee } from "../register/payees.table.ts";
import type { TransactionWork } from "../store/store.ts";
import { enterMarks } from "./enter-marks.ts";
import type { PayeeMark } from "./payee-marks.ts";

/** `entered`: the marks of the profile, and of those that payouts were made out to before, each with its time. */
export type MarkPayee = { accountId: string; updatedAtMs: number; bankCountry: string | null; entered: { atMs: number; marks: PayeeMark[] }[] };

/** Returns whether it did anything: a profile that was changed or erased since it was read has no use for these marks. */
export const work: TransactionWork<MarkPayee, boolean> = async (tx, { accountId, updatedAtMs, bankCountry, entered }) => {
  await lockChains(tx, [accountId]);
  const [present] = await tx.run(selectPayee(tx.db, accountId));
  if (present?.updated_at !== updatedAtMs) return false;
  for (const each of entered) await enterMarks(tx, { accountId, ...each });
  await tx.change(noteMarked(tx.db, { accountId, bankCountry: present.bank_country ?? bankCountry, updatedAtMs }));
  return true;
};
