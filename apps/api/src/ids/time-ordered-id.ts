import { randomFillSync } from "node:crypto";

/** In ASCII order, so that ids sort by time when compared as bytes. */
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const base = alphabet.length;

/** Milliseconds since 1970 in base 62: eight characters last until the year 8888. */
const timeLength = 8;
const countLength = 3;
const randomLength = 11;
const countMax = base ** countLength - 1;

/** Random characters are generated in blocks: slicing a text is much cheaper than generating them one by one. */
const blockBytes = 4_096;
let block = "";
let blockUsed = 0;

/** Bytes above the largest multiple of 62 are discarded, so that every character is equally likely. */
function refillBlock(): void {
  const bytes = randomFillSync(Buffer.allocUnsafe(blockBytes));
  let length = 0;
  for (const byte of bytes) {
    if (byte < 248) bytes[length++] = alphabet.charCodeAt(byte % base);
  }
  block = bytes.toString("latin1", 0, length);
  blockUsed = 0;
}

/** Base62 characters from the system's cryptographic generator. */
export function randomBase62(length: number): string {
  if (blockUsed + length > block.length) refillBlock();
  blockUsed += length;
  return block.slice(blockUsed - length, blockUsed);
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
 * `<prefix>_` and 22 base62 characters: time, a counter within the millisecond, random characters. Ids are ordered
 * by time because random ids halve an index's throughput. The last 65 bits make them unguessable.
 */
export function timeOrderedId(prefix: string, nowMs: number): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    lastTime = encodeBase62(nowMs, timeLength);
    count = 0;
  } else if (count < countMax) {
    count += 1;
  }
  return `${prefix}_${lastTime}${encodeBase62(count, countLength)}${randomBase62(randomLength)}`;
}

/** Ids of requests in the logs: a random part per process and a counter. */
export function createRequestIds(): () => string {
  const process = randomBase62(10);
  let requests = 0;
  return () => `req_${process}${(requests += 1).toString(36)}`;
}

/** The smallest id of a millisecond: ids below it are older. */
export function lowestIdAt(prefix: string, atMs: number): string {
  return `${prefix}_${encodeBase62(Math.max(0, atMs), timeLength)}`;
}

/** An id of a past moment, among others of its time. `timeOrderedId` never goes back. */
export const idAt = (prefix: string, atMs: number): string => `${lowestIdAt(prefix, atMs)}${randomBase62(countLength + randomLength)}`;

/** The creation time of an id. */
export function timeOfId(id: string): number {
  const from = id.indexOf("_") + 1;
  let value = 0;
  for (const character of id.slice(from, from + timeLength)) value = value * base + alphabet.indexOf(character);
  return value;
}
