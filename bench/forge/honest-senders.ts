/** How honest servers send what they measured: order, repetition and delay are theirs to choose. */
import type { Draws } from "../../apps/api/test/scoring/draw-sessions.ts";
import { chance, shuffle, type Visit, wholeBetween } from "./visit.ts";

/** A server gets the visits of a day in the order in which they ended, and returns what it sends on that day. */
export type Sender = (draws: Draws) => (visits: Visit[]) => Visit[];

export const sendAtOnce: Sender = () => (visits) => visits;

/** Asks all three endpoints about every session. */
export const sendToThreeEndpoints: Sender = () => (visits) => visits.flatMap((visit) => [visit, visit, visit]);

/** Repeats calls that seemed to fail, without an Idempotency-Key. */
export const sendWithRetries: Sender = (draws) => (visits) =>
  visits.flatMap((visit) => Array.from({ length: chance(draws, 0.15) ? wholeBetween(draws, 2, 4) : 1 }, () => visit));

/** A nightly job whose query returns no particular order. */
export const sendInBatch: Sender = (draws) => (visits) => shuffle(draws, visits);

const byAllSignals = (left: Visit, right: Visit): number =>
  left.session_duration! - right.session_duration! || left.user_engagement! - right.user_engagement! || (left.page_views ?? 0) - (right.page_views ?? 0) ||
  (left.interaction_count ?? 0) - (right.interaction_count ?? 0);

/** A nightly job whose query sorts, so that equal sessions are neighbours. */
export const sendSorted: Sender = () => (visits) => visits.toSorted(byAllSignals);

/** A queue that stands still for days, a few times a year, and is then worked off, newest first. */
export const sendAfterOutages: Sender = (draws) => {
  let waiting: Visit[] = [];
  let outageDays = 0;
  return (visits) => {
    if (outageDays === 0 && chance(draws, 4 / 365)) outageDays = wholeBetween(draws, 1, 5);
    if (outageDays > 0) {
      outageDays -= 1;
      waiting.push(...visits);
      return [];
    }
    const sent = [...visits, ...waiting.toReversed()];
    waiting = [];
    return sent;
  };
};
