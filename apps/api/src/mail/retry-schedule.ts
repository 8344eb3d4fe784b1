/** A mail is given up after so many tries: about ten hours, longer than most mail servers stay down. */
export const attemptsMax = 20;
const firstWaitMs = 2_000;
const waitMsMax = 3_600_000;

/** When to try again after `attempts` tries, or undefined when it was the last one. Chance keeps mails from coming back all at once. */
export function nextTryMs(attempts: number, nowMs: number, chance: number): number | undefined {
  if (attempts >= attemptsMax) return undefined;
  const waitMs = Math.min(firstWaitMs * 2 ** (attempts - 1), waitMsMax);
  return nowMs + Math.round(waitMs * (0.5 + 0.5 * chance));
}
