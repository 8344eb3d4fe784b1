import { currentModel } from "@assay/scoring/current-model.ts";
import { trustLevelOf } from "@assay/scoring/trust-level.ts";
import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { idAt } from "../../../test/id-at.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { msPerMinute } from "../../formats/time.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import type { CallAttestation, SessionVerdict } from "../../money/ledger/charge-batch.ts";
import type { Store } from "../../store/store.ts";
import { createSessionTrust } from "./session-trust.ts";

const atMs = 1_800_000_000_000;

describeBothStores("the verified trust of a session", (open) => {
  async function judge(store: Store, given: { mode?: "live" | "test"; attestation?: CallAttestation; verdict?: SessionVerdict } = {}) {
    const { accountId } = await makeAccount(store, { nowMs: atMs - msPerMinute });
    const sessionId = idAt(atMs);
    await makeCharger(store, { nowMs: atMs }).charge(makeCharge({ accountId, atMs, ref: sessionId, ...given }));
    return { accountId, sessionId };
  }

  it("lasts for 30 minutes, to the millisecond, and is read once", async () => {
    const { store } = await open();
    const session = { ...(await judge(store)), mode: "live" as const };
    const trust = createSessionTrust(store, { model: currentModel });
    const first = await trust.verify({ ...session, nowMs: atMs + 1 });
    assert.equal(first?.id, session.sessionId);
    await store.db.deleteFrom("session_records").where("id", "=", session.sessionId).execute();
    assert.equal(await trust.verify({ ...session, nowMs: atMs + 30 * msPerMinute - 1 }), first);
    assert.equal(await trust.verify({ ...session, nowMs: atMs + 30 * msPerMinute }), undefined);
  });

  it("holds only for the account and mode it was scored for", async () => {
    const { store } = await open();
    const [live, test] = [await judge(store), await judge(store, { mode: "test" })];
    const trust = createSessionTrust(store, { model: currentModel });
    const isTrusted = async (session: { accountId: string; sessionId: string }, mode: "live" | "test") =>
      (await trust.verify({ ...session, mode, nowMs: atMs + 1 })) !== undefined;
    assert.deepEqual([await isTrusted(live, "live"), await isTrusted(live, "test")], [true, false]);
    assert.deepEqual([await isTrusted(test, "live"), await isTrusted(test, "test")], [false, true]);
    assert.equal(await isTrusted({ ...live, accountId: test.accountId }, "live"), false);
  });

  it("is attested if the service measured any of its signals", async () => {
    const { store } = await open();
    const trust = createSessionTrust(store, { model: currentModel });
    const isAttested = async (attestation?: CallAttestation) => {
      const session = await judge(store, attestation && { attestation });
      return (await trust.verify({ ...session, mode: "live", nowMs: atMs + 1 }))?.isAttested;
    };
    assert.equal(await isAttested(), false);
    assert.equal(await isAttested({ sessionId: undefined, signals: 0, issues: "token_used" }), false);
    for (const signals of [1, 2, 31]) assert.equal(await isAttested({ sessionId: timeOrderedId("vis", atMs), signals, issues: null }), true, String(signals));
  });

  it("is what the newest model says as shipped, whatever model and calibration the developer has chosen", async () => {
    const { store } = await open();
    const trust = createSessionTrust(store, { model: currentModel });
    const signals = { user_engagement: 0.02, session_duration: 3, page_views: 1, return_visitor: false };
    const honest = currentModel.score(signals).serviceScore;
    const lax = { ...currentModel.score(signals), serviceScore: 99.9, trustLevel: "high" as const };
    const verify = async (mode: "live" | "test", by: { modelVersion: string; calibration: number | null }) => {
      const session = await judge(store, { mode, verdict: { signals, score: lax, processingTimeMs: 0.5, ...by } });
      const found = await trust.verify({ ...session, mode, nowMs: atMs + 1 });
      return [found?.score, found?.band];
    };
    assert.notEqual(trustLevelOf(honest), "high");
    assert.deepEqual(await verify("live", { modelVersion: "an older one", calibration: null }), [honest, trustLevelOf(honest)]);
    assert.deepEqual(await verify("live", { modelVersion: currentModel.version, calibration: 3 }), [honest, trustLevelOf(honest)]);
    assert.deepEqual(await verify("test", { modelVersion: currentModel.version, calibration: null }), [99.9, "high"], "what a test key asked for");
  });

  it("causes no query when the id alone rules it out", async () => {
    const { store } = await open();
    const trust = createSessionTrust(store, { model: currentModel });
    const ids = ["", "sess_", "sess_1", idAt(atMs - 31 * msPerMinute), idAt(atMs + msPerMinute), `${idAt(atMs)}'; --`, "x".repeat(100)];
    for (const sessionId of ids) assert.equal(trust.verify({ accountId: "acct_1", mode: "live", sessionId, nowMs: atMs }), undefined, sessionId);
  });
});
