/** Usage: `GET /dashboard/api/usage`, and the same as CSV from `/dashboard/api/usage.csv`. */
import Type, { type Static } from "typebox";

export const usageGroups = ["endpoint", "key", "status"] as const;
export const usageSteps = ["hour", "day"] as const;

const count = () => Type.Integer({ minimum: 0 });
const time = () => Type.String({ format: "date-time" });

export const DashboardUsageQuery = Type.Object({
  from: Type.Optional(Type.String({ description: "ISO 8601 date or time in UTC. Default: 30 days before `to`." })),
  to: Type.Optional(Type.String({ description: "ISO 8601 date or time in UTC, exclusive. Default: now. At most 92 days after `from`." })),
  by: Type.Optional(Type.Enum([...usageSteps], { description: "Default: hour for spans of up to two days, day for longer ones. hour covers at most 14 days." })),
  group: Type.Optional(Type.Enum([...usageGroups], { description: "Default: endpoint." })),
});

export type DashboardUsageQuery = Static<typeof DashboardUsageQuery>;

const Billed = Type.Object(
  {
    calls: count(),
    gross_usd: Type.Number(),
    developer_usd: Type.Number(),
  },
  { description: "Equal to the ledger." },
);

const UsageGroup = Type.Object({
  name: Type.String({ description: "The endpoint, the key_id, or the status." }),
  label: Type.String({ description: "Display name; for a key, its name and last four characters." }),
  requests: count(),
  billed: Type.Union([Billed, Type.Null()], { description: "Null unless grouped by endpoint: the ledger records neither keys nor statuses." }),
});

export const DashboardUsageReply = Type.Object({
  from: time(),
  to: time(),
  by: Type.Enum([...usageSteps]),
  group: Type.Enum([...usageGroups]),
  requests: Type.Integer({
    minimum: 0,
    description:
      "All answered requests with a valid key, including test and refused ones. Counted with a delay of a few seconds; a crash loses what is not counted yet.",
  }),
  billed: Billed,
  groups: Type.Array(UsageGroup, { description: "The busiest first; at most 50, the rest combined as `other`." }),
  series: Type.Array(
    Type.Object({
      start: time(),
      requests: count(),
      billed_calls: count(),
      developer_usd: Type.Number(),
      groups: Type.Array(Type.Object({ name: Type.String(), requests: count() }), {
        description: "Only groups with requests. For billable endpoints the count is at least the number of billed calls.",
      }),
    }),
    { description: "One item per hour or day of the span, including those without requests." },
  ),
});

export type DashboardUsageReply = Static<typeof DashboardUsageReply>;
