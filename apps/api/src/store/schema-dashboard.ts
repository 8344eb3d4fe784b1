/** The tables behind the dashboard; the conventions are those of schema.ts. */
/** Everything but calls, by the hour; written in the transaction that appends the entries. */
export type MovementHourRow = {
  account_id: string;
  hour: number;
  kind: "click" | "funding" | "adjustment" | "reversal" | "payout" | "payout_returned";
  payer: "platform" | "developer" | "advertiser";
  entries: number;
  gross_micro: number;
  developer_micro: number;
  platform_micro: number;
};

/** Answered requests of an hour. Written behind the answers: a crash loses the last seconds of it. */
export type RequestHourRow = {
  account_id: string;
  hour: number;
  endpoint: string;
  /** Empty for a call from the playground, which has no key. */
  key_id: string;
  status: number;
  requests: number;
};

/** One recent request, or (without a request_id) how many more like it there were in its minute. */
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

/** Who is paid out. Personal data: it goes when the account is closed. */
export type PayeeProfileRow = {
  account_id: string;
  legal_name: string;
  address: string;
  country: string;
  tax_id: string | null;
  method: "bank_transfer" | "paypal";
  account: string;
  bank_code: string | null;
  updated_at: number;
};

export type TierRequestRow = {
  id: string;
  account_id: string;
  tier: string;
  state: "pending" | "applied" | "refused" | "withdrawn";
  requested_at: number;
  decided_at: number | null;
};
