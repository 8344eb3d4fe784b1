/** Usage: `GET /dashboard/api/usage`, and the same as CSV from `/dashboard/api/usage.csv`. */
import Type, { type Static } from "typebox";

export const usageGroups = ["endpoint", "key", "status"] as const;
export const usageSteps = ["hour", "day"] as const;

const count = () => Type.Integer({ minimum: 0 });
const time = () => Type.String({ format: "date-time" });

export const DashboardUsageQuery = Type.Object({
  from: Type.Optional(Type.String({ description: "ISO 8601 date or time in UTC. Default: 30 days before `to`." })),
  to: Type.Optional(Type.String({ description: "ISO 8601 date or time in UTC, excluded. Default: now. At most 92 days after `from`." })),
  by: Type.Optional(Type.Enum([...usageSteps], { description: "Default: hour up to two days, day beyond. Hours for 14 days at most." })),
  group: Type.Optional(Type.Enum([...usageGroups], { description: "Default: endpoint." })),
});

export type DashboardUsageQuery = Static<typeof DashboardUsageQuery>;

const Billed = Type.Object(
  {
    calls: count(),
    gross_usd: Type.Number(),
    developer_usd: Type.Number(),
  },
  { description: "Exactly what the ledger says." },
);

const UsageGroup = Type.Object({
  name: Type.String({ description: "The endpoint, the key_id, or the status." }),
  label: Type.String({ description: "The same for people: a key by its name and last four." }),
  requests: count(),
  billed: Type.Union([Billed, Type.Null()], { description: "By endpoint only: the ledger knows no keys." }),
});

export const DashboardUsageReply = Type.Object({
  from: time(),
  to: time(),
  by: Type.Enum([...usageSteps]),
  group: Type.Enum([...usageGroups]),
  requests: Type.Integer({
    minimum: 0,
    description:
      "All answered requests with a key that works, test and refused ones too. Counted a few seconds behind, and what a crash leaves uncounted is lost.",
  }),
  billed: Billed,
  groups: Type.Array(UsageGroup, { description: "The busiest first; at most 50, the rest as `other`." }),
  series: Type.Array(
    Type.Object({
      start: time(),
      requests: count(),
      billed_calls: count(),
      developer_usd: Type.Number(),
      groups: Type.Array(Type.Object({ name: Type.String(), requests: count() }), {
        description: "Only those that had any. By endpoint, for billable ones, at least what was billed.",
      }),
    }),
    { description: "One item for every hour or day of the span, also for those without requests." },
  ),
});

export type DashboardUsageReply = Static<typeof DashboardUsageReply>;
