/** Follows docs/operating.md, "Replacing SECRET_KEY", step by step: the settings and commands come from the document. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeCampaign } from "./ads/serving/make-campaign.ts";
import { clickUrlOf, follow, impressionUrlOf, requestAd } from "./ads/serving/send-tracking.ts";
import { describeBothStores, type TestDatabase } from "./both-stores.ts";
import { assayOn } from "./cli/run-assay.ts";
import { makeAccount, vastTier } from "./make-account.ts";
import { goodPassword, openBrowser, signIn } from "./people/browser.ts";
import { codeOf } from "./people/totp.ts";
import { readLedger } from "./read-ledger.ts";
import type { Answer } from "./send.ts";
import type { TestService } from "./start-service.ts";

const auth = "/dashboard/api/auth";
const [oldSecret, newSecret] = ["the old secret which has to go away now", "the new secret which takes the place of it"] as const;
const document = readFileSync(join(import.meta.dirname, "../../../docs/operating.md"), "utf8");

type Step = { settings: Record<string, string>; commands: string[][] };

/** The numbered steps of the document's section. */
function readSteps(): Step[] {
  const [, section = ""] = /^## Replacing SECRET_KEY\n([\s\S]*?)^## /m.exec(document) ?? [];
  return section.split(/^\d+\. /m).slice(1).map((text) => {
    const [step = ""] = text.split("\n\n");
    const settings = [...step.matchAll(/`(SECRET_KEY(?:_PREVIOUS)?)=(OLD|NEW)`/g)].map(([, name, value]) => [name!, value === "OLD" ? oldSecret : newSecret]);
    const commands = [...step.matchAll(/`npm run -s assay -- ([^`]+)`/g)].map(([, words]) => words!.split(" "));
    return { settings: Object.fromEntries(settings) as Record<string, string>, commands };
  });
}

describeBothStores("replacing SECRET_KEY as the guide says", (open) => {
  let database: TestDatabase;

  /** Two-factor with its recovery codes, and ads that were requested before the secret is replaced. */
  async function prepare(service: TestService) {
    const { store } = database;
    const account = await makeAccount(store, { tier: vastTier });
    await makeCampaign(store, { budget_micro: 1_000_000_000 });
    const browser = await signIn(service, { ...account, store });
    const setUp = (await browser.post(`${auth}/two-factor/enable`, { password: goodPassword })).json();
    const uri = String(setUp["totp_uri"]);
    assert.equal((await browser.post(`${auth}/two-factor/verify-totp`, { code: codeOf(uri, Date.now()) })).status, 200);
    const ads: Answer[] = [];
    for (let wanted = 4; wanted > 0; wanted -= 1) {
      const ad = await requestAd(service, account.liveKey, {});
      assert.equal(ad.status, 200, ad.text);
      assert.equal((await follow(service, impressionUrlOf(ad))).status, 200);
      ads.push(ad);
    }
    await sleep(600);
    return { account, uri, recoveryCodes: setUp["recovery_codes"] as string[], ads, cookies: browser.cookies };
  }
  type Prepared = Awaited<ReturnType<typeof prepare>>;

  /** The session goes on, both kinds of code sign in, and a tracking address of before pays. */
  async function assertAllWorks(service: TestService, { account, uri, recoveryCodes, ads, cookies }: Prepared, when: string): Promise<void> {
    const { store } = database;
    const browser = openBrowser(service);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    assert.equal((await browser.get("/dashboard/api/me")).status, 200, `${when}: the session`);
    // So that the test needs no wait for the next code.
    await store.db.updateTable("second_factors").set({ last_step: null }).execute();
    for (const [kind, code] of [["totp", codeOf(uri, Date.now())], ["backup-code", recoveryCodes.pop()]] as const) {
      const another = openBrowser(service);
      const first = await another.post(`${auth}/sign-in/email`, { email: account.email, password: goodPassword });
      assert.deepEqual(first.json(), { status: "second_factor_required" }, `${when}: ${first.text}`);
      assert.equal((await another.post(`${auth}/two-factor/verify-${kind}`, { code })).status, 200, `${when}: ${kind}`);
    }
    const ad = ads.pop()!;
    assert.equal((await follow(service, clickUrlOf(ad))).status, 302, `${when}: the tracking address`);
    const entries = await readLedger(store, account.accountId);
    assert.equal(entries.at(-1)?.ref, ad.json()["ad_id"], `${when}: the click pays`);
  }

  it("nobody signs in again, codes and tracking addresses work after each step, and the old secret is not needed at the end [threat: leaked-secret-key]", async () => {
    database = await open();
    let env: Record<string, string> = { SECRET_KEY: oldSecret };
    let service = await database.serve({ env });
    const prepared = await prepare(service);
    await assertAllWorks(service, prepared, "before");
    const steps = readSteps();
    assert.deepEqual(steps.map(({ settings, commands }) => [Object.keys(settings).length, commands.length]), [[0, 0], [2, 0], [2, 0], [0, 1], [1, 0]]);
    for (const [index, { settings, commands }] of steps.entries()) {
      for (const words of commands) {
        const { code, stdout, stderr } = await assayOn({ dataDir: database.dataDir, databaseUrl: database.databaseUrl, env }).run(...words);
        assert.equal(code, 0, stderr);
        assert.match(stdout, /^\d+ re-encrypted, 0 left under an old secret\.$/m);
      }
      if (Object.keys(settings).length === 0) continue;
      await service.stop();
      env = settings;
      service = await database.serve({ env });
      await assertAllWorks(service, prepared, `step ${index + 1}`);
    }
    assert.deepEqual(env, { SECRET_KEY: newSecret });
  });
});
