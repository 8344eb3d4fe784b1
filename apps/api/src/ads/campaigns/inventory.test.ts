import { sql } from "kysely";
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, it } from "node:test";
import sharp from "sharp";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { inOneDay } from "../../../test/in-one-day.ts";
import { waitUntil } from "../../../test/send.ts";
import { makeTestFolder } from "../../../test/start-service.ts";
import { runSql } from "../../../test/store/run-sql.ts";
import { decide } from "../auction/decide.ts";
import { createAdvertiser, createCampaign, createCreative, editCampaign, judgeCreative, moveCampaignTo } from "./change-campaign.ts";
import { followInventory, type Inventory } from "./follow-inventory.ts";
import { ensureHouseAds } from "./house-ads.ts";
import { adFormats, imageSizes, placements } from "./image-formats.ts";
import { importCampaignFile, importCampaigns } from "./import-campaigns.ts";
import { validateCampaign } from "./validate-campaign.ts";

const nowMs = Date.now();
const actor = { actorAccountId: null, nowMs };
const creative = { format: "banner", headline: "Hello", description: "World", cta_text: "Go", landing_url: "https://example.com/" };
const campaign = (name: string, more: Record<string, unknown> = {}) => ({ name, budget_usd: 10, bid_usd: 0.25, placements: ["feed"], creatives: [creative], ...more });
const onError = (error: unknown) => assert.fail(String(error));

const tables = ["advertisers", "campaigns", "creatives", "creative_images", "audit_log"] as const;

