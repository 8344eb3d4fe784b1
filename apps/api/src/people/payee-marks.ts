import type { PayeeProfile } from "@assay/contract/dashboard/settings.ts";
import { isIban } from "../register/check-payee.ts";
import type { Marks } from "../secrets/read-sealed-key.ts";
import type { PayeeMarkRow } from "../store/schema-dashboard.ts";

export type PayeeMark = Pick<PayeeMarkRow, "kind" | "mark">;

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
export async function marksOf({ mark }: Marks, profile: Marked): Promise<PayeeMark[]> {
  const taxText = taxTextOf(profile);
  return [
    { kind: "bank", mark: await mark("payee bank", bankTextOf(profile)) },
    ...(taxText === undefined ? [] : [{ kind: "tax" as const, mark: await mark("payee tax", taxText) }]),
  ];
}
