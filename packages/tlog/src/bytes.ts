/** Bytes and text, with nothing that only Node has. */

export const hashBytes = 32;

/** Not in shared memory, which Web Crypto refuses. */
export type OwnBytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

export const encodeUtf8 = (text: string): OwnBytes => encoder.encode(text);

export function joinBytes(...parts: readonly Uint8Array[]): OwnBytes {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Not in constant time: nothing that is compared here is secret. */
export const areEqual = (one: Uint8Array, other: Uint8Array): boolean => one.length === other.length && one.every((byte, index) => byte === other[index]);

export function encodeBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Only the one way in which `encodeBase64` writes these bytes: `atob` alone also takes spaces, missing padding and stray bits. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return encodeBase64(bytes) === text ? bytes : undefined;
}

/** A hash as a line of its own, or undefined if it is not one. */
export function decodeHash(text: string): Uint8Array | undefined {
  const bytes = decodeBase64(text);
  return bytes?.length === hashBytes ? bytes : undefined;
}

export const encodeHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A decimal without sign or leading zeros that a number holds exactly. */
export function parseDecimal(text: string): number | undefined {
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** For what signed notes may not contain: control characters other than line feeds, and halves of characters. */
export function isPlainText(text: string): boolean {
  for (const character of text) if (character < " " && character !== "\n") return false;
  return text.isWellFormed();
}

export async function sha256(bytes: OwnBytes): Promise<Uint8Array> {
  return new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", bytes));
}
