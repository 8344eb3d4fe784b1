import type { PayeeProfile } from "@assay/contract/dashboard/settings.ts";

const ibanPattern = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const bicPattern = /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/;
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const plainAccountPattern = /^[A-Z0-9-]{4,34}$/;

const withoutSpaces = (text: string) => text.replaceAll(/\s/g, "").toUpperCase();

/** ISO 13616: move the first four characters to the end, replace letters with numbers from 10; modulo 97 must be 1. */
function hasIbanChecksum(iban: string): boolean {
  const moved = iban.slice(4) + iban.slice(0, 4);
  let remainder = 0;
  for (const character of moved) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** Validates and normalizes a payee profile: a returned payout costs money. */
export function checkPayee(given: PayeeProfile): { kind: "good"; profile: PayeeProfile } | { kind: "wrong"; message: string } {
  const trimmed = { ...given, legal_name: given.legal_name.trim(), address: given.address.trim(), tax_id: given.tax_id?.trim() ?? null };
  if (given.method === "paypal") {
    const account = given.account.trim();
    if (!emailPattern.test(account)) return { kind: "wrong", message: "account must be the e-mail address of the PayPal account" };
    return { kind: "good", profile: { ...trimmed, account, bank_code: null } };
  }
  const account = withoutSpaces(given.account);
  const bankCode = given.bank_code === null ? null : withoutSpaces(given.bank_code);
  if (ibanPattern.test(account)) {
    if (!hasIbanChecksum(account)) return { kind: "wrong", message: "account is not a valid IBAN: its check digits do not match" };
    if (bankCode !== null && !bicPattern.test(bankCode)) return { kind: "wrong", message: "bank_code must be a BIC of 8 or 11 characters" };
  } else {
    if (!plainAccountPattern.test(account)) return { kind: "wrong", message: "account must be an IBAN or an account number" };
    if (bankCode === null) return { kind: "wrong", message: "bank_code is required with an account number that is not an IBAN" };
  }
  return { kind: "good", profile: { ...trimmed, account, bank_code: bankCode } };
}
