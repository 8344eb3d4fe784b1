// node clients/conformance/print-session-cases.ts prints the generated cases of sessions.json. Their expected values come from
// the definitions in docs/signals.md, by way of a list of all pauses: nothing here is shared with a collector.
import { pathToFileURL } from "node:url";

export type SessionEvent =
  | { at_ms: number; kind: "show" | "hide" | "activity" | "tap" | "key" | "screen" }
  | { at_ms: number; kind: "scroll"; offset: number; visible: number; content: number; window: number };

export type Signals = { user_engagement: number; session_duration: number; scroll_depth?: number; interaction_count: number; page_views: number; return_visitor?: boolean };
export type Counts = { view_ms: number; active_ms: number; clicks: number; keys: number; pages: number; scroll: number | null };

export type SessionCase = {
  name: string;
  /** What the clock says when the collector is started. */
  start_ms: number;
  /** Earlier sessions on this device; null: unknown. */
  visits: number | null;
  /** In order. Times count from `start_ms`; one that is smaller than the one before means a clock that was set back. */
  events: SessionEvent[];
  read_at_ms: number;
  /** Signals of the sessions that were over before the last one began. */
  ended?: Signals[];
  /** Signals of the last session. */
  expect: Signals;
  /** What a beat would report of it, if there had been none before. */
  counts: Counts;
};

const minuteMs = 60_000;
const halfHourMs = 30 * minuteMs;

/** Everything that is known of one session, in milliseconds of its time in view. */
type Session = { viewMs: number; activeAtMs: number[]; taps: number; keyAtMs: number[]; screens: number; shares: number[]; isReturning: boolean | undefined };

const decimals = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

function countsOf({ viewMs, activeAtMs, taps, keyAtMs, screens, shares }: Session): Counts {
  const ends = [...activeAtMs, viewMs];
  const pauses = ends.map((endMs, nth) => Math.min(halfHourMs, endMs - (ends[nth - 1] ?? 0)));
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    view_ms: sum(pauses),
    active_ms: activeAtMs.length === 0 ? 0 : sum(pauses.map((ms) => Math.min(30_000, ms))),
    clicks: taps,
    keys: keyAtMs.filter((atMs, nth) => nth === 0 || atMs - keyAtMs[nth - 1]! > 1_000).length,
    pages: screens,
    scroll: shares.length === 0 ? null : Math.max(...shares),
  };
}

function signalsOf(session: Session): Signals {
  const { view_ms, active_ms, clicks, keys, pages, scroll } = countsOf(session);
  return {
    user_engagement: view_ms === 0 ? 0 : decimals(active_ms / view_ms, 3),
    session_duration: decimals(view_ms / 1_000, 1),
    ...(scroll !== null && { scroll_depth: decimals(scroll, 3) }),
    interaction_count: clicks + keys,
    page_views: pages,
    ...(session.isReturning !== undefined && { return_visitor: session.isReturning }),
  };
}

/** What docs/signals.md makes of the events, if the clock is never set back and there is a screen before anything is done. */
export function judgeEvents({ visits, events, read_at_ms }: Pick<SessionCase, "visits" | "events" | "read_at_ms">) {
  let seen = visits;
  const begin = (screens: number): Session => {
    const isReturning = seen === null ? undefined : seen > 0;
    if (seen !== null) seen += 1;
    return { viewMs: 0, activeAtMs: [], taps: 0, keyAtMs: [], screens, shares: [], isReturning };
  };
  let session: Session | undefined;
  const ended: Signals[] = [];
  /** Since when it is in view, and out of view; undefined: it is not. */
  let shownMs: number | undefined;
  let hiddenMs: number | undefined;
  const lookAt = (atMs: number) => {
    if (session && shownMs !== undefined) session.viewMs += atMs - shownMs;
    if (shownMs !== undefined) shownMs = atMs;
  };
  const isIdle = () => session !== undefined && session.viewMs - (session.activeAtMs.at(-1) ?? 0) >= halfHourMs;
  const replace = () => {
    if (session) ended.push(signalsOf(session));
    session = begin(1);
  };
  for (const event of events) {
    const { at_ms: atMs, kind } = event;
    lookAt(atMs);
    if (kind === "show") {
      if (session && (isIdle() || (hiddenMs !== undefined && atMs - hiddenMs >= halfHourMs))) replace();
      [shownMs, hiddenMs] = [atMs, undefined];
    } else if (kind === "hide") {
      [shownMs, hiddenMs] = [undefined, atMs];
    } else if (kind === "scroll") {
      const range = event.content - event.visible;
      if (range >= 50 && event.visible >= event.window / 2) session!.shares.push(event.offset > range - 2 ? 1 : Math.max(0, event.offset) / range);
    } else if (session === undefined) {
      session = begin(1);
      session.viewMs = atMs - events[0]!.at_ms;
    } else {
      const isNew = isIdle();
      if (isNew) replace();
      session.activeAtMs.push(session.viewMs);
      if (kind === "screen" && !isNew) session.screens += 1;
      if (kind === "tap") session.taps += 1;
      if (kind === "key") session.keyAtMs.push(session.viewMs);
    }
  }
  lookAt(read_at_ms);
  return { ...(ended.length > 0 && { ended }), expect: signalsOf(session!), counts: countsOf(session!) };
}

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
function drawFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function generateCase(seed: number): SessionCase {
  const draw = drawFrom(seed);
  const below = (limit: number) => Math.floor(draw() * limit);
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)]!;
  // Mostly short pauses, and now and then one that ends a session or nearly does.
  const pauseMs = () => pick([below(2_000), below(2_000), below(5_000), below(40_000), 30_000 + below(3), below(10 * minuteMs), halfHourMs - 1 + below(3), below(90 * minuteMs)]);
  const events: SessionEvent[] = [{ at_ms: 0, kind: "show" }, { at_ms: below(50), kind: "screen" }];
  let isInView = true;
  let atMs = events[1]!.at_ms;
  for (let nth = 4 + below(14); nth > 0; nth -= 1) {
    atMs += pauseMs();
    if (!isInView) {
      events.push({ at_ms: atMs, kind: "show" });
      isInView = true;
      continue;
    }
    const kind = pick(["activity", "activity", "tap", "tap", "key", "key", "key", "screen", "scroll", "hide"] as const);
    if (kind === "scroll") {
      const [window, visible] = [800, pick([300, 400, 700])];
      const content = visible + pick([10, 49, 50, 1_234, 9_000]);
      events.push({ at_ms: atMs, kind, offset: pick([content - visible, below(content - visible)]), visible, content, window });
    } else {
      events.push({ at_ms: atMs, kind });
      isInView = kind !== "hide";
    }
  }
  const given = { visits: pick([null, 0, 1, 9]), events, read_at_ms: atMs + pauseMs() };
  return { name: `generated from seed ${seed}`, start_ms: 1_800_000_000_000 + below(1e9), ...given, ...judgeEvents(given) };
}

export const generateCases = (): SessionCase[] => Array.from({ length: 40 }, (_, nth) => generateCase(nth + 1));

/** A case as sessions.json has it: one line per field. */
export const printCase = (each: SessionCase): string =>
  `    {\n${Object.entries(each).map(([name, value]) => `      ${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(",\n")}\n    }`;

if (import.meta.url === pathToFileURL(process.argv[1]!).href) process.stdout.write(`${generateCases().map(printCase).join(",\n")}\n`);
