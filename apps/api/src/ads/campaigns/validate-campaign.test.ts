import { amountUsdMax, campaignsPerFileMax, categoriesMax, creativesPerCampaignMax, minTrustMax, textLengthMax } from "@assay/contract/dashboard/campaign-limits.ts";
import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { faultLine, validateAdvertiser, validateCampaign, validateCreative, validateImport } from "./validate-campaign.ts";

const nowMs = Date.UTC(2026, 5, 1);
const creative = { format: "banner", headline: "Hello", description: "World", cta_text: "Go", landing_url: "https://example.com/x" };
const campaign = { name: "Spring", budget_usd: 10, bid_usd: 0.25, creatives: [creative] };
const file = (change: Record<string, unknown> = {}) => ({ advertiser: "Acme", campaigns: [{ ...campaign, ...change }] });
const withCreative = (change: Record<string, unknown>) => file({ creatives: [{ ...creative, ...change }] });

function faultsOf(document: unknown): string[] {
  const validated = validateImport(document, nowMs);
  return validated.kind === "invalid" ? validated.faults.map(faultLine) : [];
}

function valueOf(document: unknown) {
  const validated = validateImport(document, nowMs);
  assert.equal(validated.kind, "valid", JSON.stringify(validated));
  return validated.kind === "valid" ? validated.value : assert.fail();
}

