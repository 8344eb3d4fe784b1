import { tokenLengthMax } from "@assay/contract/attestation.ts";
import assert from "node:assert/strict";
import { createCipheriv, randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import { msPerDay, startOfDay } from "../../formats/time.ts";
import { deriveKey } from "../../secrets/sealer.ts";
import { startSession } from "./credit-beat.ts";
import { type SessionState, writeState } from "./session-state.ts";
import { createSessionTokens } from "./session-tokens.ts";

const key = Buffer.alloc(32, 7);
const nowMs = Date.UTC(2026, 2, 14, 12);
const today = nowMs / msPerDay | 0;
const tokens = createSessionTokens(key);

const stateAt = (atMs: number): SessionState =>
  startSession({ siteId: "site_4fKq2ZpX8mNwR7bTcY1s", accountId: "acct_0Nq8w2K0Nq8w2K0Nq8w2K", network: "00ff10a0b1c2d3e4", issues: ["proxied"], nowMs: atMs, chance: 0.3 });

const partsOf = (token: string): { day: number; bytes: Buffer } => {
  const [, day, text] = token.split(".");
  return { day: Number(day), bytes: Buffer.from(text!, "base64url") };
};
const tokenOf = (day: number | string, bytes: Buffer): string => `at1.${day}.${bytes.toString("base64url")}`;
const kindOf = (token: string, atMs = nowMs): string => tokens.open(token, atMs).kind;

/** Sealed by somebody who has the key of one day. */
function sealWith(dayKey: Buffer, day: number, state: SessionState): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", dayKey, nonce, { authTagLength: 16 });
  return tokenOf(day, Buffer.concat([nonce, cipher.update(writeState(state)), cipher.final(), cipher.getAuthTag()]));
}
const keyOfDay = (day: number): Buffer => deriveKey(key.toString("base64url"), `session tokens of day ${day}`);

