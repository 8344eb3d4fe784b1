import type { DriftLine, DriftReply } from "@assay/contract/dashboard/drift.ts";
import type { TrafficSummary } from "@assay/contract/traffic.ts";
import { setImmediate } from "node:timers/promises";
import { msPerDay, startOfDay } from "../../formats/time.ts";
import { dayText } from "../../money/days/day-refs.ts";
import type { Store } from "../../store/store.ts";
import { describeSummary } from "../traffic/describe-summary.ts";
import { addSummary, emptySummary, type SessionSummary } from "../traffic/session-summary.ts";
import { completeHoursEndMs, summariseWindow } from "../traffic/summarise-window.ts";
import { type BinnedDay, type Binned, binDay, binStarts, type ComparedName, comparedNames, poolDays } from "./bin-day.ts";
import { daysCompared, daysPerWeek, findChange, weeksBefore } from "./find-drift.ts";

/** Fewer sessions of a week are mostly chance. */
const weekSessionsMin = 500;
/** Records read per answer, beside the hourly summaries, which hold nearly all of them. */
const rowsMax = 400_000;
/** A reply has about 10 KB, and is made once per day and account. */
const repliesKeptMax = 300;

const daysBefore = weeksBefore * daysPerWeek;
const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

type Weeks = { endMs: number; days: BinnedDay[]; week: SessionSummary; before: SessionSummary; complete: boolean };

/** The 35 days up to `endMs`, the newest of which are read first: what the budget does not reach is read next time. */
async function readWeeks(store: Store, accountId: string, reading: { nowMs: number; endMs: number; retainedFromMs: number; rowsMax: number }): Promise<Weeks> {
  const { nowMs, endMs, retainedFromMs } = reading;
  const budget = { rowsLeft: reading.rowsMax };
  const weeks: Weeks = { endMs, days: [], week: emptySummary(), before: emptySummary(), complete: true };
  for (let day = daysCompared - 1; day >= 0; day -= 1) {
    const toMs = endMs - (daysCompared - 1 - day) * msPerDay;
    const read = await summariseWindow(store, { accountId, fromMs: toMs - msPerDay, toMs }, { nowMs, retainedFromMs, budget });
    addSummary(day < daysBefore ? weeks.before : weeks.week, read.summary);
    weeks.days.unshift(binDay(read.summary));
    weeks.complete &&= read.complete;
    // What is missing of a day must be known before anything older is.
    if (!read.complete) return weeks;
  }
  return weeks;
}

function stateOf({ days, complete }: Weeks): DriftReply["state"] {
  if (!complete) return "incomplete";
  const sessions = Array.from({ length: weeksBefore + 1 }, (_, week) => days.slice(week * daysPerWeek, (week + 1) * daysPerWeek).reduce((sum, day) => sum + day.sessions, 0));
  if (sessions.includes(0)) return "too_young";
  return sessions.some((each) => each < weekSessionsMin) ? "too_few" : "compared";
}

/** The day from which on all scores are on the newest scale; undefined where they always were. */
export function findScaleChange(days: readonly Pick<BinnedDay, "scales">[]): number | undefined {
  const scaled = days.map(({ scales }, day) => ({ day, scales })).filter(({ scales }) => scales.size > 0);
  const newest = scaled.at(-1);
  if (!newest) return undefined;
  if (newest.scales.size > 1) return newest.day;
  const [scale] = newest.scales.keys();
  const other = scaled.findLast(({ scales }) => scales.size > 1 || !scales.has(scale!));
  if (!other) return undefined;
  return other.scales.has(scale!) ? other.day : scaled.find(({ day }) => day > other.day)!.day;
}

/** Trailing bins that no session fell into are left out. */
function describeBins(name: ComparedName, now: Binned, before: Binned): DriftLine["bins"] {
  const shareOf = ({ bins, present }: Binned, index: number) => (present === 0 ? null : rounded(bins[index]! / present));
  const used = Math.max(now.bins.findLastIndex((count) => count > 0), before.bins.findLastIndex((count) => count > 0)) + 1;
  const shown = name === "session_duration" || name === "interaction_count" || name === "page_views" ? used : now.bins.length;
  return binStarts[name].slice(0, shown).map((from, index) => ({ from: rounded(from), now: shareOf(now, index), before: shareOf(before, index) }));
}

