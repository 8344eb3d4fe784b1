import type { AttestationIssue } from "@assay/contract/attestation.ts";
import type { MeasuredTotals } from "@assay/contract/measured-session.ts";

/** What the service has seen of a session. Only the token holds it: nothing is stored per beat. */
export type SessionState = MeasuredTotals & {
  /** `vis_…`, ordered by time. All copies of a session's token share it. */
  id: string;
  siteId: string;
  accountId: string;
  startedMs: number;
  /** Of the last beat, or of the start. */
  lastMs: number;
  /** When the next beat is due, after the last one. */
  nextMs: number;
  beats: number;
  /** How far credited time may still run ahead of the service's clock. */
  slackMs: number;
  /** Hash of the network in which it began: eight bytes as hex. */
  network: string;
  issues: ReadonlySet<SessionIssue>;
};

/** What is noted in the token. */
export const sessionIssues = ["crowded_network", "late_beats", "proxied", "origin_mismatch"] as const satisfies readonly AttestationIssue[];
export type SessionIssue = (typeof sessionIssues)[number];

export const sessionIdPrefix = "vis";
const idStart = sessionIdPrefix.length + 1;
const idLength = 22;
const siteStart = "site_".length;
const siteLength = 20;
const networkBytes = 8;

/** Bytes before the account's id, which is as long as it is. */
const at = { id: 0, site: 22, startedMs: 42, lastMs: 48, nextMs: 52, beats: 56, viewMs: 60, activeMs: 64, interactions: 68, pages: 72, scrolled: 76, slackMs: 84, issues: 86, network: 87, account: 95 } as const;
const accountLengthMax = 100;
const noIssues: ReadonlySet<SessionIssue> = new Set();

export function writeState(state: SessionState): Buffer {
  const bytes = Buffer.allocUnsafe(at.account + state.accountId.length);
  bytes.write(state.id.slice(idStart), at.id, idLength, "latin1");
  bytes.write(state.siteId.slice(siteStart), at.site, siteLength, "latin1");
  bytes.writeUIntBE(state.startedMs, at.startedMs, 6);
  bytes.writeUInt32BE(state.lastMs - state.startedMs, at.lastMs);
  bytes.writeUInt32BE(state.nextMs, at.nextMs);
  bytes.writeUInt32BE(state.beats, at.beats);
  bytes.writeUInt32BE(state.viewMs, at.viewMs);
  bytes.writeUInt32BE(state.activeMs, at.activeMs);
  bytes.writeUInt32BE(state.interactions, at.interactions);
  bytes.writeUInt32BE(state.pages, at.pages);
  bytes.writeDoubleBE(state.scrolled, at.scrolled);
  bytes.writeUInt16BE(state.slackMs, at.slackMs);
  let bits = 0;
  for (const issue of state.issues) bits |= 1 << sessionIssues.indexOf(issue);
  bytes.writeUInt8(bits, at.issues);
  bytes.write(state.network, at.network, networkBytes, "hex");
  bytes.write(state.accountId, at.account, "latin1");
  return bytes;
}

/** Undefined for bytes that no version of `writeState` wrote. */
export function readState(bytes: Buffer): SessionState | undefined {
  const accountLength = bytes.length - at.account;
  if (accountLength < 1 || accountLength > accountLengthMax) return undefined;
  const bits = bytes.readUInt8(at.issues);
  const startedMs = bytes.readUIntBE(at.startedMs, 6);
  return {
    id: `${sessionIdPrefix}_${bytes.toString("latin1", at.id, at.id + idLength)}`,
    siteId: `site_${bytes.toString("latin1", at.site, at.site + siteLength)}`,
    accountId: bytes.toString("latin1", at.account),
    startedMs,
    lastMs: startedMs + bytes.readUInt32BE(at.lastMs),
    nextMs: bytes.readUInt32BE(at.nextMs),
    beats: bytes.readUInt32BE(at.beats),
    viewMs: bytes.readUInt32BE(at.viewMs),
    activeMs: bytes.readUInt32BE(at.activeMs),
    interactions: bytes.readUInt32BE(at.interactions),
    pages: bytes.readUInt32BE(at.pages),
    scrolled: bytes.readDoubleBE(at.scrolled),
    slackMs: bytes.readUInt16BE(at.slackMs),
    network: bytes.toString("hex", at.network, at.network + networkBytes),
    issues: bits === 0 ? noIssues : new Set(sessionIssues.filter((_, index) => (bits & (1 << index)) !== 0)),
  };
}
