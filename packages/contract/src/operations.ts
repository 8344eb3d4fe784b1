import Type, { type Static } from "typebox";
import {
  attestedFromMs,
  clockToleranceMs,
  lateAfterMs,
  lateCreditMsMax,
  networkQuota,
  nextMsRanges,
  sessionLifeMs,
  siteQuota,
  tokenLifeMs,
} from "./attestation.ts";
import { Thresholds } from "./scoring.ts";

export const HealthReply = Type.Object(
  {
    status: Type.Enum(["ok", "unavailable"], { description: "unavailable is sent with status 503." }),
    reason: Type.Optional(Type.String({ description: "Why it is unavailable: starting, draining, or the store does not answer." })),
  },
  { $id: "Health", title: "Health", description: "The node is healthy.", examples: [{ status: "ok" }] },
);

export const UnavailableReply = Type.Object(HealthReply.properties, {
  title: "Unavailable",
  description: "The node is unavailable; `reason` says why.",
  examples: [{ status: "unavailable", reason: "the store does not answer" }],
});

const quota = (description: string) =>
  Type.Object(
    {
      per_minute: Type.Integer({ description: "In any minute." }),
      per_hour: Type.Integer({ description: "In any hour." }),
    },
    { description },
  );

/** The rules of attested sessions: the same for everybody, and open to everybody. */
const AttestationRules = Type.Object(
  {
    next_ms: Type.Array(
      Type.Object({
        min: Type.Integer({ description: "Earliest, in milliseconds." }),
        max: Type.Integer({ description: "Latest, in milliseconds." }),
      }),
      { description: "When a beat is due after the one before: the first, the second, and every later one. The moment is drawn at random." },
    ),
    attested_from_ms: Type.Integer({ description: "A session counts as attested from its first beat on that came this long after its start." }),
    clock_tolerance_ms: Type.Integer({ description: "Credited time exceeds what passed on the service's clock by at most this, over any part of a session." }),
    late_after_ms: Type.Integer({ description: "A beat that comes this much after it was due is late." }),
    late_credit_ms_max: Type.Integer({ description: "What a late beat is credited at most." }),
    token_life_ms: Type.Integer({ description: "A token expires this long after its last beat." }),
    session_life_ms: Type.Integer({ description: "A session ends this long after its start." }),
    network_quota: quota("Sessions that may begin in one network (IPv4 /24, IPv6 /48), over all accounts, before the next ones are crowded."),
    site_quota: quota("Sessions that may begin on one site before the next ones are crowded, not counting those that their network makes crowded."),
  },
  { description: "How sessions are attested." },
);

const quotaOf = ({ perMinute, perHour }: { perMinute: number; perHour: number }): Static<ReturnType<typeof quota>> => ({ per_minute: perMinute, per_hour: perHour });

export const attestationRules: Static<typeof AttestationRules> = {
  next_ms: nextMsRanges.map(([min, max]) => ({ min, max })),
  attested_from_ms: attestedFromMs,
  clock_tolerance_ms: clockToleranceMs,
  late_after_ms: lateAfterMs,
  late_credit_ms_max: lateCreditMsMax,
  token_life_ms: tokenLifeMs,
  session_life_ms: sessionLifeMs,
  network_quota: quotaOf(networkQuota),
  site_quota: quotaOf(siteQuota),
};

/** For operators and callers alike: what an acknowledgement is worth. */
export const Durability = Type.Object(
  {
    store: Type.Enum(["embedded", "postgres"], { description: "Where calls are stored." }),
    survives_loss_of_primary: Type.Enum(["yes", "no", "unknown"], {
      description: "Whether a call that is acknowledged now is still there after the machine that stores it, and its disk, are lost.",
    }),
    explained: Type.String({ description: "The same in words." }),
  },
  { description: "What an acknowledged call survives, as read from the database within the last 30 seconds." },
);