function medianOf(name: ComparedName, { sessions, score, signals }: TrafficSummary): number | null {
  if (name === "service_score") return sessions === 0 ? null : score.p50;
  const { present, p50, mean } = signals[name];
  if (present === 0) return null;
  return name === "return_visitor" ? mean : p50;
}

const missingShare = ({ missing, present }: Binned) => rounded(missing / Math.max(1, missing + present));

type Described = { days: readonly BinnedDay[]; week: TrafficSummary; before: TrafficSummary; isScaleChanged: boolean };

function describeLine(name: ComparedName, weeks: Described): DriftLine {
  const days = weeks.days.map(({ of }) => of[name]);
  const [before, now] = [poolDays(days.slice(0, daysBefore)), poolDays(days.slice(daysBefore))];
  const line = { name, aspect: null, missing: missingShare(now), missing_before: missingShare(before) };
  if (name === "service_score" && weeks.isScaleChanged) return { ...line, state: "not_judged", why: "scale_changed", median: null, median_before: null, bins: [] };
  const shown = { ...line, median: medianOf(name, weeks.week), median_before: medianOf(name, weeks.before), bins: describeBins(name, now, before) };
  if (now.present + before.present === 0) return { ...shown, state: "not_judged", why: "never_sent", bins: [] };
  const change = findChange(days);
  return { ...shown, state: change ? "changed" : "as_usual", why: null, aspect: change?.aspect ?? null };
}

const describeSpan = (fromMs: number, toMs: number, { sessions }: SessionSummary) => ({ from: dayText(fromMs), to: dayText(toMs - msPerDay), sessions });

/** Yields to other calls between the lines. */
async function describeLines(weeks: Described): Promise<DriftLine[]> {
  const lines: DriftLine[] = [];
  for (const name of comparedNames) {
    lines.push(describeLine(name, weeks));
    await setImmediate();
  }
  return lines;
}

async function describeWeeks(weeks: Weeks): Promise<DriftReply> {
  const { endMs, days, week, before } = weeks;
  const startMs = endMs - daysCompared * msPerDay;
  const weekMs = endMs - daysPerWeek * msPerDay;
  const state = stateOf(weeks);
  const changeDay = state === "compared" ? findScaleChange(days) : undefined;
  const described = { days, week: describeSummary(week), before: describeSummary(before), isScaleChanged: changeDay !== undefined };
  return {
    state,
    sessions_min: weekSessionsMin,
    week: describeSpan(weekMs, endMs, week),
    before: describeSpan(startMs, weekMs, before),
    scale_changed_on: changeDay === undefined ? null : dayText(startMs + changeDay * msPerDay),
    lines: state === "compared" ? await describeLines(described) : [],
  };
}

export type ReadDrift = (accountId: string, nowMs: number) => Promise<DriftReply>;

/** Replies are about complete days, so each is made once per day and kept until the next. */
export function createDriftReader(store: Store, settings: { retentionDays: number; rowsMax?: number }): ReadDrift {
  const kept = new Map<string, { endMs: number; reply: Promise<DriftReply> }>();

  async function makeReply(accountId: string, endMs: number, nowMs: number): Promise<DriftReply> {
    const retainedFromMs = nowMs - settings.retentionDays * msPerDay;
    return describeWeeks(await readWeeks(store, accountId, { nowMs, endMs, retainedFromMs, rowsMax: settings.rowsMax ?? rowsMax }));
  }

  return async (accountId, nowMs) => {
    const endMs = startOfDay(completeHoursEndMs(nowMs));
    const known = kept.get(accountId);
    if (known?.endMs === endMs) return known.reply;
    const made = { endMs, reply: makeReply(accountId, endMs, nowMs) };
    kept.delete(accountId);
    kept.set(accountId, made);
    if (kept.size > repliesKeptMax) kept.delete(kept.keys().next().value!);
    const forget = () => kept.get(accountId) === made && kept.delete(accountId);
    try {
      const reply = await made.reply;
      if (reply.state === "incomplete") forget();
      return reply;
    } catch (error) {
      forget();
      throw error;
    }
  };
}