describe("a file of campaigns", () => {
  it("may omit every field with a default", () => {
    const [read] = valueOf(file()).campaigns;
    assert.deepEqual(
      { ...read, creatives: [] },
      {
        name: "Spring",
        budgetMicroUsd: 10_000_000,
        dailyBudgetMicroUsd: undefined,
        bidMicroUsd: 250_000,
        startsMs: nowMs,
        endsMs: undefined,
        categories: [],
        placements: [],
        minTrust: 0,
        minAttestation: null,
        pacing: "asap",
        creatives: [],
      },
    );
  });

  it("may ask for attested sessions", () => {
    assert.equal(valueOf(file({ min_attestation: "server_timed" })).campaigns[0]?.minAttestation, "server_timed");
  });

  it("reads dates as the start of a UTC day, and times as they are", () => {
    const [read] = valueOf(file({ starts: "2026-01-01", ends: "2026-07-01T12:30:00+02:00" })).campaigns;
    assert.equal(read?.startsMs, Date.UTC(2026, 0, 1));
    assert.equal(read?.endsMs, Date.UTC(2026, 6, 1, 10, 30));
  });

  it("names every fault with its path at once", () => {
    const document = {
      advertiser: " ",
      extra: 1,
      campaigns: [
        { name: "A", budget_usd: "10", bid_usd: 0.0000001, creatives: [{ ...creative, format: "popup", landing_url: "javascript:alert(1)" }] },
        { name: "a", budget_usd: 1, bid_usd: 2, creatives: [] },
      ],
    };
    assert.deepEqual(faultsOf(document), [
      "extra: is not known here; known are advertiser, campaigns",
      "advertiser: must not be empty",
      "campaigns[0].budget_usd: must be a number, in USD",
      "campaigns[0].bid_usd: must have at most 6 decimals",
      "campaigns[0].creatives[0].format: must be banner or native or interstitial",
      "campaigns[0].creatives[0].landing_url: must be an http or https address",
      "campaigns[1].bid_usd: must not be above budget_usd",
      "campaigns[1].creatives: must have 1 to 50 items, and has 0",
      "campaigns[1].name: is in this file twice",
    ]);
  });

  it("refuses impossible amounts, dates and targets", () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ budget_usd: 0 }, "budget_usd: must be more than 0"],
      [{ budget_usd: -1 }, "budget_usd: must be more than 0"],
      [{ budget_usd: 1e10 }, "budget_usd: must be more than 0 and at most 1000000000"],
      [{ budget_usd: null }, "budget_usd: must be a number"],
      [{ bid_usd: 0.1234567 }, "bid_usd: must have at most 6 decimals"],
      [{ daily_budget_usd: 11 }, "daily_budget_usd: must not be above budget_usd"],
      [{ daily_budget_usd: 0.2 }, "bid_usd: must not be above daily_budget_usd"],
      [{ starts: "2026-02-30" }, "starts: must be a date"],
      [{ starts: 5 }, "starts: must be a date"],
      [{ starts: "2026-07-02", ends: "2026-07-01" }, "ends: must be after starts"],
      [{ ends: "2026-05-31" }, "ends: must be in the future"],
      [{ categories: ["a b"] }, "categories[0]: must be 1 to 40"],
      [{ placements: ["feed", "top"] }, "placements[1]: must be feed or sidebar or fullscreen"],
      [{ min_trust: 101 }, "min_trust: must be a number from 0 to 100"],
      ...["asserted", "Server_Timed", "", true, 1, ["server_timed"], {}].map(
        (value): [Record<string, unknown>, string] => [{ min_attestation: value }, "min_attestation: must be server_timed"],
      ),
      [{ pacing: "fast" }, "pacing: must be even or asap"],
      [{ budget: 3 }, "budget: is not known here"],
      [{ creatives: Array.from({ length: 51 }, () => creative) }, "creatives: must have 1 to 50 items, and has 51"],
    ];
    for (const [change, expected] of cases) {
      const faults = faultsOf(file(change));
      assert.equal(faults.length, 1, JSON.stringify([change, faults]));
      assert(faults[0]?.startsWith(`campaigns[0].${expected}`), `${faults[0]} is not ${expected}`);
    }
  });

  it("refuses landing URLs that are not plain web URLs [threat: open-redirect]", () => {
    const bad = ["ftp://example.com", "//example.com", "https://", "https:example.com", "data:text/html,x", "https://me:pw@example.com/", "https://me@example.com/", "", "x".repeat(3_000), "java\nscript:alert(1)"];
    for (const landing_url of bad) assert.equal(faultsOf(withCreative({ landing_url })).length, 1, landing_url);
    const [good] = valueOf(withCreative({ landing_url: "https://exämple.com/ü?q=\u00e9" })).campaigns[0]!.creatives;
    assert.match(good!.landingUrl, /^[\x21-\x7e]+$/, "fit for a Location header");
  });

  it("refuses texts that are too long, empty, or contain control characters", () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ headline: "x".repeat(91) }, "headline: must have at most 90 characters, and has 91"],
      [{ headline: "  " }, "headline: must not be empty"],
      [{ headline: "a\u0000b" }, "headline: must not hold control characters"],
      [{ headline: "a\u202eb" }, "headline: must not hold control characters"],
      [{ cta_text: 5 }, "cta_text: must be a text"],
      [{ description: "x".repeat(201) }, "description: must have at most 200"],
    ];
    for (const [change, expected] of cases) {
      const [fault = ""] = faultsOf(withCreative(change));
      assert(fault.startsWith(`campaigns[0].creatives[0].${expected}`), fault);
    }
    assert.deepEqual(faultsOf(withCreative({ description: "" })), []);
  });

  it("accepts every limit and refuses one more, counted in code points", () => {
    const characters = (count: number) => "😀".repeat(count);
    const many = <Item>(count: number, item: (index: number) => Item) => Array.from({ length: count }, (_, index) => item(index));
    const limits: [string, (count: number) => unknown, number][] = [
      ["advertiser", (count) => ({ ...file(), advertiser: characters(count) }), textLengthMax.advertiser],
      ["campaigns[0].name", (count) => file({ name: characters(count) }), textLengthMax.name],
      ["campaigns[0].creatives[0].headline", (count) => withCreative({ headline: characters(count) }), textLengthMax.headline],
      ["campaigns[0].creatives[0].description", (count) => withCreative({ description: characters(count) }), textLengthMax.description],
      ["campaigns[0].creatives[0].cta_text", (count) => withCreative({ cta_text: characters(count) }), textLengthMax.cta_text],
      ["campaigns[0].creatives[0].image", (count) => withCreative({ image: characters(count) }), textLengthMax.image],
      ["campaigns[0].creatives[0].landing_url", (count) => withCreative({ landing_url: `https://a/${"x".repeat(count - 10)}` }), textLengthMax.landing_url],
      ["campaigns[0].creatives", (count) => file({ creatives: many(count, () => creative) }), creativesPerCampaignMax],
      ["campaigns[0].categories", (count) => file({ categories: many(count, (index) => `c${index}`) }), categoriesMax],
      ["campaigns[0].categories[0]", (count) => file({ categories: ["c".repeat(count)] }), 40],
      ["campaigns[0].min_trust", (count) => file({ min_trust: count }), minTrustMax],
      ["campaigns[0].budget_usd", (count) => file({ budget_usd: count }), amountUsdMax],
      ["campaigns", (count) => ({ ...file(), campaigns: many(count, (index) => ({ ...campaign, name: `C${index}` })) }), campaignsPerFileMax],
    ];
    for (const [path, make, max] of limits) {
      assert.deepEqual(faultsOf(make(max)), [], path);
      const faults = faultsOf(make(max + 1));
      assert.equal(faults.length, 1, path);
      assert(faults[0]?.startsWith(`${path}: `), faults[0]);
    }
    assert.deepEqual(faultsOf(withCreative({ landing_url: `https://a/${"ü".repeat(400)}` })), ["campaigns[0].creatives[0].landing_url: must have at most 2048 characters when encoded"]);
  });

  it("trims texts, lowercases categories, removes duplicates, and accepts null for optional fields", () => {
    const absent = { daily_budget_usd: null, starts: null, ends: null, min_trust: null, min_attestation: null };
    const targets = { categories: ["Gaming", "news", "GAMING"], placements: ["sidebar", "feed", "sidebar"] };
    const texts = { headline: "\u00a0Hello\n", description: " ", cta_text: "\tGo", landing_url: " HTTPS://Example.com ", image: null };
    const { advertiser, campaigns } = valueOf({ advertiser: " Acme ", campaigns: [{ ...campaign, name: " Spring ", ...absent, ...targets, creatives: [{ ...creative, ...texts }] }] });
    assert.equal(advertiser, "Acme");
    assert.deepEqual(campaigns, [
      {
        name: "Spring",
        budgetMicroUsd: 10_000_000,
        dailyBudgetMicroUsd: undefined,
        bidMicroUsd: 250_000,
        startsMs: nowMs,
        endsMs: undefined,
        categories: ["gaming", "news"],
        placements: ["feed", "sidebar"],
        minTrust: 0,
        minAttestation: null,
        pacing: "asap",
        creatives: [{ format: "banner", headline: "Hello", description: "", ctaText: "Go", landingUrl: "https://example.com/", image: undefined }],
      },
    ]);
    for (const name of ["categories", "placements", "pacing", "creatives", "name", "bid_usd"]) {
      assert.deepEqual(faultsOf(file({ [name]: null })).map((line) => line.split(":")[0]), [`campaigns[0].${name}`]);
    }
  });

  it("is refused for unknown fields at every level, and for values that are not objects", () => {
    const document = { advertiser: "Acme", campaigns: [{ ...campaign, toString: 1, creatives: [{ ...creative, html: "x" }, 7] }, null] };
    assert.deepEqual(faultsOf(document).map((line) => line.split(":")[0]), [
      "campaigns[0].toString",
      "campaigns[0].creatives[0].html",
      "campaigns[0].creatives[1]",
      ...["format", "headline", "description", "cta_text", "landing_url"].map((name) => `campaigns[0].creatives[1].${name}`),
      "campaigns[1]",
      ...["name", "budget_usd", "bid_usd", "creatives"].map((name) => `campaigns[1].${name}`),
    ]);
    assert.deepEqual(faultsOf([]), ["the file: must be an object", "advertiser: is missing", "campaigns: is missing"]);
    assert.equal(faultsOf({ advertiser: "Acme", campaigns: Array.from({ length: 200 }, () => 1) }).length, 100, "the first hundred are enough");
  });

  it("reads amounts exact to the micro-dollar, and never throws", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000_000 }), (micro) => {
        const [read] = valueOf(file({ budget_usd: micro / 1_000_000, bid_usd: 0.000001 })).campaigns;
        assert.equal(read?.budgetMicroUsd, micro);
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        validateImport(one, nowMs);
        validateImport({ advertiser: other, campaigns: [one, { ...campaign, creatives: [one, other] }] }, nowMs);
      }),
    );
  });
});

