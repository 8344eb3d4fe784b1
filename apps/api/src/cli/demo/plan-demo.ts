/** Who the demo accounts are, and since when. Pure. */
import { msPerDay, startOfDay } from "../../formats/time.ts";
import { lastPayableMonth } from "../../money/payable-months.ts";
import { callsOfShop, type DemoCall, type DemoDay, drawDay, drawScriptedDay } from "./draw-demo-traffic.ts";

export const daysMax = 90;
/** Of the month that is payable now: enough calls to reach the minimum. */
const payableDays = 10;
const scriptDays = 10;
const scriptedCallsPerDay = 1_000;
/** Within `payableDays` more than an account that nobody has reviewed is paid for a month. */
const callsPerLaunchDay = 1_250;
const callsAfterLaunch = 180;

export type DemoSite = {
  role: "shop" | "game" | "script";
  email: string;
  legalName: string;
  keyName: string;
  fromMs: number;
  draw: (day: DemoDay, random: () => number) => DemoCall[];
};

/** How many days a demo has: as many as asked for, or more if no month with traffic would be payable otherwise. */
export function daysOfDemo(asked: number, nowMs: number): number {
  const payableFromMs = lastPayableMonth(nowMs).endMs - payableDays * msPerDay;
  return Math.min(daysMax, Math.max(asked, (startOfDay(nowMs) - payableFromMs) / msPerDay + 1));
}

/** `size` is 1 but for tests, which need less traffic. */
export function planSites(days: readonly DemoDay[], { nowMs, size }: { nowMs: number; size: number }): DemoSite[] {
  const { endMs } = lastPayableMonth(nowMs);
  const firstMs = days[0]!.startMs;
  return [
    {
      role: "shop",
      email: "demo@localhost",
      legalName: "Demo Shop Ltd",
      keyName: "Web shop",
      fromMs: firstMs,
      draw: (day, random) => drawDay(day, size * callsOfShop(day), random),
    },
    {
      role: "game",
      email: "demo-game@localhost",
      legalName: "Demo Games Ltd",
      keyName: "Game server",
      fromMs: Math.max(firstMs, endMs - payableDays * msPerDay),
      draw: (day, random) => drawDay(day, size * (day.startMs < endMs ? callsPerLaunchDay : callsAfterLaunch), random),
    },
    {
      role: "script",
      email: "demo-script@localhost",
      legalName: "Demo Scripts Ltd",
      keyName: "Script",
      fromMs: Math.max(firstMs, startOfDay(nowMs) - scriptDays * msPerDay),
      draw: (day) => drawScriptedDay(day, Math.round(size * scriptedCallsPerDay)),
    },
  ];
}
