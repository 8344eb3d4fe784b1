/** What the Overview page shows: `GET /dashboard/api/overview`, and `GET /dashboard/api/live` while it is open. */
import Type, { type Static } from "typebox";
import { trustLevels } from "@assay/scoring/trust-level.ts";

const count = () => Type.Integer({ minimum: 0 });
const time = () => Type.String({ format: "date-time" });

const Earned = Type.Object({
  calls: count(),
  revenue_usd: Type.Number({ description: "The developer's share of calls and clicks, less reversals." }),
});

const Period = Type.Object({
  from: time(),
  ...Earned.properties,
  previous: Type.Object(Earned.properties, {
    description: "The preceding span: yesterday, or last month, up to the same hour.",
  }),
});

const WindowLeft = Type.Object({
  limit: count(),
  remaining: count(),
  reset_seconds: Type.Integer({ minimum: 0, description: "Seconds until part of it is available again; 0 if nothing is used." }),
});

const LimitsLeft = Type.Object({ hour: WindowLeft, burst: WindowLeft });

export const OverviewReply = Type.Object({
  now: time(),
  today: Period,
  month: Period,
  sessions: Type.Object({
    from: time(),
    to: time(),
    sessions: count(),
    mean_score: Type.Union([Type.Number(), Type.Null()], { description: "Null if there were no sessions." }),
    levels: Type.Object({ high: count(), medium: count(), low: count() }),
    histogram: Type.Array(Type.Object({ from: Type.Number(), to: Type.Number(), count: count() }), {
      description: "Ten bands from 0 to 100; `to` is exclusive except in the last one.",
    }),
    complete: Type.Boolean({ description: "False when there were more sessions than one request reads: only the newest are counted." }),
  }),
  attested: Type.Object({ calls: count(), attested_calls: count() }, { description: "Billed calls of the last 30 days, and those of them that were attested." }),
  tier: Type.String(),
  limits: Type.Object({ live: LimitsLeft, test: LimitsLeft }, { description: "Read without consuming any of it." }),
  checklist: Type.Object(
    {
      verified: Type.Boolean(),
      has_key: Type.Boolean({ description: "Whether a key is valid now." }),
      first_call: Type.Boolean({ description: "Whether a session was scored, live or test." }),
      first_outcome: Type.Boolean(),
      payee_profile: Type.Boolean({ description: "Whether it is complete, so that payouts can be made." }),
    },
    { description: "First steps of a new account: hide the list when all are true." },
  ),
  latest_call_at: Type.Union([time(), Type.Null()]),
  payer: Type.Enum(["platform", "developer"]),
  payer_explained: Type.String({ description: "Who pays for calls, in one sentence." }),
  keys_seen_in_browser: Type.Integer({ minimum: 0, description: "Valid live keys that were sent with a browser's Origin." }),
});

export type OverviewReply = Static<typeof OverviewReply>;

/**
 * Polled once a second while the page is visible: it reads a few rows by primary key, so that a call shows
 * within a second of its answer. Polling rather than a stream, because no connection then outlives a drain and
 * every proxy passes it.
 */
export const LiveReply = Type.Object({
  now: time(),
  calls_month: count(),
  revenue_month_usd: Type.Number(),
  balance_usd: Type.Number(),
  ledger_seq: Type.Integer({ minimum: 0, description: "Number of the account's last ledger entry. It grows with every billed call." }),
  last_session: Type.Union([
    Type.Object({
      session_id: Type.String(),
      at: time(),
      mode: Type.Enum(["live", "test"]),
      service_score: Type.Number(),
      trust_level: Type.Enum([...trustLevels]),
    }),
    Type.Null(),
  ]),
});

export type LiveReply = Static<typeof LiveReply>;