describeBothStores("the inventory", (open, dialect) => {
  let database: TestDatabase;
  let folder: string;

  before(async () => {
    database = await open();
    folder = makeTestFolder();
    writeFileSync(join(folder, "good.png"), await sharp({ create: { width: 300, height: 250, channels: 3, background: "#246" } }).png().toBuffer());
    writeFileSync(join(folder, "bad.png"), "<svg onload='alert(1)'/>");
  });

  const countAll = async () => {
    const counts = await Promise.all(tables.map((table) => sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(database.store.db)));
    return counts.map(({ rows }) => rows[0]!.n);
  };
  const epochNow = async () => (await database.store.db.selectFrom("inventory_epoch").select("value").executeTakeFirstOrThrow()).value;
  const importAs = (advertiser: string, ...campaigns: unknown[]) => importCampaigns(database.store, { advertiser, campaigns }, { folder, ...actor });
  async function imported(advertiser: string, ...campaigns: unknown[]) {
    const outcome = await importAs(advertiser, ...campaigns);
    assert.equal(outcome.kind, "imported", JSON.stringify(outcome));
    return outcome.kind === "imported" ? outcome.campaigns : assert.fail();
  }
  async function following<Result>(work: (inventory: Inventory) => Promise<Result>): Promise<Result> {
    const inventory = await followInventory(database.store, { nowMs: Date.now, onError });
    try {
      return await work(inventory);
    } finally {
      inventory.stop();
    }
  }

  it("imports a whole file: active campaigns, approved creatives, an image per placement served", async () => {
    const document = campaign("Whole", { placements: [], daily_budget_usd: 5, categories: ["gaming"], creatives: [{ ...creative, image: "good.png" }, { ...creative, format: "native" }] });
    const [made] = await imported("Whole Co", document);
    await following(async (inventory) => {
      const { campaigns, creatives } = inventory.current();
      const facts = campaigns.get(made!.id);
      assert.equal(facts?.advertiser, "Whole Co");
      assert.equal(facts.dailyBudgetMicroUsd, 5_000_000);
      assert.deepEqual(facts.categories, ["gaming"]);
      assert.equal(facts.creatives.length, 2);
      for (const { id, format } of facts.creatives) {
        for (const placement of placements) {
          const image = creatives.get(id)?.images[placement];
          assert.deepEqual({ width: image?.width, height: image?.height }, imageSizes[format][placement]);
          assert.equal(image?.extension, "webp");
        }
      }
    });
  });

  it("imports nothing of a file with any fault, and names every fault", async () => {
    const [counts, epoch] = [await countAll(), await epochNow()];
    const outcome = await importAs(
      "Faulty",
      campaign("Good"),
      campaign("Bad", { creatives: [creative, { ...creative, image: "bad.png" }, { ...creative, image: "../secret.png" }, { ...creative, image: "/etc/passwd" }, { ...creative, image: "none.png" }] }),
    );
    assert.equal(outcome.kind, "refused");
    if (outcome.kind !== "refused") return;
    assert.deepEqual(outcome.faults.map(({ path }) => path), [1, 2, 3, 4].map((index) => `campaigns[1].creatives[${index}].image`));
    const [wrongType, outside, absolute, missing] = outcome.faults.map(({ message }) => message);
    assert.match(wrongType!, /must be a PNG, JPEG or WebP/);
    for (const message of [outside, absolute]) assert.match(message!, /below the folder/);
    assert.match(missing!, /cannot be read \(ENOENT\)/);
    assert.deepEqual([await countAll(), await epochNow()], [counts, epoch]);
  });

  it("does not follow a symbolic link out of the file's folder", async () => {
    const outside = makeTestFolder();
    writeFileSync(join(outside, "secret.png"), await sharp({ create: { width: 9, height: 9, channels: 3, background: "#fff" } }).png().toBuffer());
    mkdirSync(join(folder, "links"), { recursive: true });
    symlinkSync(join(outside, "secret.png"), join(folder, "links", `${dialect}.png`));
    const outcome = await importAs("Linked", campaign("Linked", { creatives: [{ ...creative, image: `links/${dialect}.png` }] }));
    assert.equal(outcome.kind === "refused" && outcome.faults[0]?.message, "must be a path below the folder of the file");
  });

  it("imports nothing from invalid JSON, a missing file, or a campaign that exists", async () => {
    writeFileSync(join(folder, "broken.json"), "{");
    for (const name of ["broken.json", "absent.json"]) {
      assert.equal((await importCampaignFile(database.store, join(folder, name), actor)).kind, "refused");
    }
    await imported("Twice", campaign("Spring"));
    const outcome = await importAs("TWICE", campaign("Summer"), campaign("spring"));
    assert.deepEqual(outcome.kind === "refused" && outcome.faults.map(({ path }) => path), ["campaigns[1].name"]);
  });

  it("lets one of two concurrent imports of the same campaign succeed", async () => {
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => importAs("Racing", campaign("Only once"))));
    assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ["imported", "refused", "refused", "refused"]);
    const rows = await database.store.db.selectFrom("campaigns").select("id").where("name", "=", "Only once").execute();
    assert.equal(rows.length, 1);
  });

  it("allows only valid status changes, and propagates them to every node", async () => {
    const [made] = await imported("Mover", campaign("Moves"));
    const { id } = made!;
    const moves = ["active", "paused", "paused", "active", "ended", "active", "paused", "ended"] as const;
    const outcomes: string[] = [];
    const serving: boolean[] = [];
    await following(async (inventory) => {
      for (const to of moves) {
        outcomes.push((await moveCampaignTo(database.store, { id, to }, actor)).kind);
        await inventory.refresh();
        serving.push(inventory.current().campaigns.has(id));
      }
    });
    assert.deepEqual(outcomes, ["not_from", "moved", "not_from", "moved", "moved", "not_from", "not_from", "not_from"]);
    assert.deepEqual(serving, [true, false, false, true, false, false, false, false]);
    const noted = await database.store.db.selectFrom("audit_log").select("action").where("subject", "=", id).orderBy("id").execute();
    assert.deepEqual(noted.map(({ action }) => action), ["campaign.paused", "campaign.active", "campaign.ended"], "only what happened is noted");
  });

  it("lets one of many concurrent pauses succeed, and never reactivates an ended campaign", async () => {
    const [made] = await imported("Crowd", campaign("Crowded"));
    const { id } = made!;
    const move = async (to: "active" | "paused" | "ended") => (await moveCampaignTo(database.store, { id, to }, actor)).kind;
    const paused = await Promise.all(Array.from({ length: 8 }, () => move("paused")));
    assert.equal(paused.filter((kind) => kind === "moved").length, 1);
    await Promise.all([move("ended"), move("active"), move("active")]);
    const { status } = await database.store.db.selectFrom("campaigns").select("status").where("id", "=", id).executeTakeFirstOrThrow();
    assert.equal(status, "ended");
  });

  it("never lowers a budget below the spend, and loses no concurrent edit", async () => {
    const [made] = await imported("Editor", campaign("Edited"));
    const { id } = made!;
    await database.store.write([database.store.db.updateTable("campaigns").set({ spent_micro: 4_000_000 }).where("id", "=", id)]);
    const edit = (patch: Record<string, unknown>) => editCampaign(database.store, { id, patch }, actor);
    const tooLow = await edit({ budget_usd: 3.999999 });
    assert.equal(tooLow.kind === "invalid" && tooLow.faults[0]?.message, "must not be below what is spent: 4");
    assert.equal((await edit({ bid_usd: 11 })).kind, "invalid");
    assert.equal((await edit({ placements: [] })).kind, "invalid", "there are no images for the other placements");
    assert.equal((await edit({ budget_usd: 4 })).kind, "saved");
    const both = await Promise.all([edit({ min_trust: 50 }), edit({ pacing: "even" }), edit({ categories: ["news"] }), edit({ min_attestation: "server_timed" })]);
    assert(both.every(({ kind }) => kind === "saved"));
    const row = await database.store.db.selectFrom("campaigns").select(["budget_micro", "min_trust", "min_attestation", "pacing", "categories"]).where("id", "=", id).executeTakeFirstOrThrow();
    assert.deepEqual(row, { budget_micro: 4_000_000, min_trust: 50, min_attestation: "server_timed", pacing: "even", categories: '["news"]' });
  });

  it("serves an operator's campaign once it is active and has an approved creative", async () => {
    const advertiser = await createAdvertiser(database.store, "By hand", actor);
    assert.equal(advertiser.kind, "saved");
    assert.equal((await createAdvertiser(database.store, "BY HAND", actor)).kind, "name_taken");
    const validated = validateCampaign({ name: "Made", budget_usd: 5, bid_usd: 0.1, placements: ["sidebar"] }, nowMs);
    assert(validated.kind === "valid" && advertiser.kind === "saved");
    const draft = { advertiserId: advertiser.id, input: validated.value };
    const saved = await createCampaign(database.store, draft, actor);
    assert.equal((await createCampaign(database.store, draft, actor)).kind, "name_taken");
    assert(saved.kind === "saved");
    const { image: _image, ...texts } = { image: undefined, format: "banner" as const, headline: "H", description: "", ctaText: "Go", landingUrl: "https://example.com/" };
    const [first, second] = [await createCreative(database.store, { campaignId: saved.id, input: { ...texts, image: undefined }, image: undefined }, actor), await createCreative(database.store, { campaignId: saved.id, input: { ...texts, image: undefined }, image: undefined }, actor)];
    assert(first.kind === "saved" && second.kind === "saved");
    await moveCampaignTo(database.store, { id: saved.id, to: "active" }, actor);
    await following(async (inventory) => {
      assert.deepEqual(inventory.current().campaigns.get(saved.id)?.creatives, []);
      assert.equal((await judgeCreative(database.store, { id: first.id, to: "approved" }, actor)).kind, "judged");
      assert.equal((await judgeCreative(database.store, { id: second.id, to: "rejected" }, actor)).kind, "judged");
      assert.equal((await judgeCreative(database.store, { id: second.id, to: "approved" }, actor)).kind, "not_pending");
      await inventory.refresh();
      assert.deepEqual(inventory.current().campaigns.get(saved.id)?.creatives, [{ id: first.id, format: "banner" }]);
    });
  });

  it("propagates to nodes, with other nodes' spend and clicks", () => inOneDay(async () => {
    await following(async (inventory) => {
      const [made] = await imported("News", campaign("Fresh"));
      const { id } = made!;
      await waitUntil(() => inventory.current().campaigns.has(id), "the campaign is known");
      const { db } = database.store;
      const day = Math.floor(Date.now() / 86_400_000) * 86_400_000;
      await database.store.write([
        db.updateTable("campaigns").set({ spent_micro: 2_500_000 }).where("id", "=", id),
        db.insertInto("campaign_days").values({ campaign_id: id, day, spent_micro: 1_500_000 }),
      ]);
      const entry = () => inventory.current().snapshot.entryOf(id);
      await waitUntil(() => entry()?.spentMicroUsd === 2_500_000 && entry()?.spentTodayMicroUsd === 1_500_000, "the spend is known");
      await database.store.write([db.updateTable("campaigns").set({ spent_micro: 1_000_000 }).where("id", "=", id)]);
      await waitUntil(() => entry()?.spentMicroUsd === 1_000_000, "what was given back is known");
      const older = inventory.current().snapshot;
      const creativeId = inventory.current().campaigns.get(id)!.creatives[0]!.id;
      await database.store.write([db.insertInto("click_rates").values({ creative_id: creativeId, placement: "feed", category: "", impressions: 1_000, clicks: 500 })]);
      await waitUntil(() => inventory.current().snapshot !== older, "a new snapshot was built");
      const bucket = inventory.current().snapshot.bucketOf({ format: "banner", placement: "feed", category: "" }, false);
      const candidate = bucket.candidates.find((each) => each.creative.id === creativeId);
      assert(candidate && candidate.belief.alpha / (candidate.belief.alpha + candidate.belief.beta) > 0.3, "it learnt from the history");
    });
  }));

  it("keeps serving what was last read while the store is unreachable, and reports it", async () => {
    const errors: unknown[] = [];
    let isAway = false;
    const { db } = database.store;
    const store = new Proxy(database.store, {
      get: (target, name) => {
        if (name === "db" && isAway) throw new Error("the store is away");
        return name === "db" ? db : Reflect.get(target, name);
      },
    });
    const inventory = await followInventory(store, { nowMs: Date.now, onError: (error) => errors.push(error) });
    const known = inventory.current().campaigns.size;
    assert(known > 0);
    isAway = true;
    await waitUntil(() => errors.length >= 2, "two polls failed");
    assert.equal(inventory.current().campaigns.size, known);
    isAway = false;
    const [made] = await imported("Back", campaign("Again"));
    await waitUntil(() => inventory.current().campaigns.has(made!.id), "it follows again");
    inventory.stop();
  });

  it("has house ads for every format and placement, created once even if nodes start together", async () => {
    const fresh = await open();
    const installation = { address: "https://assay.example", nowMs };
    const outcomes = await Promise.all([ensureHouseAds(fresh.store, installation), ensureHouseAds(fresh.store, installation)]);
    assert(outcomes.includes("made"));
    assert.equal(await ensureHouseAds(fresh.store, { ...installation, address: "https://moved.example" }), "kept");
    const houses = await fresh.store.db.selectFrom("campaigns").select("id").where("house", "=", 1).execute();
    assert.equal(houses.length, 1);
    const inventory = await followInventory(fresh.store, { nowMs: Date.now, onError });
    for (const format of adFormats) {
      for (const placement of placements) {
        const decision = decide(inventory.current().snapshot, { format, placement, houseAdsAllowed: true, nowMs: Date.now(), random: Math.random, floorMicroUsd: 10_000 });
        assert(decision.kind === "offer", `${format} ${placement}`);
        const shown = inventory.current().creatives.get(decision.creative.id)!;
        assert.equal(shown.landingUrl, "https://moved.example/");
        const image = shown.images[placement]!;
        const row = await fresh.store.db.selectFrom("images").select("bytes").where("hash", "=", image.hash).executeTakeFirstOrThrow();
        const seen = await sharp(Buffer.from(row.bytes)).metadata();
        assert.deepEqual({ width: seen.width, height: seen.height }, imageSizes[format][placement], `${format} ${placement}`);
      }
    }
    inventory.stop();
  });

  it("keeps the audit log of operators' actions unchanged", async () => {
    for (const statement of ["UPDATE audit_log SET action = action", "DELETE FROM audit_log", ...(dialect === "postgres" ? ["TRUNCATE audit_log"] : [])]) {
      await assert.rejects(runSql(database, [statement]), /append-only/, statement);
    }
  });
});
