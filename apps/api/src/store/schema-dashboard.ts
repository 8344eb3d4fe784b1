/** The tables behind the console, with the conventions of schema.ts. */
import type { Generated } from "kysely";

/** All ledger entries except calls, per hour; written in the transaction that appends the entries. */
export type MovementHourRow = {
  account_id: string;
  hour: number;
  kind: "click" | "funding" | "deposit" | "adjustment" | "reversal" | "payout" | "payout_returned";
  payer: "platform" | "developer" | "advertiser";
  entries: number;
  gross_micro: number;
  developer_micro: number;
  platform_micro: number;
};

/** Answered requests per hour. Written after the answers: a crash loses the last seconds. */
export type RequestHourRow = {
  account_id: string;
  hour: number;
  endpoint: string;
  /** Empty for a call from the playground, which has no key. */
  key_id: string;
  status: number;
  requests: number;
};

/** One recent request, or (without a request_id) the number of further similar ones in its minute. */
export type RequestLogRow = {
  account_id: string;
  id: string;
  at: number;
  request_id: string | null;
  method: string;
  endpoint: string;
  key_id: string;
  status: number;
  error: string | null;
  message: string | null;
  duration_ms: number | null;
  requests: number;
};

/** Personal data: deleted when the account is closed. */
export type PayeeProfileRow = {
  account_id: string;
  legal_name: string;
  address: string;
  country: string;
  tax_id: string | null;
  method: "bank_transfer" | "paypal";
  account: string;
  bank_code: string | null;
  /** Of the bank; null with PayPal, and where an earlier version did not ask for it. */
  bank_country?: string | null;
  updated_at: number;
};

/** `usable_from`: payouts to it may be proposed from then on; 0 for the first entry, which counts at once. */
export type PayeeProfileTable = Omit<PayeeProfileRow, "bank_country"> & {
  bank_country: string | null;
  usable_from: Generated<number>;
  /** `updated_at` of the state of the profile that its marks are of; -1: marks of an earlier version. */
  marked_at: Generated<number>;
};

/** A keyed hash of a bank account or tax id that an account named, and when it first did. */
export type PayeeMarkRow = { account_id: string; kind: "bank" | "tax"; mark: string; entered_at: number };

/** An operator ended the link of an account to an earlier one. */
/** `proven`: the account proved that what both named is its own, and the other one is linked to it instead. */
export type PayeeUnlinkRow = { account_id: string; from_account_id: string; unlinked_at: number; proven: Generated<number> };

export type TierRequestRow = {
  id: string;
  account_id: string;
  tier: string;
  state: "pending" | "applied" | "refused" | "withdrawn";
  requested_at: number;
  decided_at: number | null;
};
