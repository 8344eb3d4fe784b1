/** Forgers who do not want to wait: they get nothing, or nothing beyond the time that passed. */
import type { BeatRequest } from "@assay/contract/attestation.ts";
import { attestedFromMs, clockToleranceMs } from "@assay/contract/attestation.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { type AttackContext, claimed, createTally, type Outcome } from "./attack.ts";
import { beat, begin, readSignals, redeem, type Sender } from "./visitor.ts";

const sessions = 100;
const hoursMs = 3 * 3_600_000;
const lie: BeatRequest["d"] = { view_ms: hoursMs, active_ms: hoursMs, clicks: 1e9, keys: 1e9, pages: 1e9, scroll: 1 };
/** What the service credits at most, whatever a page reports. */
const interactionsPerSecondMax = 8;
const pagesPerSecondMax = 4;
/** Durations are rounded to tenths of a second. */
const roundedUpSecondsMax = 0.05;

/** Before the service would believe it. */
const tooSoonMs = attestedFromMs - 500;

type Wait = { name: string; wait: (nextMs: number) => number; beats: number };

const attackers: readonly Wait[] = [
  { name: "no wait: start, predict", wait: () => 0, beats: 0 },
  { name: "no wait: start, beat, predict", wait: () => 0, beats: 1 },
  { name: `a beat after ${tooSoonMs / 1_000} s, predict`, wait: () => tooSoonMs, beats: 1 },
  { name: "clock liar: 5 beats of 3 hours each, at once", wait: () => 0, beats: 5 },
  { name: "clock liar: waits once, then 5 beats of 3 hours each", wait: (nextMs) => nextMs, beats: 5 },
];

/** Whether the record has more than passed on the forger's own clock, which the service's cannot exceed. */
async function isBeyond(url: string, apiKey: string, sessionId: string, passedMs: number): Promise<boolean> {
  const { session_duration: duration, interaction_count: interactions = 0, page_views: pages = 0 } = await readSignals(url, { apiKey, sessionId });
  const passedSeconds = passedMs / 1_000;
  return (
    duration > passedSeconds + clockToleranceMs / 1_000 + roundedUpSecondsMax || interactions > (passedSeconds + 1) * interactionsPerSecondMax || pages > passedSeconds * pagesPerSecondMax + 1
  );
}

/** Half of the sessions are redeemed with the forger's own numbers beside the token, half without. */
async function attack({ name, wait, beats }: Wait, { url, takeAccount, takeNetworks }: AttackContext): Promise<Outcome> {
  const { apiKey, siteIds, origin } = takeAccount();
  const tally = createTally();
  let forbidden = 0;
  await Promise.all(
    takeNetworks(sessions).map(async (address, index) => {
      const sender: Sender = { url, address, origin };
      const session = await begin(sender, siteIds[0]!);
      if (!session) {
        tally.note("refused to begin");
        return;
      }
      const waitMs = wait(session.nextMs);
      if (waitMs > 0) await sleep(waitMs);
      let { token } = session;
      for (let sent = 0; sent < beats; sent += 1) {
        const answer = await beat(sender, token, lie);
        if ("token" in answer) token = answer.token;
        else tally.note(answer.error);
      }
      const passedMs = performance.now() - session.askedMs;
      const signals = index % 2 === 0 ? claimed : {};
      const redeemed = await redeem(url, { apiKey, token, signals });
      tally.add(redeemed, passedMs);
      // The caller's own numbers may say what they want: only what is said to be measured is compared.
      const isMeasured = redeemed.isAttested || (redeemed.sessionId !== undefined && index % 2 !== 0);
      // On a busy machine a beat may arrive late enough to count.
      if (redeemed.isAttested && passedMs < attestedFromMs) forbidden += 1;
      else if (isMeasured && (await isBeyond(url, apiKey, redeemed.sessionId!, passedMs))) forbidden += 1;
    }),
  );
  return { name, networks: sessions, attempted: sessions, forbidden, perHour: undefined, ...tally.sum() };
}

export async function runImpatient(context: AttackContext): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const attacker of attackers) {
    context.tell(attacker.name);
    outcomes.push(await attack(attacker, context));
  }
  return outcomes;
}
