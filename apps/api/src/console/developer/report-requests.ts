import type { DashboardUsageQuery, DashboardUsageReply } from "@assay/contract/dashboard/usage.ts";
import { maskedKey } from "../../access/keys/key-format.ts";
import { selectKeyLabels } from "../../access/keys/keys.table.ts";
import { sumRequestsByTime } from "../../access/requests/requests.table.ts";
import { Failure } from "../../failure/failure.ts";
import { usdOf } from "../../formats/money.ts";
import { isoTime, msPerDay, msPerHour, parseSpan, widenSpan } from "../../formats/time.ts";
import { sumCallsByTime } from "../../money/ledger/ledger.table.ts";
import { usageSpan } from "../../money/statements/report-usage.ts";
import type { ReportSource } from "../../store/reports/report-source.ts";

const hourlyDaysDefault = 2;
const hourlyDaysMax = 14;
const groupsMax = 50;
const otherName = "other";

type Group = "endpoint" | "key" | "status";
type Step = "hour" | "day";
export type UsageOptions = { accountId: string; fromMs: number; toMs: number; by: Step; group: Group };

type Counted = { start: number; name: string; requests: number };
type Billed = { start: number; endpoint: string; calls: number; gross_micro: number; developer_micro: number };

/** A span by day is widened to whole days. */
export function parseUsageOptions(query: DashboardUsageQuery, accountId: string, nowMs: number): UsageOptions {
  const span = parseSpan(query, { ...usageSpan, nowMs });
  const days = (span.toMs - span.fromMs) / msPerDay;
  const by = query.by ?? (days <= hourlyDaysDefault ? "hour" : "day");
  if (by === "hour" && days > hourlyDaysMax) throw new Failure("invalid_request", `by hour, from and to must be at most ${hourlyDaysMax} days apart`);
  const group = query.group ?? "endpoint";
  return { accountId, ...widenSpan(span, bucketMsOf(by)), by, group };
}

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);

const describeBilled = (rows: readonly Billed[]) => ({
  calls: sum(rows, (row) => row.calls),
  gross_usd: usdOf(sum(rows, (row) => row.gross_micro)),
  developer_usd: usdOf(sum(rows, (row) => row.developer_micro)),
});

/**
 * Raises request counts to the billed calls: a crash may lose counts, but not ledger entries. A call is billed before it
 * is answered and counted: if its bucket ended in between, it was counted in the next one, and is moved.
 */
export function raiseToBilled(counted: readonly Counted[], billed: readonly Pick<Billed, "start" | "endpoint" | "calls">[], bucketMs: number): Counted[] {
  const nameOf = (start: number, name: string) => `${start} ${name}`;
  const all = new Map(counted.map((row) => [nameOf(row.start, row.name), { ...row }]));
  const callsOf = new Map(billed.map(({ start, endpoint, calls }) => [nameOf(start, endpoint), calls]));
  for (const { start, endpoint, calls } of billed) {
    const row = all.get(nameOf(start, endpoint)) ?? { start, name: endpoint, requests: 0 };
    const missing = calls - row.requests;
    if (missing <= 0) continue;
    const nextName = nameOf(start + bucketMs, endpoint);
    const next = all.get(nextName);
    if (next) next.requests -= Math.min(missing, Math.max(0, next.requests - (callsOf.get(nextName) ?? 0)));
    all.set(nameOf(start, endpoint), { ...row, requests: calls });
  }
  return [...all.values()].filter(({ requests }) => requests > 0);
}

/** Merges all but the busiest groups into one. */
function foldSmallGroups(rows: readonly Counted[]): { rows: Counted[]; names: string[] } {
  const totals = [...Map.groupBy(rows, (row) => row.name)].map(([name, some]) => ({ name, requests: sum(some, (row) => row.requests) }));
  const names = totals.toSorted((a, b) => b.requests - a.requests || (a.name < b.name ? -1 : 1)).map(({ name }) => name);
  if (names.length <= groupsMax) return { rows: [...rows], names };
  const kept = new Set(names.slice(0, groupsMax - 1));
  return { rows: rows.map((row) => (kept.has(row.name) ? row : { ...row, name: otherName })), names: [...kept, otherName] };
}

/** `names`: of the groups that are shown. */
async function labelsOf(source: ReportSource, { accountId, group }: UsageOptions, names: readonly string[]): Promise<(name: string) => string> {
  if (group !== "key") return (name) => name;
  const keyIds = names.filter((name) => name !== "" && name !== otherName);
  const keys = keyIds.length === 0 ? [] : await selectKeyLabels(source.db, { accountId, keyIds }).execute();
  const labels = new Map(keys.map((key) => [key.id, `${key.name} (${maskedKey(key.mode, key.last_four)})`]));
  return (name) => (name === "" ? "Playground" : (labels.get(name) ?? name));
}

const bucketMsOf = (by: Step) => (by === "hour" ? msPerHour : msPerDay);

function fillSeries({ fromMs, toMs, by }: UsageOptions, counted: readonly Counted[], billed: readonly Billed[]): DashboardUsageReply["series"] {
  const countedAt = Map.groupBy(counted, (row) => row.start);
  const billedAt = Map.groupBy(billed, (row) => row.start);
  const series: DashboardUsageReply["series"] = [];
  for (let start = fromMs; start < toMs; start += bucketMsOf(by)) {
    const byName = Map.groupBy(countedAt.get(start) ?? [], (row) => row.name);
    const groups = [...byName].map(([name, some]) => ({ name, requests: sum(some, (row) => row.requests) }));
    const money = describeBilled(billedAt.get(start) ?? []);
    series.push({
      start: isoTime(start),
      requests: sum(groups, (group) => group.requests),
      billed_calls: money.calls,
      developer_usd: money.developer_usd,
      groups,
    });
  }
  return series;
}

export async function reportRequests(source: ReportSource, options: UsageOptions): Promise<DashboardUsageReply> {
  const { by, group } = options;
  const bucketMs = bucketMsOf(by);
  const [requests, billed] = await Promise.all([
    sumRequestsByTime(source.db, { ...options, bucketMs }).execute(),
    sumCallsByTime(source.db, { ...options, bucketMs }).execute(),
  ]);
  const { rows, names } = foldSmallGroups(group === "endpoint" ? raiseToBilled(requests, billed, bucketMs) : requests);
  const labelOf = await labelsOf(source, options, names);
  const billedOf = (name: string) => (group === "endpoint" ? describeBilled(billed.filter((row) => row.endpoint === name)) : null);
  return {
    from: isoTime(options.fromMs),
    to: isoTime(options.toMs),
    by,
    group,
    requests: sum(rows, (row) => row.requests),
    billed: describeBilled(billed),
    groups: names.map((name) => ({
      name,
      label: labelOf(name),
      requests: sum(rows.filter((row) => row.name === name), (row) => row.requests),
      billed: billedOf(name),
    })),
    series: fillSeries(options, rows, billed),
  };
}
