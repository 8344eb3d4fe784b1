import type { PayeeProfile } from "@assay/contract/dashboard/settings.ts";
import { isIban } from "../register/check-payee.ts";
import type { PayeeMarkRow } from "../store/schema-dashboard.ts";

export type PayeeMark = Pick<PayeeMarkRow, "kind" | "mark">;
/** A keyed hash: equal texts have equal marks, and a mark tells nothing to someone who has only the store. */
export type MarkOf = (purpose: string, text: string) => Promise<string>;

type Marked = Pick<PayeeProfile, "method" | "account" | "bank_code" | "tax_id" | "country">;

const lettersAndDigits = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");

function bankTextOf({ method, account, bank_code: bankCode }: Marked): string {
  if (method === "paypal") return `paypal ${account.toLowerCase()}`;
  if (isIban(account)) return `iban ${account}`;
  return `account ${lettersAndDigits(account).replace(/^0+/, "")} ${lettersAndDigits(bankCode ?? "")}`;
}

/** Undefined without a tax id. VAT numbers are written with and without their country. */
function taxTextOf({ tax_id: taxId, country }: Marked): string | undefined {
  const written = lettersAndDigits(taxId ?? "");
  const number = written.startsWith(country) ? written.slice(country.length) : written;
  return number === "" ? undefined : `${country} ${number}`;
}

/** The marks of a profile's bank account and tax id. Names and addresses have none: they prove nothing. */
export async function marksOf(markOf: MarkOf, profile: Marked): Promise<PayeeMark[]> {
  const texts = { bank: bankTextOf(profile), tax: taxTextOf(profile) };
  const marks: PayeeMark[] = [];
  for (const kind of ["bank", "tax"] as const) {
    const text = texts[kind];
    if (text !== undefined) marks.push({ kind, mark: await markOf(`payee ${kind}`, text) });
  }
  return marks;
}
