import type { PayeeRow } from "./read-account-money.ts";

export type PayeeSnapshot = Omit<PayeeRow, "account_id" | "usable_from">;

/** The payee as a payout keeps it: the order of the keys is fixed, so that equal payees give equal texts. */
export const payeeSnapshot = (payee: PayeeSnapshot): string => {
  const { legal_name, address, country, tax_id, method, account, bank_code } = payee;
  return JSON.stringify({ legal_name, address, country, tax_id, method, account, bank_code });
};

export const readSnapshot = (text: string): PayeeSnapshot => JSON.parse(text) as PayeeSnapshot;

/** Whether money would go elsewhere or be booked for somebody else. Names and addresses may be corrected at any time. */
export const hasPayeeChanged = (before: PayeeSnapshot, after: PayeeSnapshot): boolean =>
  (["method", "account", "bank_code", "tax_id"] as const).some((field) => before[field] !== after[field]);
