import { groupNames, type GroupedReportReply, type ReportGroup } from "@assay/contract/ads-report.ts";
import { usdOf } from "../../formats/money.ts";
import { isoTime, msPerDay, parseSpan, type Span } from "../../formats/time.ts";
import type { ReportSource } from "../../store/reports/report-source.ts";
import {
  allGroups,
  type GroupSpan,
  sumConversionsByDay,
  sumConversionsByGroup,
  sumFiguresByCategory,
  sumFiguresByDay,
  sumFiguresByFormat,
  sumFiguresByPlacement,
  sumIgnoredByDay,
  sumIgnoredByGroup,
  sumUnfilledByDay,
  sumUnfilledByGroup,
} from "./report-groups.table.ts";

/** Sums are daily, so a span is whole UTC days. */
const reportSpan = { daysDefault: 30, daysMax: 92, stepMs: msPerDay };
const rowsMax = 100;

export const parseGroupedSpan = (query: { from?: string; to?: string }, nowMs: number): Span => parseSpan(query, { ...reportSpan, nowMs });

type Counts = Map<string, number>;
type Figures = { offers: number; impressions: number; valid_clicks: number; developer_micro: number };
type Group = { figures: Figures; unfilled: Counts; ignored: Counts; conversions: number };

const figureNames = ["offers", "impressions", "valid_clicks", "developer_micro"] as const;
const emptyGroup = (): Group => ({ figures: { offers: 0, impressions: 0, valid_clicks: 0, developer_micro: 0 }, unfilled: new Map(), ignored: new Map(), conversions: 0 });

/** `sign` is -1 to take off what is counted elsewhere. */
function addFigures(into: Figures, from: Figures, sign: 1 | -1 = 1): void {
  for (const name of figureNames) into[name] += sign * from[name];
}

const addCount = (into: Counts, reason: string, count: number): void => void into.set(reason, (into.get(reason) ?? 0) + count);

const sumOf = (counts: Counts): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

function addGroup(into: Group, from: Group): void {
  addFigures(into.figures, from.figures);
  for (const [reason, count] of from.unfilled) addCount(into.unfilled, reason, count);
  for (const [reason, count] of from.ignored) addCount(into.ignored, reason, count);
  into.conversions += from.conversions;
}

const isEmpty = ({ figures, unfilled, ignored, conversions }: Group): boolean =>
  figureNames.every((name) => figures[name] === 0) && conversions === 0 && [...unfilled.values(), ...ignored.values()].every((count) => count === 0);

async function readSums({ db }: ReportSource, span: GroupSpan, by: ReportGroup) {
  if (by === "day") {
    return Promise.all([sumFiguresByDay(db, span).execute(), sumIgnoredByDay(db, span).execute(), sumUnfilledByDay(db, span).execute(), sumConversionsByDay(db, span).execute()]);
  }
  const figures = { placement: sumFiguresByPlacement, format: sumFiguresByFormat, category: sumFiguresByCategory }[by];
  const grouped = { ...span, dimension: by };
  return Promise.all([
    figures(db, span).execute(),
    sumIgnoredByGroup(db, grouped).execute(),
    sumUnfilledByGroup(db, grouped).execute(),
    sumConversionsByGroup(db, grouped).execute(),
  ]);
}

/**
 * The groups by name. Rows named `allGroups` hold the sums over all of them: what the groups do not add up to was counted
 * by a version that did not tell them apart, and becomes the unknown group. So every report has the same totals.
 */
async function readGroups(source: ReportSource, span: GroupSpan, by: ReportGroup): Promise<Map<string, Group>> {
  const [figures, ignored, unfilled, conversions] = await readSums(source, span, by);
  const groups = new Map<string, Group>();
  const groupOf = (name: string): Group => {
    let group = groups.get(name);
    if (!group) groups.set(name, (group = emptyGroup()));
    return group;
  };
  const unknown = groupOf(groupNames.unknown);
  const hasAll = figures.some(({ name }) => name === allGroups);
  for (const { name, ...row } of figures) {
    if (name === allGroups) addFigures(unknown.figures, row);
    else {
      addFigures(groupOf(name).figures, row);
      if (hasAll) addFigures(unknown.figures, row, -1);
    }
  }
  const addReasons = (rows: readonly { name: string; reason: string; count: number }[], countsOf: (group: Group) => Counts): void => {
    for (const { name, reason, count } of rows) {
      if (name === allGroups) addCount(countsOf(unknown), reason, count);
      else {
        addCount(countsOf(groupOf(name)), reason, count);
        if (by !== "day") addCount(countsOf(unknown), reason, -count);
      }
    }
  };
  addReasons(ignored, (group) => group.ignored);
  addReasons(unfilled, (group) => group.unfilled);
  for (const { name, count } of conversions) groupOf(name).conversions += count;
  return groups;
}

function describe({ figures, unfilled, ignored, conversions }: Group) {
  const counted = (counts: Counts) => Object.fromEntries([...counts].filter(([, count]) => count !== 0).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return {
    requests: figures.offers + sumOf(unfilled),
    filled: figures.offers,
    unfilled: counted(unfilled),
    impressions: figures.impressions,
    clicks: figures.valid_clicks,
    ignored_clicks: counted(ignored),
    revenue_usd: usdOf(figures.developer_micro),
    conversions,
  };
}

const nameOf = (name: string, by: ReportGroup): string => {
  if (by === "day") return isoTime(Number(name)).slice(0, "YYYY-MM-DD".length);
  return by === "category" && name === "" ? groupNames.none : name;
};

const isRest = (name: string): boolean => name === groupNames.other || name === groupNames.unknown;

/** Days in order. Other groups by revenue, then requests; what is not told apart comes last. */
function inOrder(groups: Map<string, Group>, by: ReportGroup): [string, Group][] {
  const entries = [...groups].filter(([, group]) => !isEmpty(group));
  if (by === "day") return entries.toSorted(([a], [b]) => Number(a) - Number(b));
  const requestsOf = (group: Group) => group.figures.offers + sumOf(group.unfilled);
  return entries.toSorted(
    ([nameA, a], [nameB, b]) =>
      Number(isRest(nameA)) - Number(isRest(nameB)) ||
      b.figures.developer_micro - a.figures.developer_micro ||
      requestsOf(b) - requestsOf(a) ||
      (nameA < nameB ? -1 : 1),
  );
}

/** At most `rowsMax` groups: those that earn least are added up. Days are never more. */
function bound(groups: Map<string, Group>, by: ReportGroup): [string, Group][] {
  const sorted = inOrder(groups, by);
  if (sorted.length <= rowsMax) return sorted;
  const ordinary = sorted.filter(([name]) => !isRest(name));
  const other = groups.get(groupNames.other) ?? emptyGroup();
  for (const [, group] of ordinary.slice(rowsMax - 2)) addGroup(other, group);
  return [...ordinary.slice(0, rowsMax - 2), [groupNames.other, other], ...sorted.filter(([name]) => name === groupNames.unknown)];
}

/** An account's live ads in a span, by group, with what was not filled or not paid and why. */
export async function reportGroups(source: ReportSource, span: GroupSpan, by: ReportGroup): Promise<GroupedReportReply> {
  const groups = bound(await readGroups(source, span, by), by);
  const totals = emptyGroup();
  for (const [, group] of groups) addGroup(totals, group);
  return {
    from: isoTime(span.fromMs),
    to: isoTime(span.toMs),
    group_by: by,
    rows: groups.map(([name, group]) => ({ group: nameOf(name, by), ...describe(group) })),
    totals: describe(totals),
  };
}
