import Type, { type Static, type TObject } from "typebox";
import { waitingReasons } from "./dashboard/waiting.ts";
import { neverChosen } from "./never-chosen.ts";

/** Who is told: the developer whose account it concerns, or the operators of the installation. */
export type Audience = "developer" | "operator";

/** What a person chooses mails by. */
export const noticeTopics = ["money", "security", "findings", "limits", "models", "operations"] as const;
export type NoticeTopic = (typeof noticeTopics)[number];

type EventKind = {
  audiences: readonly Audience[];
  topic: NoticeTopic;
  /** When it happens, in a sentence. */
  summary: string;
  data: TObject;
  example: Readonly<Record<string, unknown>>;
};

const id = (description: string, example: string) => Type.String({ description: `${description}, such as \`${example}\`.` });
const time = (description: string) => Type.String({ format: "date-time", description });
const usd = (description: string) => Type.Number({ description });
const count = (description: string) => Type.Integer({ description });

const accountId = id("The account that it concerns", "acct_…");
const account = { account_id: accountId };
const exampleAccount = { account_id: "acct_0Q5ZLr8k000aB3dE6gH9jKm" };

const payoutData = Type.Object({
  ...account,
  payout_id: id("The payout", "po_…"),
  month: Type.String({ description: "The last month that it pays for, as YYYY-MM." }),
  amount_usd: usd("The amount."),
});
const payoutExample = { ...exampleAccount, payout_id: "po_0Q5ZLr8k000Nn2Pp5Rr8Tt1", month: "2026-01", amount_usd: 340 };
const payout = (summary: string) => ({ audiences: ["developer"], topic: "money", summary, data: payoutData, example: payoutExample }) as const satisfies EventKind;

const finding = { ...account, finding_id: id("The finding", "find_…") };
const findingExample = { ...exampleAccount, finding_id: "find_0Q5ZLr8k000Vv3Xx6Zz9Bb2" };

const waiting = {
  waiting_id: id("What waits", "wait_…"),
  reason: Type.Enum([...waitingReasons], { description: "Why it cannot be examined." }),
  day: Type.String({ description: "The day, as YYYY-MM-DD." }),
};
const exampleWaiting = { waiting_id: "wait_0Q5ZLr8k000Ww1Yy3Aa5Cc7", reason: "repeated_session", day: "2026-01-05" } as const;

const key = { ...account, key_id: id("The key; never the key itself", "key_…"), mode: Type.Enum(["live", "test"], { description: "What kind of key it is." }), last_four: Type.String({ description: "Its last four characters." }) };
const keyExample = { ...exampleAccount, key_id: "key_0Q5ZLr8k000Cc4Dd7Ee0Ff3", mode: "live", last_four: "x7Qa" };

const limit = Type.Object({
  ...account,
  limit: Type.Enum(["burst", "hour"], { description: "The window: a minute (`burst`) or an hour." }),
  calls: count("The calls that the window allows."),
});

