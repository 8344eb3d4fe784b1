/** Every command that changes money, tier, status, key or setting writes to the audit log: see access/noted-changes.ts. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { buildProgram, commandsUnder, pathOf } from "../src/cli/program.ts";
import { msPerDay } from "../src/formats/time.ts";
import { dayText } from "../src/money/days/day-refs.ts";
import { openStore } from "../src/store/open-store.ts";
import type { Store } from "../src/store/store.ts";
import { commandSamples, findNoteFaults, quietCommands } from "./access/noted-changes.ts";
import { assayOn } from "./cli/run-assay.ts";
import { extend } from "./log/log-context.ts";
import { makeAccount } from "./make-account.ts";
import { makeCharge, makeCharger } from "./make-charge.ts";
import { settleDayOf } from "./money/make-earner.ts";
import { makeTestFolder, testSecretKey } from "./start-service.ts";

describe("every command", () => {
  const settings = { dataDir: makeTestFolder(), databaseUrl: undefined };
  const assay = assayOn({ ...settings, env: { PAYOUT_MINIMUM_USD: "0.5", PAYOUT_FOUR_EYES: "off", SECRET_KEY: testSecretKey } });
  const campaignFile = join(makeTestFolder(), "campaigns.json");
  const pendingMs = Date.now() - 2 * msPerDay;
  const pendingDay = dayText(pendingMs);
  let store: Store;
  let owner: { accountId: string; email: string };

  before(async () => {
    ({ store } = await openStore(settings, { nowMs: Date.now(), onConnectionError: () => {} }));
    const earnedMs = Date.now() - 90 * msPerDay;
    owner = await makeAccount(store, { nowMs: earnedMs });
    const { accountId } = owner;
    const charger = makeCharger(store, { nowMs: earnedMs });
    await Promise.all(Array.from({ length: 20 }, () => charger.charge(makeCharge({ accountId, atMs: earnedMs }))));
    await settleDayOf(store, accountId, earnedMs);
    await charger.charge(makeCharge({ accountId, atMs: pendingMs }));
    const finding = { id: "find_planted", account_id: accountId, code: "operator", detail: "d", opened_at: 1, closed_at: 2, resolution: "r" };
    await store.db.insertInto("findings").values(finding).execute();
    const waits = { account_id: accountId, reason: "crowded_network", items: 1, developer_micro: 1, detail: JSON.stringify({ kind: "crowded_network", clicks: 40, settled: 10 }), at: 1 } as const;
    await store.db.insertInto("waiting_earnings").values({ ...waits, id: "wait_planted", day: 0 }).execute();
    const payee = { legal_name: "Ada", address: "London", country: "GB", tax_id: null, method: "paypal" as const, account: "ada@example.com", bank_code: null };
    await store.db.insertInto("payee_profiles").values({ account_id: accountId, ...payee, updated_at: earnedMs }).execute();
    const factor = { id: "auth_planted", account_id: accountId, secret: "s", recovery_codes: "r", verified: 1, failures: 0, locked_until: null, last_step: null };
    await store.db.insertInto("second_factors").values(factor).execute();
    const creative = { format: "banner", headline: "h", description: "d", cta_text: "c", landing_url: "https://shop.example/" };
    const campaign = { name: "Autumn", budget_usd: 10, bid_usd: 0.5, creatives: [creative] };
    await extend(store);
    writeFileSync(campaignFile, JSON.stringify({ advertiser: "Shop", campaigns: [campaign] }));
  });
  after(() => store.close());

  it("has samples, or a reason why it changes nothing", () => {
    const sampled = commandSamples({ email: "e", file: "f", payoutId: "p", pendingDay: "d", siteId: "s", webhook: { id: "w", eventId: "e" } }).map(({ path }) => path);
    assert.deepEqual(commandsUnder(buildProgram()).map(pathOf).toSorted(), [...new Set([...sampled, ...Object.keys(quietCommands)])].toSorted());
  });

  it("notes what it changed, whose it is, and which operator did it [threat: unnoted-change]", async () => {
    const failed: string[] = [];
    const rowsAfter = (seq: number) => store.db.selectFrom("audit_log").select(["action", "actor_account_id", "account_id"]).where("seq", ">", seq).execute();
    let operator: string | undefined;
    for (let index = 0, payoutId = "", siteId = "", webhook = { id: "", eventId: "" }; ; index += 1) {
      const sample = commandSamples({ email: owner.email, file: campaignFile, payoutId, pendingDay, siteId, webhook })[index];
      if (!sample) break;
      const { seq } = await store.db.selectFrom("audit_head").select("seq").executeTakeFirstOrThrow();
      const answer = await assay.json<{ id?: string; proposed?: { id: string }[]; test_event_id?: string; site_id?: string }>(...sample.path.split(" "), ...sample.words);
      payoutId = answer.proposed?.[0]?.id ?? payoutId;
      siteId = answer.site_id ?? siteId;
      if (answer.test_event_id !== undefined) webhook = { id: answer.id!, eventId: answer.test_event_id };
      if (sample.makesOperator) operator = answer.id;
      const actor = sample.by === "operator" ? operator! : null;
      failed.push(...findNoteFaults(sample.path, sample.noted, await rowsAfter(seq), { actor, owner: owner.accountId }));
    }
    assert.deepEqual(failed, []);
    assert.equal((await assay.json<{ ok: boolean }>("ledger", "verify")).ok, true);
  });
});
