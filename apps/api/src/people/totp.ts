import { createHmac, timingSafeEqual } from "node:crypto";

export const stepMs = 30_000;
const digits = 6;
/** Codes of the step before and the step after are accepted too: clocks differ, and typing takes time. */
const stepsAround = 1;

/** RFC 4226 and RFC 6238 with SHA-1 and six digits. */
export function codeAtStep(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const offset = digest.at(-1)! & 15;
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits).padStart(digits, "0");
}

/** The time step that the code belongs to, among those accepted now; undefined for a wrong code. */
export function stepOfCode(secret: Buffer, code: string, nowMs: number): number | undefined {
  const given = Buffer.from(code);
  if (given.length !== digits) return undefined;
  const now = Math.floor(nowMs / stepMs);
  for (let step = now - stepsAround; step <= now + stepsAround; step += 1) {
    if (timingSafeEqual(given, Buffer.from(codeAtStep(secret, step)))) return step;
  }
  return undefined;
}