/** Every event that Assay tells of, by its `type`. A type never changes its meaning; `data` only gains fields. */
export const eventKinds = {
  "payout.proposed": payout("A payout was proposed: it waits for an operator's approval."),
  "payout.approved": payout("An operator approved a payout."),
  "payout.exported": payout("A payout is in the file for the bank."),
  "payout.paid": payout("The bank has paid."),
  "payout.returned": payout("A payout came back. If it had been paid, its amount is in the balance again."),
  "payout.cancelled": payout("A payout was cancelled before it was exported; its amount is in the balance again."),
  "hold.opened": {
    audiences: ["developer"],
    topic: "money",
    summary: "The account's money is held: nothing is confirmed or paid until it is lifted.",
    data: Type.Object({ ...account, kind: Type.String({ description: "Why in a word: `operator`, `suspension` …" }) }),
    example: { ...exampleAccount, kind: "operator" },
  },
  "hold.lifted": {
    audiences: ["developer"],
    topic: "money",
    summary: "Holds on the account's money were lifted.",
    data: Type.Object({ ...account, kinds: Type.Array(Type.String(), { description: "The kinds of holds that ended." }) }),
    example: { ...exampleAccount, kinds: ["operator"] },
  },
  "payee.changed": {
    audiences: ["developer"],
    topic: "security",
    summary: "Where the account's money is sent was entered or changed.",
    data: Type.Object({
      ...account,
      fields: Type.Array(Type.String(), { description: "The names of the fields that changed, never their values." }),
      rests_until: Type.Union([time("Payouts wait until then."), Type.Null()], { description: "Until when payouts wait; null if they do not." }),
      cancelled_payouts: Type.Array(Type.String(), { description: "Payouts that the change cancelled." }),
    }),
    example: { ...exampleAccount, fields: ["account"], rests_until: "2026-02-21T09:30:00.000Z", cancelled_payouts: [] },
  },
  "review.needed": {
    audiences: ["developer", "operator"],
    topic: "money",
    summary: "A part of the account's money waits until an operator has reviewed its growth.",
    data: Type.Object({ ...account, waiting_usd: usd("What waits.") }),
    example: { ...exampleAccount, waiting_usd: 512.3 },
  },
  "review.done": {
    audiences: ["developer"],
    topic: "money",
    summary: "An operator reviewed the account.",
    data: Type.Object({ ...account, monthly_usd: Type.Union([usd("The sum."), Type.Null()], { description: "What may become payable per month from now on; null if the review was taken back." }) }),
    example: { ...exampleAccount, monthly_usd: 2000 },
  },
  "earnings.waiting": {
    audiences: ["developer", "operator"],
    topic: "money",
    summary: "A part of a day's earnings cannot be examined. It waits until an operator has decided about it.",
    data: Type.Object({ ...account, ...waiting, waiting_usd: usd("What waits.") }),
    example: { ...exampleAccount, ...exampleWaiting, waiting_usd: 66.5 },
  },
  "earnings.settled": {
    audiences: ["developer"],
    topic: "money",
    summary: "An operator settled earnings that had waited because nobody could examine them.",
    data: Type.Object({ ...account, ...waiting, settled_usd: usd("What was settled.") }),
    example: { ...exampleAccount, ...exampleWaiting, settled_usd: 66.5 },
  },
  "statement.closed": {
    audiences: ["developer"],
    topic: "money",
    summary: "A month is over and its statement is final.",
    data: Type.Object({ ...account, month: Type.String({ description: "The month, as YYYY-MM." }), document_number: Type.String({ description: "The statement's number." }), closing_usd: usd("The balance at its end.") }),
    example: { ...exampleAccount, month: "2026-01", document_number: "2026-01-000017", closing_usd: 431.5 },
  },
  "adjustment.made": {
    audiences: ["developer"],
    topic: "money",
    summary: "An operator booked an adjustment or a deposit.",
    data: Type.Object({ ...account, kind: Type.Enum(["adjustment", "deposit"], { description: "What was booked." }), amount_usd: usd("The amount; negative if it was taken away."), receipt: Type.String({ description: "The ledger entry, as `<seq>.<hash>`." }) }),
    example: { ...exampleAccount, kind: "adjustment", amount_usd: -1.5, receipt: "4711.9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" },
  },
  "calls.reversed": {
    audiences: ["developer"],
    topic: "money",
    summary: "Calls that were not confirmed yet were reversed.",
    data: Type.Object({ ...account, refs: Type.Array(Type.String(), { description: "The reversals, by the `ref` of their entries." }), calls: count("How many calls."), developer_usd: usd("What the account had earned with them.") }),
    example: { ...exampleAccount, refs: ["day:2026-01-05"], calls: 120, developer_usd: 4.08 },
  },
  "clicks.reversed": {
    audiences: ["developer"],
    topic: "money",
    summary: "Paid clicks that were not confirmed yet were reversed.",
    data: Type.Object({ ...account, ad_ids: Type.Array(Type.String(), { description: "The ads that were clicked, 100 at most." }), clicks: count("How many clicks."), developer_usd: usd("What the account had earned with them.") }),
    example: { ...exampleAccount, ad_ids: ["ad_0Q5ZLr8k000Gg5Hh8Ii1Jj4"], clicks: 1, developer_usd: 0.17 },
  },
  "finding.opened": {
    audiences: ["developer", "operator"],
    topic: "findings",
    summary: "A check found something in the account's traffic, and its money is held until the finding is decided.",
    data: Type.Object({ ...finding, check: Type.String({ description: "The check that found it." }) }),
    example: { ...findingExample, check: "duplicates" },
  },
  "finding.answered": {
    audiences: ["developer", "operator"],
    topic: "findings",
    summary: "The developer answered a finding. A later answer replaces it and is not told again.",
    data: Type.Object(finding),
    example: findingExample,
  },
  "finding.overdue": {
    audiences: ["developer", "operator"],
    topic: "findings",
    summary: "A finding has waited for an operator's decision for more than 14 days.",
    data: Type.Object({ ...finding, opened_at: time("Since when it is open.") }),
    example: { ...findingExample, opened_at: "2026-01-05T02:00:00.000Z" },
  },
  "finding.decided": {
    audiences: ["developer"],
    topic: "findings",
    summary: "A finding was decided, or the developer accepted it.",
    data: Type.Object({ ...finding, decision: Type.Enum(["upheld", "dismissed", "accepted", "reopened"], { description: "What was decided." }) }),
    example: { ...findingExample, decision: "dismissed" },
  },
  "balance.low": {
    audiences: ["developer"],
    topic: "money",
    summary: "Where calls are prepaid: what is left pays for few calls. Once per deposit.",
    data: Type.Object({ ...account, spendable_usd: usd("What is left."), calls_left: count("The calls that it pays for.") }),
    example: { ...exampleAccount, spendable_usd: 0.95, calls_left: 19 },
  },
  "key.created": { audiences: ["developer"], topic: "security", summary: "An API key was created, or created by rotating another one.", data: Type.Object(key), example: keyExample },
  "key.expiring": {
    audiences: ["developer"],
    topic: "security",
    summary: "An API key stops working soon: told seven days and one day before.",
    data: Type.Object({ ...key, expires_at: time("When it stops working.") }),
    example: { ...keyExample, expires_at: "2026-02-21T09:30:00.000Z" },
  },
  "key.revoked": {
    audiences: ["developer"],
    topic: "security",
    summary: "An API key was revoked, or replaced by rotation.",
    data: Type.Object({ ...key, works_until: Type.Union([time("Until when."), Type.Null()], { description: "Until when a rotated key still works; null if it no longer does." }) }),
    example: { ...keyExample, works_until: null },
  },
  "key.used_in_browser": {
    audiences: ["developer"],
    topic: "security",
    summary: "A live key was sent by a browser, so visitors can read it. Once per key and day.",
    data: Type.Object(key),
    example: keyExample,
  },
  "limit.near": { audiences: ["developer"], topic: "limits", summary: "80 % of a limit is used up. Once per limit and hour.", data: limit, example: { ...exampleAccount, limit: "hour", calls: 1000 } },
  "limit.reached": { audiences: ["developer"], topic: "limits", summary: "Calls were refused with 429. Once per limit and hour.", data: limit, example: { ...exampleAccount, limit: "hour", calls: 1000 } },
  "model.released": {
    audiences: ["developer"],
    topic: "models",
    summary: "This installation scores with a new model.",
    data: Type.Object({
      ...account,
      model_version: Type.String({ description: "The new model." }),
      previous_version: Type.String({ description: "The one before it." }),
      switches_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
        description: "When the new model begins to score the account's sessions; null if it already does, or the account has pinned another.",
      }),
    }),
    example: { ...exampleAccount, model_version: "2.0.0", previous_version: "1.0.0", switches_at: "2026-02-14T00:00:00.000Z" },
  },
  "model.sunset": {
    audiences: ["developer"],
    topic: "models",
    summary: "The model that scores the account's sessions ends for it within 30 days. Once for each such time.",
    data: Type.Object({ ...account, model_version: Type.String({ description: "The model that ends." }), ends_at: time("When it ends.") }),
    example: { ...exampleAccount, model_version: "1.0.0", ends_at: "2026-03-15T00:00:00.000Z" },
  },
  "calibration.drifted": {
    audiences: ["developer"],
    topic: "models",
    summary: "The outcomes that the account reports no longer go with the scores as they did before. Once per month.",
    data: Type.Object({
      ...account,
      sessions: count("Sessions with an outcome in the last 30 days."),
      expected_share: Type.Number({ description: "Mean score / 100 of sessions with earlier outcomes, good and bad ones weighing one half each." }),
      observed_share: Type.Number({ description: "The same of these sessions. Higher: scores promise more than they did; lower: less." }),
    }),
    example: { ...exampleAccount, sessions: 812, expected_share: 0.51, observed_share: 0.64 },
  },
  "campaign.exhausted": {
    audiences: ["operator"],
    topic: "operations",
    summary: "A campaign's budget is used up.",
    data: Type.Object({ campaign_id: id("The campaign", "camp_…") }),
    example: { campaign_id: "camp_0Q5ZLr8k000Kk6Ll9Mm2Nn5" },
  },
  "creative.pending": {
    audiences: ["operator"],
    topic: "operations",
    summary: "A creative waits for approval.",
    data: Type.Object({ campaign_id: id("The campaign", "camp_…"), creative_id: id("The creative", "crea_…") }),
    example: { campaign_id: "camp_0Q5ZLr8k000Kk6Ll9Mm2Nn5", creative_id: "crea_0Q5ZLr8k000Oo7Pp0Qq3Rr6" },
  },
  "payout.waiting": {
    audiences: ["operator"],
    topic: "operations",
    summary: "Payouts were proposed and wait for approval.",
    data: Type.Object({ payouts: count("How many were proposed."), amount_usd: usd("Their sum.") }),
    example: { payouts: 12, amount_usd: 4080 },
  },
  "tier.requested": {
    audiences: ["operator"],
    topic: "operations",
    summary: "A developer asks for another tier. Until it is decided, told once per day at most, whatever tier is asked for.",
    data: Type.Object({ ...account, tier: Type.String({ description: "The tier that was asked for." }) }),
    example: { ...exampleAccount, tier: "growth" },
  },
  "funding.low": {
    audiences: ["operator"],
    topic: "operations",
    summary: "The funds do not cover what will be payable next. Once per day.",
    data: Type.Object({ available_usd: usd("The funds that are not promised."), owed_usd: usd("What accounts have earned and were not paid.") }),
    example: { available_usd: 120, owed_usd: 913.4 },
  },
  "job.failing": {
    audiences: ["operator"],
    topic: "operations",
    summary: "A job failed three times in a row. Once per job and day.",
    data: Type.Object({ job: Type.String({ description: "The job, as in docs/jobs.md." }), failures: count("Failures in a row.") }),
    example: { job: "settle_calls", failures: 3 },
  },
  "log.unwitnessed": {
    audiences: ["operator"],
    topic: "operations",
    summary: "No witness has cosigned the log for an hour. Once per day.",
    data: Type.Object({ log: Type.String({ description: "The log's origin." }), since: time("Since when.") }),
    example: { log: "assay.example/log", since: "2026-02-14T08:00:00.000Z" },
  },
  "webhook.test": {
    audiences: ["developer", "operator"],
    topic: "operations",
    summary: "Somebody asked for a test. Sent to one endpoint, whatever events it chose.",
    data: Type.Object({ endpoint_id: id("The endpoint", "wh_…") }),
    example: { endpoint_id: "wh_0Q5ZLr8k000Ss8Tt1Uu4Vv7" },
  },
  "webhook.disabled": {
    audiences: ["developer", "operator"],
    topic: "security",
    summary: "An endpoint was switched off, because it answered 410 or failed for a week. Only mailed.",
    data: Type.Object({ endpoint_id: id("The endpoint", "wh_…"), reason: Type.Enum(["gone", "failing"], { description: "Why." }) }),
    example: { endpoint_id: "wh_0Q5ZLr8k000Ss8Tt1Uu4Vv7", reason: "failing" },
  },
} as const satisfies Record<string, EventKind>;

export type EventType = keyof typeof eventKinds;
export const eventTypes = Object.keys(eventKinds) as EventType[];
export type EventData<Each extends EventType> = Static<(typeof eventKinds)[Each]["data"]>;

/** What is sent to endpoints: all but the one type that is only mailed. */
export const deliveredTypes: readonly EventType[] = eventTypes.filter((type) => type !== "webhook.disabled");

/** What an endpoint can choose: everything else that its audience is told of. */
export const choosableTypes = (audience: Audience): EventType[] =>
  eventTypes.filter((type) => !neverChosen.has(type) && (eventKinds[type].audiences as readonly Audience[]).includes(audience));
