// Generated from packages/contract by packages/sdk/scripts/print-types.ts; types.test.ts fails when it is out of date.

/** `data` of every type of event. */
export type WebhookData = {
  /** A payout was proposed: it waits for an operator's approval. */
  "payout.proposed": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The payout, such as `po_…`. */
    payout_id: string;
    /** The last month that it pays for, as YYYY-MM. */
    month: string;
    /** The amount. */
    amount_usd: number;
  };
  /** An operator approved a payout. */
  "payout.approved": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The payout, such as `po_…`. */
    payout_id: string;
    /** The last month that it pays for, as YYYY-MM. */
    month: string;
    /** The amount. */
    amount_usd: number;
  };
  /** A payout is in the file for the bank. */
  "payout.exported": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The payout, such as `po_…`. */
    payout_id: string;
    /** The last month that it pays for, as YYYY-MM. */
    month: string;
    /** The amount. */
    amount_usd: number;
  };
  /** The bank has paid. */
  "payout.paid": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The payout, such as `po_…`. */
    payout_id: string;
    /** The last month that it pays for, as YYYY-MM. */
    month: string;
    /** The amount. */
    amount_usd: number;
  };
  /** A payout came back. If it had been paid, its amount is in the balance again. */
  "payout.returned": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The payout, such as `po_…`. */
    payout_id: string;
    /** The last month that it pays for, as YYYY-MM. */
    month: string;
    /** The amount. */
    amount_usd: number;
  };
  /** A payout was cancelled before it was exported; its amount is in the balance again. */
  "payout.cancelled": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The payout, such as `po_…`. */
    payout_id: string;
    /** The last month that it pays for, as YYYY-MM. */
    month: string;
    /** The amount. */
    amount_usd: number;
  };
  /** The account's money is held: nothing is confirmed or paid until it is lifted. */
  "hold.opened": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** Why in a word: `operator`, `suspension` … */
    kind: string;
  };
  /** Holds on the account's money were lifted. */
  "hold.lifted": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The kinds of holds that ended. */
    kinds: string[];
  };
  /** Where the account's money is sent was entered or changed. */
  "payee.changed": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The names of the fields that changed, never their values. */
    fields: string[];
    /** Until when payouts wait; null if they do not. */
    rests_until: string | null;
    /** Payouts that the change cancelled. */
    cancelled_payouts: string[];
  };
  /** A part of the account's money waits until an operator has reviewed its growth. */
  "review.needed": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** What waits. */
    waiting_usd: number;
  };
  /** An operator reviewed the account. */
  "review.done": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** What may become payable per month from now on; null if the review was taken back. */
    monthly_usd: number | null;
  };
  /** A part of a day's earnings cannot be examined. It waits until an operator has decided about it. */
  "earnings.waiting": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** What waits, such as `wait_…`. */
    waiting_id: string;
    /** Why it cannot be examined. */
    reason: "repeated_session" | "unexamined" | "crowded_network";
    /** The day, as YYYY-MM-DD. */
    day: string;
    /** What waits. */
    waiting_usd: number;
  };
  /** An operator settled earnings that had waited because nobody could examine them. */
  "earnings.settled": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** What waits, such as `wait_…`. */
    waiting_id: string;
    /** Why it cannot be examined. */
    reason: "repeated_session" | "unexamined" | "crowded_network";
    /** The day, as YYYY-MM-DD. */
    day: string;
    /** What was settled. */
    settled_usd: number;
  };
  /** A month is over and its statement is final. */
  "statement.closed": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The month, as YYYY-MM. */
    month: string;
    /** The statement's number. */
    document_number: string;
    /** The balance at its end. */
    closing_usd: number;
  };
  /** An operator booked an adjustment or a deposit. */
  "adjustment.made": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** What was booked. */
    kind: "adjustment" | "deposit";
    /** The amount; negative if it was taken away. */
    amount_usd: number;
    /** The ledger entry, as `<seq>.<hash>`. */
    receipt: string;
  };
  /** Calls that were not confirmed yet were reversed. */
  "calls.reversed": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The reversals, by the `ref` of their entries. */
    refs: string[];
    /** How many calls. */
    calls: number;
    /** What the account had earned with them. */
    developer_usd: number;
  };
  /** Paid clicks that were not confirmed yet were reversed. */
  "clicks.reversed": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The ads that were clicked, 100 at most. */
    ad_ids: string[];
    /** How many clicks. */
    clicks: number;
    /** What the account had earned with them. */
    developer_usd: number;
  };
  /** A check found something in the account's traffic, and its money is held until the finding is decided. */
  "finding.opened": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The finding, such as `find_…`. */
    finding_id: string;
    /** The check that found it. */
    check: string;
  };
  /** The developer answered a finding. A later answer replaces it and is not told again. */
  "finding.answered": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The finding, such as `find_…`. */
    finding_id: string;
  };
  /** A finding has waited for an operator's decision for more than 14 days. */
  "finding.overdue": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The finding, such as `find_…`. */
    finding_id: string;
    /** Since when it is open. */
    opened_at: string;
  };
  /** A finding was decided, or the developer accepted it. */
  "finding.decided": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The finding, such as `find_…`. */
    finding_id: string;
    /** What was decided. */
    decision: "upheld" | "dismissed" | "accepted" | "reopened";
  };
  /** Where calls are prepaid: what is left pays for few calls. Once per deposit. */
  "balance.low": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** What is left. */
    spendable_usd: number;
    /** The calls that it pays for. */
    calls_left: number;
  };
  /** An API key was created, or created by rotating another one. */
  "key.created": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The key; never the key itself, such as `key_…`. */
    key_id: string;
    /** What kind of key it is. */
    mode: "live" | "test";
    /** Its last four characters. */
    last_four: string;
  };
  /** An API key stops working soon: told seven days and one day before. */
  "key.expiring": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The key; never the key itself, such as `key_…`. */
    key_id: string;
    /** What kind of key it is. */
    mode: "live" | "test";
    /** Its last four characters. */
    last_four: string;
    /** When it stops working. */
    expires_at: string;
  };
  /** An API key was revoked, or replaced by rotation. */
  "key.revoked": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The key; never the key itself, such as `key_…`. */
    key_id: string;
    /** What kind of key it is. */
    mode: "live" | "test";
    /** Its last four characters. */
    last_four: string;
    /** Until when a rotated key still works; null if it no longer does. */
    works_until: string | null;
  };
  /** A live key was sent by a browser, so visitors can read it. Once per key and day. */
  "key.used_in_browser": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The key; never the key itself, such as `key_…`. */
    key_id: string;
    /** What kind of key it is. */
    mode: "live" | "test";
    /** Its last four characters. */
    last_four: string;
  };
  /** 80 % of a limit is used up. Once per limit and hour. */
  "limit.near": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The window: a minute (`burst`) or an hour. */
    limit: "burst" | "hour";
    /** The calls that the window allows. */
    calls: number;
  };
  /** Calls were refused with 429. Once per limit and hour. */
  "limit.reached": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The window: a minute (`burst`) or an hour. */
    limit: "burst" | "hour";
    /** The calls that the window allows. */
    calls: number;
  };
  /** This installation scores with a new model. */
  "model.released": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The new model. */
    model_version: string;
    /** The one before it. */
    previous_version: string;
    /** When the new model begins to score the account's sessions; null if it already does, or the account has pinned another. */
    switches_at: string | null;
  };
  /** The model that scores the account's sessions ends for it within 30 days. Once for each such time. */
  "model.sunset": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The model that ends. */
    model_version: string;
    /** When it ends. */
    ends_at: string;
  };
  /** The outcomes that the account reports no longer go with the scores as they did before. Once per month. */
  "calibration.drifted": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** Sessions with an outcome in the last 30 days. */
    sessions: number;
    /** Mean score / 100 of sessions with earlier outcomes, good and bad ones weighing one half each. */
    expected_share: number;
    /** The same of these sessions. Higher: scores promise more than they did; lower: less. */
    observed_share: number;
  };
  /** A campaign's budget is used up. */
  "campaign.exhausted": {
    /** The campaign, such as `camp_…`. */
    campaign_id: string;
  };
  /** A creative waits for approval. */
  "creative.pending": {
    /** The campaign, such as `camp_…`. */
    campaign_id: string;
    /** The creative, such as `crea_…`. */
    creative_id: string;
  };
  /** Payouts were proposed and wait for approval. */
  "payout.waiting": {
    /** How many were proposed. */
    payouts: number;
    /** Their sum. */
    amount_usd: number;
  };
  /** A developer asks for another tier. Until it is decided, told once per day at most, whatever tier is asked for. */
  "tier.requested": {
    /** The account that it concerns, such as `acct_…`. */
    account_id: string;
    /** The tier that was asked for. */
    tier: string;
  };
  /** The funds do not cover what will be payable next. Once per day. */
  "funding.low": {
    /** The funds that are not promised. */
    available_usd: number;
    /** What accounts have earned and were not paid. */
    owed_usd: number;
  };
  /** A job failed three times in a row. Once per job and day. */
  "job.failing": {
    /** The job, as in docs/jobs.md. */
    job: string;
    /** Failures in a row. */
    failures: number;
  };
  /** No witness has cosigned the log for an hour. Once per day. */
  "log.unwitnessed": {
    /** The log's origin. */
    log: string;
    /** Since when. */
    since: string;
  };
  /** Somebody asked for a test. Sent to one endpoint, whatever events it chose. */
  "webhook.test": {
    /** The endpoint, such as `wh_…`. */
    endpoint_id: string;
  };
};
