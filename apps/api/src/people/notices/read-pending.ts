import { eventKinds, type EventType } from "@assay/contract/webhooks.ts";
import { selectMailed, selectMailedOperators } from "../../register/accounts.table.ts";
import type { Reader } from "../../store/store.ts";
import { lockNoticeCursor, selectNoticeCursor, selectUnnoticedEvents } from "../../webhooks/events/notices.table.ts";
import { operators } from "../../webhooks/events/write-events.ts";
import { selectChoices } from "./choices.table.ts";
import type { Pending, PendingEvent, Recipient } from "./plan-digest.ts";

/** What is beyond comes with the next digest. */
const eventsMax = 500;
const operatorsMax = 100;

async function readRecipients({ db, run }: Reader, { audience, isLocked }: { audience: string; isLocked: boolean }): Promise<Recipient[]> {
  const accounts = await run(audience === operators ? selectMailedOperators(db, { limit: operatorsMax, isLocked }) : selectMailed(db, { accountId: audience, isLocked }));
  if (accounts.length === 0) return [];
  const choices = await run(selectChoices(db, accounts.map(({ id }) => id)));
  return accounts.map(({ id, email }) => ({ accountId: id, email, choices: choices.filter((choice) => choice.account_id === id) }));
}

/** A later version's types are unknown to this one, and are not mailed. */
const isKnown = (type: string): type is EventType => Object.hasOwn(eventKinds, type);

/**
 * What an audience was not told yet; undefined if there is nothing. With locks, inside a transaction: the accounts first,
 * as in every transaction that changes an account and writes events of it.
 */
export async function readPending(reader: Reader, { audience, isLocked }: { audience: string; isLocked: boolean }): Promise<Pending | undefined> {
  const { db, run } = reader;
  const recipients = await readRecipients(reader, { audience, isLocked });
  const [cursor] = await run(isLocked ? lockNoticeCursor(db, audience) : selectNoticeCursor(db, audience));
  if (!cursor || cursor.noticed_sequence >= cursor.sequence) return undefined;
  const rows = await run(selectUnnoticedEvents(db, { audience, afterSequence: cursor.noticed_sequence, limit: eventsMax }));
  const events = rows.flatMap(({ sequence, type, data, at }): PendingEvent[] => (isKnown(type) ? [{ sequence, type, data: JSON.parse(data) as unknown, atMs: at }] : []));
  const lastRead = rows.at(-1)?.sequence ?? 0;
  const isMore = rows.length === eventsMax && lastRead < cursor.sequence;
  const readTo = isMore ? lastRead : cursor.sequence;
  return { audience: audience === operators ? "operator" : "developer", readTo, noticedAtMs: cursor.noticed_at, events, isMore, recipients };
}