describe("a session token", () => {
  const state = stateAt(nowMs);
  const token = tokens.seal(state);

  it("is opened to exactly what was sealed, on every node that has the key", () => {
    for (const node of [tokens, createSessionTokens(Buffer.from(key))]) assert.deepEqual(node.open(token, nowMs), { kind: "open", state });
    assert.match(token, /^at1\.20526\.[\w-]+$/);
    assert(token.length <= tokenLengthMax);
  });

  it("tells nobody without the key anything but its day", () => {
    const { bytes } = partsOf(token);
    for (const text of [state.id.slice(4), state.siteId.slice(5), state.accountId]) assert(!bytes.includes(text), text);
    assert(!bytes.includes(Buffer.from(state.network, "hex")));
  });

  it("is invalid under another key [threat: forged-token]", () => {
    assert.deepEqual(createSessionTokens(Buffer.alloc(32, 8)).open(token, nowMs), { kind: "invalid" });
  });

  it("is invalid with any bit changed in any of its bytes [threat: forged-token]", () => {
    const { day, bytes } = partsOf(token);
    for (let index = 0; index < bytes.length; index += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const changed = Buffer.from(bytes);
        changed[index]! ^= 1 << bit;
        assert.equal(kindOf(tokenOf(day, changed)), "invalid", `byte ${index}, bit ${bit}`);
      }
    }
  });

  it("is invalid if it is cut anywhere, or continued [threat: forged-token]", () => {
    for (let length = 0; length < token.length; length += 1) assert.equal(kindOf(token.slice(0, length)), "invalid", String(length));
    for (const more of ["A", "AAAA", "=", "==", ".", ".A", " ", "\n", "\0", "%00"]) assert.equal(kindOf(token + more), "invalid", JSON.stringify(more));
  });

  it("has one spelling: other base64 of the same bytes is invalid [threat: forged-token]", () => {
    const { day, bytes } = partsOf(token);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let twins = 0;
    // Lengths of which the last character has bits that stand for nothing.
    for (const accountId of ["a", "ab", "abc"]) {
      const sealed = tokens.seal({ ...state, accountId });
      assert.equal(kindOf(sealed), "open");
      for (const last of alphabet) {
        const twin = sealed.slice(0, -1) + last;
        if (twin === sealed || !partsOf(twin).bytes.equals(partsOf(sealed).bytes)) continue;
        twins += 1;
        assert.equal(kindOf(twin), "invalid", last);
      }
    }
    assert(twins > 10, "there are such spellings");
    const padded = `at1.${day}.${bytes.toString("base64")}`;
    for (const other of [padded, token.toUpperCase(), token.replace("at1", "AT1"), token.replace("at1", "at2"), token.replace("at1.", "at1.0"), token.replace("at1.", "at1.+"), token.replace("at1.", "at1. "), ` ${token}`, `at1.${day}.0.${partsOf(token).bytes.toString("base64url")}`]) {
      assert.equal(kindOf(other), "invalid", other);
    }
  });

  it("is invalid beyond the longest length, without being read", () => {
    assert.equal(kindOf(tokenOf(today, randomBytes(400))), "invalid");
    assert.equal(kindOf(`at1.${today}.${"A".repeat(1_000_000)}`), "invalid");
    for (const empty of ["", "at1", "at1.", "at1..", `at1.${today}`, `at1.${today}.`, tokenOf(today, randomBytes(28)), tokenOf(today, randomBytes(29))]) assert.equal(kindOf(empty), "invalid", empty);
  });

  it("is read with the key of its own day: another day's is invalid [threat: forged-token]", () => {
    const { bytes } = partsOf(token);
    for (const day of [today - 2, today - 1, today + 1]) assert.equal(kindOf(tokenOf(day, bytes)), "invalid");
  });

  it("is opened for two days after its own, for retries, and on a node whose clock is behind; then it has expired", () => {
    const at = (days: number) => kindOf(token, startOfDay(nowMs) + days * msPerDay);
    assert.deepEqual([at(-2), at(-1), at(0), at(1), at(2), at(3), at(400)], ["invalid", "open", "open", "open", "open", "expired", "expired"]);
    assert.equal(kindOf(tokenOf(9_999_999, partsOf(token).bytes)), "invalid", "a day of the far future");
    assert.equal(kindOf(tokenOf(10_000_000, partsOf(token).bytes)), "invalid");
  });

  it("that somebody seals with a stolen key of one day is of that day, and expires with it [threat: stolen-day-key]", () => {
    for (const day of [today - 2, today - 1, today, today + 1]) {
      assert.equal(kindOf(sealWith(keyOfDay(day), day, stateAt(day * msPerDay + 1))), "open", "the thief's tokens are sealed as ours are");
      for (const other of [day - 1, day + 1]) assert.equal(kindOf(sealWith(keyOfDay(day), day, stateAt(other * msPerDay + 1))), "invalid");
      for (const other of [today - 2, today - 1, today, today + 1].filter((each) => each !== day)) assert.equal(kindOf(sealWith(keyOfDay(day), other, stateAt(other * msPerDay + 1))), "invalid");
    }
  });

  it("never has another one's nonce, over many blocks of them [threat: forged-token]", () => {
    const nonces = Array.from({ length: 10_000 }, () => partsOf(tokens.seal(state)).bytes.toString("hex", 0, 12));
    assert.equal(new Set(nonces).size, nonces.length);
    // Nor do two nodes draw the same ones.
    const others = Array.from({ length: 1_000 }, () => partsOf(createSessionTokens(key).seal(state)).bytes.toString("hex", 0, 12));
    assert.equal(new Set([...nonces, ...others]).size, nonces.length + others.length);
    // No byte of it stands still.
    for (let index = 0; index < 12; index += 1) assert(new Set(nonces.map((nonce) => nonce.slice(index * 2, index * 2 + 2))).size > 200);
  });
});
