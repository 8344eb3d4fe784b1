import { artefact } from "@assay/scoring/artefacts/additive-1.ts";
import type { Signals } from "@assay/scoring/signals.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createDraws, type Draws, drawPerson, type Site, usualSite } from "../../../test/scoring/draw-sessions.ts";
import { type CheckedRow, findIrregularities } from "./find-irregularities.ts";

const { people } = artefact;
const startMs = Date.UTC(2026, 0, 15);

function toRow(signals: Signals, atMs: number): CheckedRow {
  const { return_visitor: returning, ...numbers } = signals;
  const absent = { user_engagement: null, session_duration: null, scroll_depth: null, interaction_count: null, page_views: null };
  return { ...absent, ...numbers, return_visitor: returning === undefined ? null : Number(returning), at: Math.floor(atMs) };
}

/** Poisson arrivals. */
function drawRows(count: number, draws: Draws, { site = usualSite, gapMs = 20_000, change = (signals: Signals) => signals } = {}): CheckedRow[] {
  let atMs = startMs;
  return Array.from({ length: count }, () => {
    atMs += -gapMs * Math.log(1 - draws.next());
    return toRow(change(drawPerson(draws, site)), atMs);
  });
}

const codesOf = async (rows: readonly CheckedRow[]) => (await findIrregularities(rows, people)).map(({ code }) => code);
const findingOf = async (rows: readonly CheckedRow[], code: string) =>
  (await findIrregularities(rows, people)).find((each) => each.code === code);

/** Very different sites: a shop with long visits, a news page, and one that rounds. */
const sites: Record<string, Site> = {
  usual: usualSite,
  shop: { durationLog: 6, durationSpread: 1.3, pages: 12, engagementDecimals: 4, bounces: 0.1 },
  news: { durationLog: 3.6, durationSpread: 1.2, pages: 1.6, engagementDecimals: 2, bounces: 0.45 },
  coarse: { durationLog: 4.2, durationSpread: 1.4, pages: 3, engagementDecimals: 1, bounces: 0.3 },
};

describe("findings about traffic", () => {
  it("have at most one false alarm in a thousand windows of honest traffic", async () => {
    const draws = createDraws(11);
    let windows = 0;
    const alarms: string[] = [];
    for (const [name, site] of Object.entries(sites)) {
      for (const [sessions, times] of [[50, 300], [100, 200], [400, 60], [4_000, 8]] as const) {
        for (let time = 0; time < times; time += 1) {
          // From a call every few milliseconds to one every ten minutes.
          const rows = drawRows(sessions, draws, { site, gapMs: 5 * 10 ** (5 * draws.next()) });
          alarms.push(...(await codesOf(rows)).map((code) => `${name}, ${sessions} sessions: ${code}`));
          windows += 1;
        }
      }
    }
    assert(windows > 2_000);
    assert(alarms.length <= windows / 1_000, alarms.join("\n"));
  });

  it("ignore honest traffic of the largest size", async () => {
    for (const site of Object.values(sites)) assert.deepEqual(await codesOf(drawRows(20_000, createDraws(12), { site })), []);
  });

  it("ignore sessions with few signals that are equal by chance", async () => {
    const change = ({ page_views: pages, session_duration: seconds }: Signals): Signals => ({ page_views: pages!, session_duration: Math.min(seconds!, 300) });
    assert.deepEqual(await codesOf(drawRows(2_000, createDraws(13), { site: sites["news"]!, change })), []);
  });

  it("ignore fewer than fifty sessions", async () => {
    const rows = Array.from({ length: 49 }, (_, index) => toRow({ user_engagement: 0.5, session_duration: 600, page_views: 2, interaction_count: 2 }, startMs + index * 60_000));
    assert.deepEqual(await codesOf(rows), []);
  });

  it("detect copies, also from a list of many, with their share", async () => {
    const draws = createDraws(14);
    const list = Array.from({ length: 300 }, () => drawPerson(draws, sites["shop"]));
    const replayed = drawRows(2_000, draws, { change: () => list[Math.floor(draws.next() * list.length)]! });
    assert((await findingOf(replayed, "exact_duplicates"))!.share > 0.9);
    const half = drawRows(2_000, draws, { change: (signals) => (draws.next() < 0.6 ? list[0]! : signals) });
    const share = half.filter((row) => row.session_duration === list[0]!.session_duration).length / half.filter((row) => row.session_duration! >= 10).length;
    assert(Math.abs((await findingOf(half, "exact_duplicates"))!.share - share) < 0.05);
  });

  it("detect regular arrivals, also with jitter and among people", async () => {
    const draws = createDraws(15);
    const clock = drawRows(200, draws).map((row, index) => ({ ...row, at: startMs + index * 30_000 + Math.floor(draws.next() * 900) }));
    assert((await findingOf(clock, "regular_intervals"))!.share > 0.9);
    const mixed = [...clock, ...drawRows(25, draws, { gapMs: 240_000 })].toSorted((left, right) => left.at - right.at);
    assert(await findingOf(mixed, "regular_intervals"));
    const queue = drawRows(500, draws).map((row, index) => ({ ...row, at: startMs + Math.floor(index / 50) * 60_000 + (index % 50) * 3 }));
    assert.equal(await findingOf(queue, "regular_intervals"), undefined, "a queue that is sent every minute is not a regular arrival");
  });

  it("detect signals distributed unlike people's", async () => {
    const draws = createDraws(16);
    const unlike: Record<string, (signals: Signals) => Signals> = {
      session_duration: (signals) => ({ ...signals, session_duration: 9_000 + Math.floor(draws.next() * 9_000) }),
      interaction_count: (signals) => ({ ...signals, interaction_count: 0 }),
      user_engagement: (signals) => ({ ...signals, user_engagement: draws.next() / 2.5 }),
      page_views: (signals) => ({ ...signals, page_views: 100 + Math.floor(draws.next() * 100) }),
    };
    for (const [name, change] of Object.entries(unlike)) {
      const found = await findingOf(drawRows(400, draws, { change }), "unlike_people");
      assert(found && found.share >= 0.75 && found.share <= 1, name);
      assert(found.message.startsWith(name), found.message);
    }
  });

  it("detect round durations", async () => {
    const change = (signals: Signals) => ({ ...signals, session_duration: Math.round(signals.session_duration! / 30) * 30 });
    assert.equal((await findingOf(drawRows(300, createDraws(17), { change }), "round_numbers"))!.share, 1);
    const draws = createDraws(18);
    const half = drawRows(3_000, draws, { change: (signals) => (draws.next() < 0.5 ? change(signals) : signals) });
    const { share } = (await findingOf(half, "round_numbers"))!;
    assert(share > 0.5 && share < 0.62, String(share));
  });
});
