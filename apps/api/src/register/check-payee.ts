import type { PayeeProfile } from "@assay/contract/dashboard/settings.ts";
import { countrySpecs, ValidationErrorsIBAN, validateIBAN } from "ibantools";

/** Long enough to be an IBAN of any country, or the beginning of one of a country that has them. */
const ibanPattern = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const ibanStart = /^[A-Z]{2}\d{2}/;
const bicPattern = /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/;
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const plainAccountPattern = /^[A-Z0-9-]{4,34}$/;

/** Kosovo has IBANs and BICs under a code that ISO 3166 leaves to its users. */
const notInIso3166 = new Set(["XK"]);
const isCountry = (code: string): boolean => code in countrySpecs && !notInIso3166.has(code);
const hasIbans = (code: string): boolean => typeof countrySpecs[code]?.chars === "number";

/** Territories whose banks have a country code of their own in a BIC, and IBANs of the country that they belong to. */
const ibanCountryOf: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ FI: "AX", FR: "BL GF GP MF MQ NC PF PM RE TF WF YT", GB: "GG IM JE", NO: "SJ" }).flatMap(([country, territories]) =>
    territories.split(" ").map((territory) => [territory, country]),
  ),
);
const homeOf = (code: string): string => ibanCountryOf[code] ?? code;

const withoutSpaces = (text: string) => text.replaceAll(/\s/g, "").toUpperCase();

const ibanFaults: Partial<Record<ValidationErrorsIBAN, string>> = {
  [ValidationErrorsIBAN.NoIBANCountry]: "its country has no IBANs",
  [ValidationErrorsIBAN.WrongBBANLength]: "it has the wrong length for its country",
  [ValidationErrorsIBAN.WrongBBANFormat]: "it has letters or digits where its country has none",
};

/** As far as its form goes: whether it is written right is another question. */
export const isIban = (account: string): boolean => ibanPattern.test(account) || (ibanStart.test(account) && hasIbans(account.slice(0, 2)));

/** Why the bank account cannot be paid to; undefined if it can, as far as can be seen. */
function findBankFault(account: string, bankCode: string | null): string | undefined {
  if (!isIban(account)) {
    if (!plainAccountPattern.test(account)) return "account must be an IBAN or an account number";
    return bankCode === null ? "bank_code is required with an account number that is not an IBAN" : undefined;
  }
  const { valid, errorCodes } = validateIBAN(account);
  if (!valid) {
    const known = errorCodes.find((code) => ibanFaults[code] !== undefined);
    return `account is not a valid IBAN: ${known === undefined ? "its check digits do not match" : ibanFaults[known]!}`;
  }
  if (bankCode === null) return undefined;
  if (!bicPattern.test(bankCode)) return "bank_code must be a BIC of 8 or 11 characters";
  return homeOf(bankCode.slice(4, 6)) === homeOf(account.slice(0, 2)) ? undefined : "bank_code is the BIC of a bank in another country than the IBAN's";
}

/** Validates and normalizes a payee profile: a returned payout costs money. */
export function checkPayee(given: PayeeProfile): { kind: "good"; profile: PayeeProfile } | { kind: "wrong"; message: string } {
  const trimmed = { ...given, legal_name: given.legal_name.trim(), address: given.address.trim(), tax_id: given.tax_id?.trim() ?? null };
  if (!isCountry(given.country)) return { kind: "wrong", message: "country must be a country code of ISO 3166-1" };
  if (given.method === "paypal") {
    const account = given.account.trim();
    if (!emailPattern.test(account)) return { kind: "wrong", message: "account must be the e-mail address of the PayPal account" };
    return { kind: "good", profile: { ...trimmed, account, bank_code: null } };
  }
  const account = withoutSpaces(given.account);
  const bankCode = given.bank_code === null ? null : withoutSpaces(given.bank_code);
  const fault = findBankFault(account, bankCode);
  return fault === undefined ? { kind: "good", profile: { ...trimmed, account, bank_code: bankCode } } : { kind: "wrong", message: fault };
}
