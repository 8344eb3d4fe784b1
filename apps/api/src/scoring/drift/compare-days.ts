import type { Binned } from "./bin-day.ts";

/** The ways in which a signal can change: it is sent less often, its values lie higher or lower, or they are spread differently. */
export const aspects = ["missing", "level", "shape"] as const;
export type Aspect = (typeof aspects)[number];

/** How far a day is from others, and the variance that chance alone gives that number. */
export type Distance = { distance: number; variance: number };

/** Days with fewer sessions say nothing. */
const daySessionsMin = 30;

const sessionsOf = ({ missing, present }: Binned) => missing + present;

/** The difference between the shares without the signal. `margin`: the variance is that of a share which is further off by so much. */
function compareMissing(day: Binned, before: Binned, margin: number): Distance | undefined {
  const [sessions, sessionsBefore] = [sessionsOf(day), sessionsOf(before)];
  if (sessions < daySessionsMin || sessionsBefore < daySessionsMin) return undefined;
  const shareBefore = before.missing / sessionsBefore;
  const nearHalf = shareBefore < 0.5 ? Math.min(0.5, shareBefore + margin) : Math.max(0.5, shareBefore - margin);
  return { distance: day.missing / sessions - shareBefore, variance: nearHalf * (1 - nearHalf) * (1 / sessions + 1 / sessionsBefore) };
}

/** How much more often than half of the time a session of the day has more than one from before. */
function compareLevel(day: Binned, before: Binned): Distance | undefined {
  if (day.present < daySessionsMin || before.present < daySessionsMin) return undefined;
  let below = 0;
  let distance = -0.5;
  day.bins.forEach((count, index) => {
    const share = before.bins[index]! / before.present;
    distance += (count / day.present) * (below + share / 2);
    below += share;
  });
  return { distance, variance: (1 / day.present + 1 / before.present) / 12 };
}

/** The mean of a normal variable's absolute value, in deviations. */
const absoluteMean = Math.sqrt(2 / Math.PI);

/** The share of sessions that would have to move to another bin, less what chance moves. */
function compareShape(day: Binned, before: Binned): Distance | undefined {
  if (day.present < daySessionsMin || before.present < daySessionsMin) return undefined;
  const chance = 1 / day.present + 1 / before.present;
  const total = day.present + before.present;
  let distance = 0;
  day.bins.forEach((count, index) => {
    const share = (count + before.bins[index]!) / total;
    distance += Math.abs(count / day.present - before.bins[index]! / before.present) - absoluteMean * Math.sqrt(share * (1 - share) * chance);
  });
  return { distance: distance / 2, variance: (1 - absoluteMean ** 2) * chance / 4 };
}

export function compareDay(aspect: Aspect, { day, before, margin }: { day: Binned; before: Binned; margin: number }): Distance | undefined {
  if (aspect === "missing") return compareMissing(day, before, margin);
  return aspect === "level" ? compareLevel(day, before) : compareShape(day, before);
}
