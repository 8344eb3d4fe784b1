/** What the Overview page shows: `GET /dashboard/api/overview`, and `GET /dashboard/api/live` while it is open. */
import Type, { type Static } from "typebox";
import { trustLevels } from "@assay/scoring/trust-level.ts";

const count = () => Type.Integer({ minimum: 0 });
const time = () => Type.String({ format: "date-time" });

const Earned = Type.Object({
  calls: count(),
  revenue_usd: Type.Number({ description: "The developer's share of calls, and of clicks less what was reversed." }),
});

const Period = Type.Object({
  from: time(),
  ...Earned.properties,
  previous: Type.Object(Earned.properties, {
    description: "The same span before: yesterday, or last month, up to the same hour.",
  }),
});

const WindowLeft = Type.Object({
  limit: count(),
  remaining: count(),
  reset_seconds: Type.Integer({ minimum: 0, description: "When some of it comes back; 0 when nothing is used." }),
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
    mean_score: Type.Union([Type.Number(), Type.Null()], { description: "Null where there were no sessions." }),
    levels: Type.Object({ high: count(), medium: count(), low: count() }),
    histogram: Type.Array(Type.Object({ from: Type.Number(), to: Type.Number(), count: count() }), {
      description: "Ten bands from 0 to 100; `to` is excluded but in the last one.",
    }),
    complete: Type.Boolean({ description: "False when there were more sessions than one look reads: the newest are counted." }),
  }),
  tier: Type.String(),
  limits: Type.Object({ live: LimitsLeft, test: LimitsLeft }, { description: "Looked at without using any of it up." }),
  checklist: Type.Object(
    {
      verified: Type.Boolean(),
      has_key: Type.Boolean({ description: "A key that works now." }),
      first_call: Type.Boolean({ description: "A scored session, live or test." }),
      first_outcome: Type.Boolean(),
      payee_profile: Type.Boolean({ description: "Complete: payouts can be made." }),
    },
    { description: "For newcomers: hide it when all are true." },
  ),
  latest_call_at: Type.Union([time(), Type.Null()]),
  payer: Type.Enum(["platform", "developer"]),
  payer_explained: Type.String({ description: "One sentence: who pays for calls." }),
  keys_seen_in_browser: Type.Integer({ minimum: 0, description: "Live keys that arrived with a browser's Origin and still work." }),
});

export type OverviewReply = Static<typeof OverviewReply>;

/**
 * Made to be polled once a second while the page is visible: a few rows by their primary keys, so that a
 * call shows within a second of its answer. Polling needs no connection that outlives a drain, and works
 * behind every proxy; there is no stream.
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
