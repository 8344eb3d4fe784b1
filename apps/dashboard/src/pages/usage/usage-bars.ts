import type { DashboardUsageReply } from "@assay/contract/dashboard/usage.ts";
import type { BarSeries } from "../../ui/charts/stacked-bars.tsx";

/** As many colours as are easy to tell apart; all further groups are added up. */
const colors = ["verdigris.6", "yellow.6", "indigo.5", "grape.5", "orange.6"] as const;
const otherName = "other";

/** By the first digit of the status code. */
const statusColors: Record<string, string> = { "2": "verdigris.6", "3": "indigo.5", "4": "yellow.6", "5": "red.6" };

type Bars = { series: BarSeries[]; bars: Record<string, number | string>[] };

/** One bar per step: the busiest groups one by one, the others added up. */
export function barsOf(usage: DashboardUsageReply, formatStart: (start: string) => string): Bars {
  const leading = usage.groups.filter(({ requests }) => requests > 0).slice(0, colors.length);
  const leadingNames = new Set(leading.map(({ name }) => name));
  const series = leading.map(({ name, label }, index) => ({
    name: `g${index}`,
    label,
    color: usage.group === "status" ? (statusColors[name.slice(0, 1)] ?? "gray.5") : (colors[index] ?? "gray.5"),
  }));
  const indexOf = new Map(leading.map(({ name }, index) => [name, `g${index}`]));
  let hasOther = false;
  const bars = usage.series.map(({ start, groups }) => {
    const bar: Record<string, number | string> = { start: formatStart(start) };
    for (const each of series) bar[each.name] = 0;
    for (const { name, requests } of groups) {
      if (leadingNames.has(name)) bar[indexOf.get(name) ?? otherName] = requests;
      else if (requests > 0) {
        hasOther = true;
        bar[otherName] = Number(bar[otherName] ?? 0) + requests;
      }
    }
    return bar;
  });
  return { bars, series: hasOther ? [...series, { name: otherName, label: "Other", color: "gray.5" }] : series };
}