/** A model that this installation ships. */
export const ReleasedModelItem = Type.Object({
  version: Type.String({ description: "As in model_version of answers and records." }),
  released: Type.String({ format: "date", description: "The day of its release." }),
  sunset: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
    description: "Until when accounts that have pinned it are scored by it; null for the newest, whose end is not known.",
  }),
});

export type ReleasedModelItem = Static<typeof ReleasedModelItem>;

export const StatusReply = Type.Object(
  {
    version: Type.String({ description: "Version of the service, as in CHANGELOG.md." }),
    model_version: Type.String({ description: "Version of the newest model, which scores the sessions of accounts that have not pinned another or keep the one before it." }),
    models: Type.Array(ReleasedModelItem, { description: "The models that can be pinned, the oldest first." }),
    uptime_seconds: Type.Integer({ description: "Uptime of the node that answers." }),
    workers: Type.Object(
      {
        configured: Type.Integer({ minimum: 1, description: "Processes that the node is to have: WORKERS." }),
        ready: Type.Integer({ minimum: 0, description: "Those that serve calls." }),
        restarts: Type.Integer({ minimum: 0, description: "Workers that died and were started again since the node's start." }),
      },
      { description: "The processes of the node that answers." },
    ),
    price_usd: Type.Number({ description: "Price of one billable call." }),
    payer: Type.Enum(["platform", "developer"], { description: "Who pays for calls." }),
    payer_explained: Type.String({ description: "Who pays for calls, in one sentence." }),
    prepaid_from: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
      description: "From when on calls need prepaid money and may get 402; null if the platform pays for calls.",
    }),
    thresholds: Thresholds,
    tiers: Type.Array(
      Type.Object({
        name: Type.String({ description: "Name, as in settings and statements." }),
        per_hour: Type.Integer({ description: "Calls allowed in any hour." }),
        per_minute: Type.Integer({ description: "Calls allowed in any minute." }),
        per_hour_reachable: Type.Integer({
          description: "Calls per hour that the per-minute limit permits: the hourly limit, but at most 60 times per_minute.",
        }),
        share_percent: Type.Number({ description: "The developer's share of price_usd." }),
        earns_usd_per_call: Type.Number({ description: "The developer's share in USD." }),
      }),
      { description: "Tiers that an account can have, with their limits and shares." },
    ),
    payout_rules: Type.Object(
      {
        call_hold_days: Type.Integer({ minimum: 0, description: "Days after its end for which a day's call revenue is pending." }),
        click_hold_days: Type.Integer({ minimum: 0, description: "Days for which a click's revenue is pending." }),
        unreviewed_monthly_usd: Type.Number({
          description:
            "What calls and clicks may make payable for the first month before an operator reviews the account. Later months may reach twice the best earlier one; in the first 90 days three times this sum, and ten times in all.",
        }),
        unreviewed_total_monthly_usd: Type.Union([Type.Number(), Type.Null()], {
          description: "What calls and clicks may make payable for one month in all accounts together that were never reviewed; null if there is no such limit.",
        }),
        payout_minimum_usd: Type.Number({ description: "Smaller amounts carry over." }),
        payee_change_hold_days: Type.Integer({ minimum: 0, description: "Days for which a changed bank account, method or tax number rests." }),
        four_eyes: Type.Enum(["on", "off"], { description: "Whether a payout is approved by another person than the one who proposed it." }),
        funded: Type.Boolean({ description: "Whether the operator's money in hand covers everything that developers have earned and not been paid; known within minutes." }),
      },
      { description: "When earnings are paid out." },
    ),
    attestation: AttestationRules,
    durability: Durability,
    reports: Type.Object(
      {
        from: Type.Enum(["primary", "replica"], { description: "Which database reports are read from at the moment." }),
        stale_seconds_max: Type.Integer({ minimum: 0, description: "By how much a report may be out of date. Each such answer has the header `Assay-Data-As-Of`." }),
      },
      { description: "Usage, ad reports, sessions and logs. Balances, statements, payouts and everything that is decided are always current." },
    ),
    findings: Type.Object(
      {
        overdue: Type.Integer({ minimum: 0, description: "Findings that have waited more than 14 days for an operator's decision." }),
        oldest_days: Type.Integer({ minimum: 0, description: "For how many days the oldest of them has been open; 0 if there is none." }),
      },
      { description: "What waits for the operator. An open finding holds its account's money and is never lifted by itself." },
    ),
    log: Type.Union(
      [
        Type.Object({
          origin: Type.String({ description: "The log's name in its checkpoints." }),
          path: Type.String({ description: "Where it is served: /log, or /log/2 for the second one." }),
          size: Type.Integer({ minimum: 0, description: "Entries in it." }),
          logged_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()], { description: "When it last grew; null while it is empty." }),
          delay_seconds_max: Type.Integer({ description: "An entry is in the log within this time." }),
          witnessed_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()], { description: "When a witness last signed it; null if none did." }),
          witnesses: Type.Array(
            Type.Object({
              name: Type.String({ description: "The witness." }),
              key: Type.String({ description: "Its C2SP verifier key. Compare it with the one that the witness itself publishes." }),
              witnessed_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()], { description: "When it last signed; null if it never did." }),
              behind_seconds: Type.Integer({ minimum: 0, description: "For how long it has not signed although the log grew; 0 if it has signed the newest checkpoint." }),
            }),
            { description: "The witnesses that are asked to sign the log." },
          ),
          previous: Type.Array(
            Type.Object({
              origin: Type.String({ description: "Its name." }),
              path: Type.String({ description: "Where it is served." }),
              size: Type.Integer({ minimum: 0, description: "The entries that this database has of it." }),
              closed_at: Type.String({ format: "date-time", description: "When the next one was opened." }),
              reason: Type.String({ description: "Why." }),
            }),
            { description: "Earlier logs, the newest first. A log is closed when the database was put back to an earlier state." },
          ),
        }),
        Type.Null(),
      ],
      { description: "The log of all ledger entries that outsiders can check; null where it is not published, or not begun." },
    ),
  },
  {
    $id: "Status",
    title: "Status",
    description: "What applies to every account of this installation.",
    examples: [
      {
        version: "0.1.0",
        model_version: "1.1.0",
        models: [
          { version: "1.0.0", released: "2025-12-01", sunset: "2027-01-10T08:00:00.000Z" },
          { version: "1.1.0", released: "2026-01-09", sunset: null },
        ],
        uptime_seconds: 86_400,
        workers: { configured: 1, ready: 1, restarts: 0 },
        price_usd: 0.05,
        payer: "platform",
        payer_explained: "Calls are paid from the operator's funds; the developer earns a share of each.",
        prepaid_from: null,
        thresholds: { high: 70, medium: 40 },
        tiers: [
          {
            name: "Starter",
            per_hour: 1000,
            per_minute: 50,
            per_hour_reachable: 1000,
            share_percent: 68,
            earns_usd_per_call: 0.034,
          },
        ],
        payout_rules: {
          call_hold_days: 14,
          click_hold_days: 7,
          unreviewed_monthly_usd: 350,
          unreviewed_total_monthly_usd: null,
          payout_minimum_usd: 50,
          payee_change_hold_days: 7,
          four_eyes: "on",
          funded: true,
        },
        attestation: attestationRules,
        durability: {
          store: "postgres",
          survives_loss_of_primary: "yes",
          explained: "PostgreSQL acknowledges a commit when a synchronous standby has it on its disk too.",
        },
        reports: { from: "primary", stale_seconds_max: 0 },
        findings: { overdue: 0, oldest_days: 0 },
        log: {
          origin: "assay.example.com/assay/Ab3dEf9h",
          path: "/log",
          size: 109_482,
          logged_at: "2026-01-14T09:26:53.589Z",
          delay_seconds_max: 60,
          witnessed_at: null,
          witnesses: [],
          previous: [],
        },
      },
    ],
  },
);

export type StatusReply = Static<typeof StatusReply>;
