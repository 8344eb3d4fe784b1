import type { PayeeRow } from "./read-account-money.ts";

/** Payouts of earlier versions have no bank country. */
export type PayeeSnapshot = Omit<PayeeRow, "account_id" | "usable_from" | "bank_country"> & { bank_country?: string | null };

/** The payee as a payout keeps it: the order of the keys is fixed, so that equal payees give equal texts. */
export const payeeSnapshot = (payee: PayeeSnapshot): string => {
  const { legal_name, address, country, tax_id, method, account, bank_code, bank_country = null } = payee;
  return JSON.stringify({ legal_name, address, country, tax_id, method, account, bank_code, bank_country });
};

export const readSnapshot = (text: string): PayeeSnapshot => JSON.parse(text) as PayeeSnapshot;

/** An earlier version left the bank's country open. */
const isElsewhere = ({ bank_country: before = null }: PayeeSnapshot, { bank_country: after = null }: PayeeSnapshot): boolean => before !== null && before !== after;

/** Whether money would go elsewhere or be booked for somebody else. Names and addresses may be corrected at any time. */
export const hasPayeeChanged = (before: PayeeSnapshot, after: PayeeSnapshot): boolean =>
  (["method", "account", "bank_code", "tax_id"] as const).some((field) => before[field] !== after[field]) || isElsewhere(before, after);
