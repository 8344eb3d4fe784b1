/** What strangers can do to the counters of a site, whose id is public. */
import { networkQuota } from "@assay/contract/attestation.ts";
import assert from "node:assert/strict";
import { it } from "node:test";
import { listSites } from "../../src/attestation/sites/describe-site.ts";
import { creditBeat } from "../../src/attestation/tokens/credit-beat.ts";
import { describeBothStores } from "../both-stores.ts";
import { makeAccount, vastTier } from "../make-account.ts";
import { openApp } from "../open-app.ts";
import { goodSignals } from "../send.ts";
import { makeSite, newAddress, visit } from "./visit-page.ts";

describeBothStores("a site's counters", (open) => {
  it("count sessions that were attested and used, and show those that strangers begin as refused [threat: site-counters]", async (t) => {
    const { dataDir, databaseUrl } = await open();
    const opened = await openApp(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }, { dataDir });
    t.after(() => opened.close());
    const { store, attestation, nowMs } = opened.deps;
    const { accountId, liveKey } = await makeAccount(store, { tier: vastTier, nowMs: nowMs() });
    const siteId = await makeSite(store, { accountId, nowMs: nowMs() });
    await attestation.sites.refresh();
    const pages = visit(opened);
    const shown = async () => {
      await attestation.recorder.stop();
      const [site] = await listSites(store, { accountId, nowMs: nowMs() });
      return { counts: [site!.sessions, site!.refused, site!.calls, site!.attested_calls], lastSeenAt: site!.last_seen_at };
    };
    /** The session, ten seconds later. */
    const measure = (token: string): string => {
      const state = pages.read(token);
      const begun = { ...state, startedMs: state.startedMs - 10_000, lastMs: state.lastMs - 10_000 };
      return attestation.tokens.seal(creditBeat(begun, { view_ms: 9_000, active_ms: 8_000, clicks: 1, pages: 1 }, { nowMs: nowMs(), chance: 0 }));
    };
    const call = async (token: string, expected: string) => {
      const answer = await opened.app.inject({ method: "POST", url: "/api/ml/predict", headers: { "x-api-key": liveKey }, payload: { session_data: goodSignals, session_token: token } });
      assert.equal(answer.json<{ attestation: string }>().attestation, expected, answer.body);
    };

    // In one network, from no page, and from a network each.
    const [address, inOneNetwork, without, everywhere] = [newAddress(), networkQuota.perMinute + 30, 25, 40];
    let crowded = "";
    for (let nth = 0; nth < inOneNetwork; nth += 1) crowded = await pages.begin(siteId, { address });
    for (let nth = 0; nth < without; nth += 1) await pages.begin(siteId, { origin: undefined });
    for (let nth = 0; nth < everywhere; nth += 1) await pages.begin(siteId);
    const strangers = inOneNetwork + without + everywhere;
    assert.deepEqual(await shown(), { counts: [0, strangers, 0, 0], lastSeenAt: null });

    const [first, second, unused] = [measure(await pages.begin(siteId)), measure(await pages.begin(siteId)), await pages.begin(siteId)];
    await call(first, "server_timed");
    await call(second, "server_timed");
    const used = await shown();
    assert.deepEqual(used.counts, [2, strangers + 1, 2, 2]);
    assert.notEqual(used.lastSeenAt, null);
    // A retry, and visitors who are too early or in a crowd, and may be honest: their calls count, and no session does.
    for (const token of [second, unused, measure(crowded)]) await call(token, "asserted");
    await pages.begin(siteId);
    assert.deepEqual(await shown(), { counts: [2, strangers + 2, 5, 2], lastSeenAt: used.lastSeenAt });
  });
});
