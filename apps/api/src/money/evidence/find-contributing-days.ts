/**
 * The days that an account's evidence rests on: from the starting day with the largest share of the mixture on, those
 * whose factor is above 1. `days` are all that were counted since the evidence was started, in order.
 */
export function findContributingDays<Day extends { ordinal: number; log_factor: number }>(days: readonly Day[]): Day[] {
  let best = { index: 0, log: Number.NEGATIVE_INFINITY };
  let log = 0;
  for (let index = days.length - 1; index >= 0; index -= 1) {
    const { ordinal, log_factor: logFactor } = days[index]!;
    log += logFactor;
    const share = log - Math.log(ordinal * (ordinal + 1));
    if (share > best.log) best = { index, log: share };
  }
  return days.slice(best.index).filter(({ log_factor: logFactor }) => logFactor > 0);
}
