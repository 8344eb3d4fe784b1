import type { PayeeProfile } from "@assay/contract/dashboard/settings.ts";
import { countrySpecs } from "ibantools";
import { codedForms, isAba, readCoded, wholeForms } from "./national-accounts.ts";

/** How bank accounts are written, and which ways of writing them name the same one. */

export type BankAccount = Pick<PayeeProfile, "method" | "account" | "bank_code" | "bank_country" | "country">;

/** Long enough to be an IBAN of any country, or the beginning of one of a country that has them. */
const ibanPattern = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const ibanStart = /^[A-Z]{2}\d{2}/;
const bicPattern = /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/;
const bicLength = 8;

/** Kosovo has IBANs and BICs under a code that ISO 3166 leaves to its users. */
const notInIso3166 = new Set(["XK"]);
export const isCountry = (code: string): boolean => code in countrySpecs && !notInIso3166.has(code);
/** Kosovo too. */
export const isBankCountry = (code: string): boolean => code in countrySpecs;

/** Territories that have a country code of their own, and the bank accounts of the country that they belong to. */
const bankingCountryOf: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ FI: "AX", FR: "BL GF GP MF MQ NC PF PM RE TF WF YT", GB: "GG IM JE", NO: "SJ", US: "AS GU MP PR UM VI", AU: "CC CX HM NF", NZ: "CK NU TK" }).flatMap(([country, territories]) =>
    territories.split(" ").map((territory) => [territory, country]),
  ),
);
export const homeOf = (code: string): string => bankingCountryOf[code] ?? code;
export const hasIbans = (code: string): boolean => typeof countrySpecs[homeOf(code)]?.chars === "number";

/** Full-width letters and digits become plain ones; what is neither is left out. */
export const lettersAndDigits = (text: string): string => text.normalize("NFKC").toUpperCase().replaceAll(/[^A-Z0-9]/g, "");

/** As far as its form goes: whether it is written right is another question. */
export const isIban = (account: string): boolean => ibanPattern.test(account) || (ibanStart.test(account) && typeof countrySpecs[account.slice(0, 2)]?.chars === "number");

export const isBic = (code: string): boolean => bicPattern.test(code) && isBankCountry(code.slice(4, 6));
export const countryOfBic = (bic: string): string => bic.slice(4, 6);

const withoutZeros = (number: string): string => number.replace(/^0+/, "");

/** In Britain and Ireland sort code and account number say everything: the letters before them are the bank's BIC. */
const coreOf = (country: string, bban: string): string => (["GB", "IE"].includes(country) ? bban.replace(/^[A-Z]{4}/, "") : bban);

function isBban(country: string, text: string): boolean {
  const pattern = countrySpecs[country]?.bban_regexp;
  if (pattern === undefined || pattern === null) return false;
  return new RegExp(pattern).test(text) || (["GB", "IE"].includes(country) && /^\d{14}$/.test(text));
}

/** The account numbers of a country without their bank that these two may be written as. */
function numbersOfBban(country: string, bban: string): string[] {
  const spec = countrySpecs[country]!;
  const ends = [spec.bank_identifier, spec.branch_indentifier].flatMap((range) => (range === undefined ? [] : [Number(range.split("-")[1]) + 1]));
  const afterBank = bban.slice(Math.max(0, ...ends));
  // The library counts these from the IBAN's beginning, with or without the last place.
  const [from = 0, to = 0] = (spec.account_indentifier ?? "").split("-").map((place) => Number(place) - "DE89".length);
  const named = from > 0 ? [bban.slice(from, to), bban.slice(from, to + 1), bban.slice(from)] : [];
  // Some countries have two check digits at the end.
  return [...new Set([afterBank, afterBank.slice(0, -2), ...named].map(withoutZeros))];
}

