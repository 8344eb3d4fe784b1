import type { PayeeProfile } from "@assay/contract/dashboard/settings.ts";
import { ValidationErrorsIBAN, validateIBAN } from "ibantools";
import { bankCountryOf, countryOfBic, hasIbans, homeOf, isBankCountry, isBic, isCountry, isIban, lettersAndDigits } from "./bank-account.ts";
import { findNationalFault, saysItsBank } from "./national-accounts.ts";

const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
/** Invisible and look-alike characters, quotes and comments would make one address several. */
const plainEmailPattern = /^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9.-]+$/;
const plainAccountPattern = /^[A-Z0-9-]{4,34}$/;
const bankCodePattern = /^[A-Z0-9./-]{3,20}$/;
/** Letters of other alphabets look like these, and would make one number two. */
const taxIdPattern = /^[\u0020-\u007E]*[A-Za-z0-9][\u0020-\u007E]*$/;

const withoutSpaces = (text: string) => text.normalize("NFKC").replaceAll(/\s/g, "").toUpperCase();

const ibanFaults: Partial<Record<ValidationErrorsIBAN, string>> = {
  [ValidationErrorsIBAN.NoIBANCountry]: "its country has no IBANs",
  [ValidationErrorsIBAN.WrongBBANLength]: "it has the wrong length for its country",
  [ValidationErrorsIBAN.WrongBBANFormat]: "it has letters or digits where its country has none",
};

function findIbanFault(account: string, bankCode: string | null): string | undefined {
  const { valid, errorCodes } = validateIBAN(account);
  if (!valid) {
    const known = errorCodes.find((code) => ibanFaults[code] !== undefined);
    return `account is not a valid IBAN: ${known === undefined ? "its check digits do not match" : ibanFaults[known]!}`;
  }
  if (bankCode === null) return undefined;
  if (!isBic(bankCode)) return "bank_code must be a BIC of 8 or 11 characters";
  return homeOf(countryOfBic(bankCode)) === homeOf(account.slice(0, 2)) ? undefined : "bank_code is the BIC of a bank in another country than the IBAN's";
}

/** Territories whose own banks number accounts in other ways than those of the country that they belong to. */
const withOwnNumbers = new Set(["CK", "NU"]);

type Bank = { account: string; bankCode: string | null; bankCountry: string | null };

/** Why the bank account cannot be paid to; undefined if it can, as far as can be seen. */
function findBankFault({ account, bankCode, bankCountry }: Bank): string | undefined {
  if (isIban(account)) {
    const isElsewhere = bankCountry !== null && homeOf(bankCountry) !== homeOf(account.slice(0, 2));
    return findIbanFault(account, bankCode) ?? (isElsewhere ? "bank_country is another country than the IBAN's" : undefined);
  }
  if (!plainAccountPattern.test(account)) return "account must be an IBAN or an account number";
  if (isIban(lettersAndDigits(account))) return "account must be an IBAN without dashes, or an account number";
  if (bankCode !== null && !bankCodePattern.test(bankCode)) return "bank_code must be a BIC or the bank's national code";
  if (bankCode === null && !(bankCountry !== null && saysItsBank(homeOf(bankCountry)))) return "bank_code is required with an account number that is not an IBAN";
  if (bankCountry === null) return "bank_country is required with an account number that is not an IBAN";
  if (!isBankCountry(bankCountry)) return "bank_country must be a country code of ISO 3166-1";
  if (hasIbans(bankCountry)) return "account must be an IBAN: the banks of bank_country have them";
  const code = bankCode === null ? null : lettersAndDigits(bankCode);
  const bicCountry = code !== null && isBic(code) ? countryOfBic(code) : null;
  if (bicCountry !== null && homeOf(bicCountry) !== homeOf(bankCountry)) return "bank_code is the BIC of a bank in another country than bank_country";
  if (withOwnNumbers.has(bankCountry) && bicCountry === bankCountry) return undefined;
  return findNationalFault({ account: lettersAndDigits(account), code, country: homeOf(bankCountry) });
}

/** An account number of an earlier version may lack its IBAN: it stays valid until the bank account is changed. */
function keepsBank(given: PayeeProfile & { bank_code: string | null }, present: PayeeProfile | undefined): boolean {
  if (present === undefined || present.method !== given.method) return false;
  const isSameCountry = given.bank_country === undefined || given.bank_country === null || given.bank_country === present.bank_country;
  return isSameCountry && given.account === present.account && given.bank_code === present.bank_code;
}

/** Validates and normalizes a payee profile: a returned payout costs money. `present`: as it is so far. */
export function checkPayee(given: PayeeProfile, present?: PayeeProfile): { kind: "good"; profile: PayeeProfile & { bank_country: string | null } } | { kind: "wrong"; message: string } {
  const wrong = (message: string) => ({ kind: "wrong" as const, message });
  const taxId = given.tax_id?.trim().normalize("NFKC") ?? null;
  const trimmed = { ...given, legal_name: given.legal_name.trim(), address: given.address.trim(), tax_id: taxId };
  if (!isCountry(given.country)) return wrong("country must be a country code of ISO 3166-1");
  if (taxId !== null && taxId !== present?.tax_id && !taxIdPattern.test(taxId)) return wrong("tax_id must be written in the letters A to Z and the digits 0 to 9");
  if (given.method === "paypal") {
    const account = given.account.trim();
    const isPresent = present?.method === "paypal" && present.account === account;
    if (!emailPattern.test(account)) return wrong("account must be the e-mail address of the PayPal account");
    if (!isPresent && !plainEmailPattern.test(account)) return wrong("account must be an e-mail address in plain letters, digits and signs (ASCII), with the domain of other alphabets as xn--…");
    return { kind: "good", profile: { ...trimmed, account, bank_code: null, bank_country: null } };
  }
  const profile = { ...trimmed, account: withoutSpaces(given.account), bank_code: given.bank_code === null ? null : withoutSpaces(given.bank_code) };
  if (keepsBank(profile, present)) return { kind: "good", profile: { ...profile, bank_country: bankCountryOf(present!) } };
  // Only what the account itself says: where somebody lives is no word on the bank.
  const said = { ...profile, country: "" };
  const bankCountry = bankCountryOf(said) || null;
  const fault = findBankFault({ account: profile.account, bankCode: profile.bank_code, bankCountry });
  return fault === undefined ? { kind: "good", profile: { ...profile, bank_country: bankCountry } } : wrong(fault);
}
