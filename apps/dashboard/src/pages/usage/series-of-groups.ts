import type { DashboardUsageReply } from "@assay/contract/dashboard/usage.ts";
import type { BarSeries } from "../../ui/charts/stacked-bars.tsx";

/** As many colours as can be told apart side by side; what is beyond is added up. */
const colors = ["verdigris.6", "yellow.6", "indigo.5", "grape.5", "orange.6"] as const;
const restName = "rest";

/** Status codes have colours of their own: what went well, what was refused, what broke. */
const statusColors: Record<string, string> = { "2": "verdigris.6", "3": "indigo.5", "4": "yellow.6", "5": "red.6" };

type Bars = { series: BarSeries[]; bars: Record<string, number | string>[] };

/** Turns the answer into bars: one a step, the busiest groups by themselves and the others as one. */
export function barsOf(usage: DashboardUsageReply, formatStart: (start: string) => string): Bars {
  const leading = usage.groups.filter(({ requests }) => requests > 0).slice(0, colors.length);
  const isLeading = new Set(leading.map(({ name }) => name));
  const series = leading.map(({ name, label }, index) => ({
    name: `g${index}`,
    label,
    color: usage.group === "status" ? (statusColors[name.slice(0, 1)] ?? "gray.5") : (colors[index] ?? "gray.5"),
  }));
  const indexOf = new Map(leading.map(({ name }, index) => [name, `g${index}`]));
  let hasRest = false;
  const bars = usage.series.map(({ start, groups }) => {
    const bar: Record<string, number | string> = { start: formatStart(start) };
    for (const each of series) bar[each.name] = 0;
    for (const { name, requests } of groups) {
      if (isLeading.has(name)) bar[indexOf.get(name) ?? restName] = requests;
      else if (requests > 0) {
        hasRest = true;
        bar[restName] = Number(bar[restName] ?? 0) + requests;
      }
    }
    return bar;
  });
  return { bars, series: hasRest ? [...series, { name: restName, label: "Other", color: "gray.5" }] : series };
}
