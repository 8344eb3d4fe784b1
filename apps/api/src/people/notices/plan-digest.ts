/** When an audience's events are mailed, to whom, and which of them. Pure rules. */
import { mandatoryTopics, topics } from "@assay/contract/dashboard/notice-topics.ts";
import { type Audience, eventKinds, eventTypes, type EventType, type NoticeTopic } from "@assay/contract/webhooks.ts";
import { msPerHour, msPerMinute } from "../../formats/time.ts";
import { isDigested } from "./told-by.ts";
import { isWanted, type StoredChoice } from "./wanted-topics.ts";

/** What belongs together usually happens within this time, and becomes one mail. */
export const gatherMs = 2 * msPerMinute;
/** The least time between two digests. */
export const everyMs = msPerHour;
/** The same if there is an event of a mandatory topic. */
export const soonerEveryMs = 10 * msPerMinute;

export const soonerTypes: readonly EventType[] = eventTypes.filter((type) => mandatoryTopics.has(eventKinds[type].topic));

export type PendingEvent = { sequence: number; type: EventType; data: unknown; atMs: number };

export type Recipient = { accountId: string; email: string; choices: readonly StoredChoice[] };

export type Pending = {
  audience: Audience;
  /** The last event that was read; without more events, the end of the audience's. */
  readTo: number;
  /** When its last digest was mailed. */
  noticedAtMs: number | null;
  /** After the cursor, oldest first. Events that are older than 30 days are gone. */
  events: readonly PendingEvent[];
  /** Whether there are more events than were read. */
  isMore: boolean;
  recipients: readonly Recipient[];
};

export type Digest = { recipient: Recipient; events: readonly PendingEvent[] };

export type Plan =
  | { kind: "wait" }
  /** Nobody wants these events by mail. */
  | { kind: "advance"; toSequence: number }
  | { kind: "mail"; toSequence: number; digests: readonly Digest[] };

const topicOf = ({ type }: PendingEvent): NoticeTopic => eventKinds[type].topic;

export function planDigest(pending: Pending, nowMs: number): Plan {
  const { audience, events, noticedAtMs, readTo: toSequence } = pending;
  const told = events.filter(({ type, data }) => isDigested(type, audience, data));
  const digests = pending.recipients
    .map((recipient) => ({ recipient, events: told.filter((event) => isWanted(topicOf(event), recipient.choices)) }))
    .filter((digest) => digest.events.length > 0);
  if (digests.length === 0) return { kind: "advance", toSequence };
  const wanted = digests.flatMap((digest) => digest.events);
  const firstMs = Math.min(...wanted.map(({ atMs }) => atMs));
  const spacingMs = wanted.some((event) => mandatoryTopics.has(topicOf(event))) ? soonerEveryMs : everyMs;
  const isGathered = nowMs >= firstMs + gatherMs;
  const isTime = noticedAtMs === null || nowMs >= noticedAtMs + spacingMs;
  return isGathered && isTime ? { kind: "mail", toSequence, digests } : { kind: "wait" };
}

export type TopicShare = { topic: NoticeTopic; shown: readonly PendingEvent[]; left: number };

/** The events by topic, of which `linesMax` are shown. Each topic gets a line in turn, so that none is crowded out. */
export function shareLines(events: readonly PendingEvent[], linesMax: number): TopicShare[] {
  const groups = topics.map((topic) => ({ topic, events: events.filter((event) => topicOf(event) === topic), lines: 0 })).filter((group) => group.events.length > 0);
  for (let left = Math.min(linesMax, events.length); left > 0; ) {
    for (const group of groups) {
      if (left === 0 || group.lines === group.events.length) continue;
      group.lines += 1;
      left -= 1;
    }
  }
  return groups.map((group) => ({ topic: group.topic, shown: group.events.slice(0, group.lines), left: group.events.length - group.lines }));
}
