import { randomFillSync } from "node:crypto";

/** In ASCII order, so that comparing ids as bytes compares their times. */
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const base = alphabet.length;

/** Milliseconds since 1970 in base 62: eight characters last until the year 8888. */
const timeLength = 8;
const countLength = 3;
const chanceLength = 11;
const countMax = base ** countLength - 1;

/** Characters drawn ahead: cutting pieces off a text is much cheaper than drawing them one by one. */
const drawnAhead = 4_096;
let drawn = "";
let drawnUsed = 0;

/** Bytes above the largest multiple of 62 are thrown away, so that every character is equally likely. */
function drawAhead(): void {
  const bytes = randomFillSync(Buffer.allocUnsafe(drawnAhead));
  let length = 0;
  for (const byte of bytes) {
    if (byte < 248) bytes[length++] = alphabet.charCodeAt(byte % base);
  }
  drawn = bytes.toString("latin1", 0, length);
  drawnUsed = 0;
}

/** Base62 characters from the system's generator. */
export function randomBase62(length: number): string {
  if (drawnUsed + length > drawn.length) drawAhead();
  drawnUsed += length;
  return drawn.slice(drawnUsed - length, drawnUsed);
}

export function encodeBase62(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / base)) text = alphabet[rest % base] + text;
  return text;
}

let lastMs = 0;
let lastTime = encodeBase62(0, timeLength);
let count = 0;

/**
 * `<prefix>_` and 22 base62 characters: time, a counter within the millisecond, chance. Ordered by time,
 * because random ids cost an index half its throughput; unguessable by the last 65 bits.
 */
export function timeOrderedId(prefix: string, nowMs: number): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    lastTime = encodeBase62(nowMs, timeLength);
    count = 0;
  } else if (count < countMax) {
    count += 1;
  }
  return `${prefix}_${lastTime}${encodeBase62(count, countLength)}${randomBase62(chanceLength)}`;
}

/** The smallest id that an instant can have: ids below it are older. */
export function lowestIdAt(prefix: string, atMs: number): string {
  return `${prefix}_${encodeBase62(Math.max(0, atMs), timeLength)}`;
}

/** When an id was made. */
export function timeOfId(id: string): number {
  const from = id.indexOf("_") + 1;
  let value = 0;
  for (const character of id.slice(from, from + timeLength)) value = value * base + alphabet.indexOf(character);
  return value;
}

/** Ids that name a request in the logs: unlike any other process's, and counted within this one. */
export function createRequestIds(): () => string {
  const process = randomBase62(10);
  let requests = 0;
  return () => `req_${process}${(requests += 1).toString(36)}`;
}
