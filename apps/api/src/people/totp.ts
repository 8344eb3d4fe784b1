import { createHmac, timingSafeEqual } from "node:crypto";

export const stepMs = 30_000;
const digits = 6;
/** Codes of the step before and the step after count too: clocks differ, and typing takes time. */
const stepsAround = 1;

/** What an authenticator app shows in one time step (RFC 4226, RFC 6238: SHA-1, six digits). */
export function codeAtStep(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const offset = digest.at(-1)! & 15;
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits).padStart(digits, "0");
}

/** The time step whose code this is, among those that count at this moment; undefined for a wrong code. */
export function stepOfCode(secret: Buffer, code: string, nowMs: number): number | undefined {
  const given = Buffer.from(code);
  if (given.length !== digits) return undefined;
  const now = Math.floor(nowMs / stepMs);
  for (let step = now - stepsAround; step <= now + stepsAround; step += 1) {
    if (timingSafeEqual(given, Buffer.from(codeAtStep(secret, step)))) return step;
  }
  return undefined;
}