/** The IBAN's BBAN, or what account number and bank code of a country that has IBANs make together. */
function bbansOf(country: string, number: string, code: string): string[] {
  const lengths = ["GB", "IE"].includes(country) ? [14] : [countrySpecs[country]!.chars! - "DE89".length];
  const banks = isBic(code) ? [code.slice(0, 4)] : [code];
  const joined = banks.flatMap((bank) => lengths.filter((length) => length > bank.length).map((length) => bank + number.padStart(length - bank.length, "0")));
  return [...new Set([number, ...joined].filter((text) => isBban(country, text)).map((bban) => coreOf(country, bban)))];
}

/**
 * The country of the bank: as given, else as the IBAN or BIC has it, else the payee's own where its banks number accounts
 * like this. Null where that cannot be told.
 */
export function bankCountryOf({ method, account, bank_code: bankCode, bank_country: given, country }: BankAccount): string | null {
  if (method !== "bank_transfer") return null;
  if (given !== undefined && given !== null) return given;
  const number = lettersAndDigits(account);
  const code = lettersAndDigits(bankCode ?? "");
  if (isIban(number)) return number.slice(0, 2);
  if (isBic(code)) return countryOfBic(code);
  if (hasIbans(country)) return bbansOf(homeOf(country), number, code).length > 0 ? country : null;
  return country !== "US" || isAba(code) ? country : null;
}

/** Shorter numbers are many people's. */
const telling = { whereIbans: 5, elsewhere: 7 };

type Spellings = { exact: string[]; numbers: string[]; hasBank: boolean };

/**
 * Texts that are equal wherever two profiles name the same bank account. `exact` name the account. `numbers` name it
 * without its bank, which can be written in ways that no rule compares: by a BIC, a national code, or another of the
 * several routing numbers that an American bank has. With `hasBank` (an IBAN, or a whole number like it) the bank is known
 * for sure, so that a number alone means something only if another profile has nothing else.
 */
export function spellingsOf(profile: BankAccount): Spellings {
  const number = lettersAndDigits(profile.account);
  const code = lettersAndDigits(profile.bank_code ?? "");
  const country = homeOf(bankCountryOf(profile) ?? profile.country);
  // Also where somebody wrote zeros or dashes before or into it.
  const iban = [number, withoutZeros(number)].find(isIban);
  if (iban !== undefined) {
    const [home, bban] = [homeOf(iban.slice(0, 2)), iban.slice("DE89".length)];
    const numbers = home in countrySpecs ? numbersOfBban(home, bban) : [];
    return { exact: [`bban ${home} ${coreOf(home, bban)}`], numbers: numbersIn(home, numbers, telling.whereIbans), hasBank: true };
  }
  if (hasIbans(country)) {
    return { exact: bbansOf(country, number, code).map((bban) => `bban ${country} ${bban}`), numbers: numbersIn(country, [number], telling.whereIbans), hasBank: false };
  }
  return spellNational(country, number, code);
}

function spellNational(country: string, number: string, code: string): Spellings {
  const whole = wholeForms[country]?.read(number);
  if (whole !== undefined) return { exact: [`whole ${country} ${whole.account}`], numbers: numbersIn(country, whole.numbers, telling.elsewhere), hasBank: true };
  const part = wholeForms[country]?.readPart?.(number, code);
  const form = codedForms[country];
  const bank = form?.codeOf(code) ?? (isBic(code) ? code.slice(0, bicLength) : code);
  const read = [{ number, code: bank }, ...(form === undefined ? [] : readCoded(form, number, code))];
  const exact = read.map((each) => `account ${country} ${withoutZeros(each.number)} ${each.code}`);
  if (part?.account !== undefined) exact.push(`whole ${country} ${part.account}`);
  const numbers = [...read.map((each) => each.number), ...(part?.numbers ?? [])];
  return { exact, numbers: numbersIn(country, numbers, telling.elsewhere), hasBank: false };
}

const numbersIn = (country: string, numbers: readonly string[], lengthMin: number): string[] =>
  numbers.map(withoutZeros).filter((number) => number.length >= lengthMin).map((number) => `number ${country} ${number}`);
