import type { PayeeProfile } from "@assay/contract/dashboard/settings.ts";
import { domainToASCII } from "node:url";
import { isIban, spellingsOf } from "../register/bank-account.ts";
import type { Marks } from "../secrets/read-sealed-key.ts";
import type { PayeeMarkRow } from "../store/schema-dashboard.ts";

export type PayeeMark = Pick<PayeeMarkRow, "kind" | "mark"> & {
  /** Set where it means something only if another account has it. */
  ifShared?: true;
};

export type Marked = Pick<PayeeProfile, "method" | "account" | "bank_code" | "bank_country" | "tax_id" | "country">;

const asciiLettersAndDigits = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");

/** As earlier versions wrote it. The marks that accounts left behind are of it, and cannot be made anew. */
function firstBankText({ method, account, bank_code: bankCode }: Marked): string {
  if (method === "paypal") return `paypal ${account.toLowerCase()}`;
  if (isIban(account)) return `iban ${account}`;
  return `account ${asciiLettersAndDigits(account).replace(/^0+/, "")} ${asciiLettersAndDigits(bankCode ?? "")}`;
}

const gmail = new Set(["gmail.com", "googlemail.com"]);
/** Where what follows a plus is a note of the mailbox's owner. */
const plusIsNote = new Set([...gmail, "outlook.com", "hotmail.com", "live.com", "icloud.com", "me.com", "mac.com", "proton.me", "protonmail.com", "pm.me"]);

/** Addresses that surely reach one mailbox give one text. */
function mailboxOf(address: string): string {
  // Earlier versions accepted invisible characters.
  const written = address.normalize("NFKC").replaceAll(/\p{Cf}/gu, "").toLowerCase();
  const at = written.lastIndexOf("@");
  const domain = written.slice(at + 1).replace(/\.$/, "");
  const host = domainToASCII(domain) || domain;
  const local = plusIsNote.has(host) ? written.slice(0, at).replace(/\+.*$/s, "") : written.slice(0, at);
  return gmail.has(host) ? `${local.replaceAll(".", "")}@gmail.com` : `${local}@${host}`;
}

/** As earlier versions wrote it; undefined without a tax id. VAT numbers are written with and without their country. */
function firstTaxText({ tax_id: taxId, country }: Marked): string | undefined {
  const written = asciiLettersAndDigits(taxId ?? "");
  const number = written.startsWith(country) ? written.slice(country.length) : written;
  return number === "" ? undefined : `${country} ${number}`;
}

/** States whose VAT numbers begin with their code; Greece and Northern Ireland have one of their own. */
const vatPrefixes = new Map(
  "AT BE BG CY CZ DE DK EE ES FI FR GB HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ").map((code) => [code, code]),
).set("EL", "GR").set("XI", "GB");
const vatNumberLengthMin = 8;

/** A VAT number says itself whose it is, wherever its owner lives. */
function taxTextOf({ tax_id: taxId, country }: Marked): string | undefined {
  const written = asciiLettersAndDigits((taxId ?? "").normalize("NFKC"));
  const vatCountry = vatPrefixes.get(written.slice(0, 2));
  if (vatCountry !== undefined && written.length >= 2 + vatNumberLengthMin) return `${vatCountry} ${written.slice(2)}`;
  const number = written.startsWith(country) ? written.slice(country.length) : written;
  return number === "" ? undefined : `${country} ${number}`;
}

/**
 * The marks of a profile's bank account and tax id: all that name the same ones share one. Names and addresses have
 * none: they prove nothing. The first of each kind is as earlier versions made it.
 */
export async function marksOf({ mark }: Marks, profile: Marked): Promise<PayeeMark[]> {
  const bank = profile.method === "paypal" ? { exact: [`paypal ${mailboxOf(profile.account)}`], numbers: [], hasBank: true } : spellingsOf(profile);
  const taxTexts = [firstTaxText(profile), taxTextOf(profile)].filter((text) => text !== undefined);
  const markAll = (kind: PayeeMark["kind"], texts: readonly string[]) =>
    Promise.all([...new Set(texts)].map(async (text): Promise<PayeeMark> => ({ kind, mark: await mark(`payee ${kind}`, text) })));
  const numbers = await markAll("bank", bank.numbers);
  return [
    ...(await markAll("bank", [firstBankText(profile), ...bank.exact])),
    ...(bank.hasBank ? numbers.map((each) => ({ ...each, ifShared: true as const })) : numbers),
    ...(await markAll("tax", taxTexts)),
  ];
}