describe("a campaign, a creative or an advertiser by itself", () => {
  const { creatives: _creatives, ...fields } = campaign;
  const pathsOf = (validated: ReturnType<typeof validateCampaign>) => (validated.kind === "invalid" ? validated.faults.map(({ path }) => path) : []);

  it("is checked by the same schema, without the other parts", () => {
    assert.equal(validateCampaign(fields, nowMs).kind, "valid");
    assert.deepEqual(pathsOf(validateCampaign({ ...campaign, advertiser_id: "adv_1" }, nowMs)), ["creatives", "advertiser_id"]);
    assert.equal(validateCreative(creative).kind, "valid");
    assert.deepEqual(validateCreative({ ...creative, cta_text: "" }), { kind: "invalid", faults: [{ path: "cta_text", message: "must not be empty" }] });
    assert.deepEqual(validateAdvertiser(" Acme "), { kind: "valid", value: "Acme" });
    assert.deepEqual(validateAdvertiser(" "), { kind: "invalid", faults: [{ path: "name", message: "must not be empty" }] });
  });

  it("keeps a past end while another field changes, and never a budget below the spend", () => {
    const ended = { ...fields, starts: "2026-01-01", ends: "2026-05-31" };
    assert.deepEqual(pathsOf(validateCampaign(ended, nowMs)), ["ends"]);
    assert.deepEqual(pathsOf(validateCampaign(ended, nowMs, { mayHaveEnded: true })), []);
    assert.deepEqual(pathsOf(validateCampaign({ ...ended, starts: null }, nowMs, { mayHaveEnded: true })), ["ends"], "it would end before it starts");
    assert.deepEqual(pathsOf(validateCampaign(fields, nowMs, { spentMicroUsd: 10_000_000 })), []);
    assert.deepEqual(pathsOf(validateCampaign({ ...ended, bid_usd: 11 }, nowMs, { spentMicroUsd: 10_000_001 })), ["budget_usd", "bid_usd", "ends"]);
  });
});
