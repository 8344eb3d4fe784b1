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

const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function encodeBase32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((group) => base32[Number.parseInt(group.padEnd(5, "0"), 2)]).join("");
}

/** What an authenticator app reads from a QR code. */
export function makeTotpUri({ issuer, account, secret }: { issuer: string; account: string; secret: Buffer }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const query = new URLSearchParams({ secret: encodeBase32(secret), issuer, digits: String(digits), period: String(stepMs / 1_000) });
  return `otpauth://totp/${label}?${query.toString()}`;
}
