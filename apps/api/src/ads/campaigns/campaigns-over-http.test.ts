import type { AdsReportReply, Campaign, CampaignRequest, Creative } from "@assay/contract/dashboard/campaigns.ts";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, it } from "node:test";
import sharp from "sharp";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { assayOn } from "../../../test/cli/run-assay.ts";
import { makeAccount, type TestAccount, vastTier } from "../../../test/make-account.ts";
import { type Browser, makeSignInAccount, openBrowser, signIn } from "../../../test/people/browser.ts";
import { send, waitUntil } from "../../../test/send.ts";
import { makeTestFolder, type TestService } from "../../../test/start-service.ts";

type Ad = { creative: { headline: string; image_url: string }; advertiser: string; house: boolean };
const api = (path: string) => `/dashboard/api/operator${path}`;

const creative = { format: "banner", headline: "Hello", description: "World", cta_text: "Go", landing_url: "https://example.com/" };
const documentOf = (advertiser: string, name: string) => ({
  advertiser,
  campaigns: [{ name, budget_usd: 10, bid_usd: 0.25, categories: [name.toLowerCase()], placements: ["feed"], creatives: [creative] }],
});

describeBothStores("campaigns over HTTP", (open, dialect) => {
  let database: TestDatabase;
  let services: TestService[];
  let account: TestAccount;
  let operator: Browser;
  let developer: Browser;
  let folder: string;

  before(async () => {
    database = await open();
    services = [await database.serve()];
    if (dialect === "postgres") services.push(await database.serve());
    account = await makeAccount(database.store, { tier: vastTier });
    const { store } = database;
    operator = await signIn(services[0]!, { ...(await makeSignInAccount(store, { operator: true })), store });
    developer = await signIn(services[0]!, { ...account, store });
    folder = makeTestFolder();
  });

  const service = () => services[0]!;

  async function requestAd(from: TestService, category: string): Promise<Ad> {
    const body = { format: "banner", user_context: { app_category: category } };
    const answer = await send(from, "/api/ads/request", { method: "POST", headers: { "x-api-key": account.liveKey, "content-type": "application/json" }, body });
    assert.equal(answer.status, 200, answer.text);
    return answer.json() as unknown as Ad;
  }

  function postForm(path: string, fields: Record<string, string>, image?: { name: string; bytes: Uint8Array }) {
    const mark = "----------------a-mark-between-parts";
    const parts = Object.entries(fields).map(([name, value]) => `--${mark}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
    const file = image ? [`--${mark}\r\ncontent-disposition: form-data; name="image"; filename="${image.name}"\r\ncontent-type: image/png\r\n\r\n`] : [];
    const body = Buffer.concat([Buffer.from(parts.join("") + file.join("")), image?.bytes ?? Buffer.alloc(0), Buffer.from(`\r\n--${mark}--\r\n`)]);
    const cookie = [...operator.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { cookie, origin: service().url, "sec-fetch-site": "same-origin", "content-type": `multipart/form-data; boundary=${mark}` };
    return fetch(service().url + api(path), { method: "POST", headers, body });
  }

  const picture = () => sharp({ create: { width: 300, height: 250, channels: 3, background: "#357" } }).png().toBuffer();

  it("serve house ads and their images from the start", async () => {
    for (const node of services) {
      const ad = await requestAd(node, "anything");
      assert.equal(ad.house, true);
      assert.equal((await fetch(ad.creative.image_url)).status, 200);
    }
  });

  it("serve on every node what a command imports, and stop when it is paused", async () => {
    const assay = assayOn(database);
    const file = join(folder, `${dialect}.json`);
    writeFileSync(file, JSON.stringify(documentOf("Imported Inc", "Imported")));
    const made = await assay.json<{ campaigns: { name: string; creatives: number }[] }>("campaign", "import", file);
    assert.deepEqual(made.campaigns.map(({ name, creatives }) => [name, creatives]), [["Imported", 1]]);
    // Two seconds are promised; a busy machine gets more.
    for (const node of services) await waitUntil(async () => (await requestAd(node, "imported")).advertiser === "Imported Inc", "the import is served", 10_000);
    assert.match(await assay.refusal("campaign", "import", file), /campaigns\[0\]\.name: Imported Inc has a campaign "Imported" already/);

    const list = await assay.json<{ name: string; status: string }[]>("campaign", "list");
    assert.deepEqual(list.map(({ name, status }) => [name, status]), [["House ads", "active"], ["Imported", "active"]]);
    const report = await assay.json<Record<string, unknown>[]>("campaign", "report");
    assert.deepEqual(report, [
      { name: "Imported", advertiser: "Imported Inc", budget_usd: 10, spend_usd: 0, developer_usd: 0, impressions: 0, valid_clicks: 0, ignored_clicks: {}, waiting_clicks: 0, undescribed_clicks: 0, unlike_clicks: 0, conversions: 0, conversions_by_developer: [] },
    ]);
    assert.equal((await assay.json<{ status: string }>("campaign", "pause", "imported")).status, "paused");
    for (const node of services) await waitUntil(async () => (await requestAd(node, "imported")).house, "the campaign is no longer served", 10_000);
    // The remaining assertions do not depend on the database.
    if (dialect === "postgres") return;
    assert.equal((await assay.json<{ status: string }>("campaign", "end", "Imported")).status, "ended");
    assert.match(await assay.refusal("campaign", "resume", "Imported"), /is ended and cannot become active/);
    assert.match(await assay.refusal("campaign", "pause", "Nothing"), /no campaign is called "Nothing"/);
  });

  it("serve images to anyone, cacheable forever, under their hash only", async () => {
    const { creative: shown } = await requestAd(service(), "anything");
    const { pathname } = new URL(shown.image_url);
    const image = await fetch(service().url + pathname);
    const bytes = Buffer.from(await image.arrayBuffer());
    const [, hash] = /^\/cdn\/([0-9a-f]{64})\.webp$/.exec(pathname)!;
    assert.equal(createHash("sha256").update(bytes).digest("hex"), hash);
    assert.equal(image.headers.get("content-type"), "image/webp");
    assert.equal(image.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.equal(image.headers.get("x-content-type-options"), "nosniff");
    assert.equal(image.headers.get("content-security-policy"), "default-src 'none'");
    const etag = image.headers.get("etag")!;
    assert.equal((await fetch(service().url + pathname, { headers: { "if-none-match": etag } })).status, 304);
    const head = await send(service(), pathname, { method: "HEAD" });
    assert.deepEqual([head.status, head.headers["content-length"], head.text], [200, String(bytes.length), ""]);
    for (const path of [`/cdn/${hash}.png`, `/cdn/${"0".repeat(64)}.webp`, "/cdn/x.webp", `/cdn/${hash}`, "/cdn/..%2f..%2fetc%2fpasswd"]) {
      assert.equal((await send(service(), path)).status, 404, path);
    }
    assert.equal((await send(service(), pathname, { method: "POST" })).status, 405);
  });

  it("are for operators only", async () => {
    for (const [method, path] of [["GET", "/campaigns"], ["POST", "/advertisers"], ["POST", "/campaigns/x/state"], ["GET", "/campaigns/x/report"]] as const) {
      const body = method === "POST" ? {} : undefined;
      assert.equal((await openBrowser(service()).request(method, api(path), body)).status, 401, path);
      assert.equal((await developer.request(method, api(path), body)).status, 404, path);
    }
    const elsewhere = await operator.post(api("/advertisers"), { name: "Evil" }, { origin: "https://evil.example", "sec-fetch-site": "cross-site" });
    assert.equal(elsewhere.status, 403);
  });

  it("can be created, changed, reviewed and explained by an operator, and all of it is audited", async () => {
    const advertiser = (await operator.post(api("/advertisers"), { name: "Console" })).json() as { id: string };
    const request = { advertiser_id: advertiser.id, name: "Made here", budget_usd: 5, bid_usd: 0.1, categories: ["console"] } satisfies CampaignRequest;
    const refused = await operator.post(api("/campaigns"), { ...request, budget_usd: 0, bid_usd: "x" });
    assert.equal(refused.status, 400);
    assert.equal(refused.json()["message"], "budget_usd: must be more than 0 and at most 1000000000; bid_usd: must be a number, in USD");
    for (const owner of [undefined, 5]) {
      const ownerless = await operator.post(api("/campaigns"), { ...request, advertiser_id: owner });
      assert.equal(ownerless.status, 400);
      assert.match(String(ownerless.json()["message"]), /advertiser_id/);
    }
    const made = await operator.post(api("/campaigns"), request);
    assert.equal(made.status, 201, made.text);
    const { id } = made.json() as { id: string };
    const why = async () => ((await operator.get(api(`/campaigns/${id}/serving`))).json()["reasons"] as { code: string; message: string }[]).map(({ code }) => code);
    assert.deepEqual(await why(), ["draft", "no_approved_creative"]);

    const uploaded = await postForm(`/campaigns/${id}/creatives`, creative, { name: "a.png", bytes: await picture() });
    assert.equal(uploaded.status, 201, await uploaded.clone().text());
    const { id: creativeId } = (await uploaded.json()) as { id: string };
    assert.equal((await operator.request("PATCH", api(`/creatives/${creativeId}`), { status: "approved" })).status, 200);
    assert.equal((await operator.request("PATCH", api(`/creatives/${creativeId}`), { status: "rejected" })).status, 400);
    assert.equal((await operator.post(api(`/campaigns/${id}/state`), { status: "active" })).status, 200);
    assert.equal((await operator.post(api(`/campaigns/${id}/state`), { status: "active" })).status, 400);
    assert.deepEqual(await why(), ["no_matching_request"]);
    for (const node of services) await waitUntil(async () => (await requestAd(node, "console")).advertiser === "Console", "the campaign is served", 10_000);
    await waitUntil(async () => (await why()).length === 0, "it is seen to serve");

    const shown = (await operator.get(api(`/campaigns/${id}`))).json() as { campaign: Campaign; creatives: Creative[] };
    assert.equal(shown.campaign.status, "active");
    assert.equal(shown.creatives[0]?.images.length, 3);
    assert.equal((await fetch(shown.creatives[0].images[0]!.url)).status, 200);
    assert.equal((await operator.request("PATCH", api(`/campaigns/${id}`), { budget_usd: 6, ends: null })).status, 200);
    assert.equal((await operator.request("PATCH", api(`/campaigns/${id}`), { bid_usd: 7 })).status, 400);
    const listed = (await operator.get(api("/campaigns"))).json()["campaigns"] as Campaign[];
    const mine = listed.find((each) => each.id === id)!;
    assert.equal(mine.budget_usd, 6);
    assert(mine.fills > 0);
    const report = (await operator.get(api(`/campaigns/${id}/report?by=hour`))).json() as unknown as AdsReportReply;
    assert.equal(report.totals.fills, mine.fills);
    const own = (await developer.get("/dashboard/api/ads/report")).json() as unknown as AdsReportReply;
    assert((own.totals.requests ?? 0) >= own.totals.fills && own.totals.fills >= mine.fills);

    const noted = await database.store.db.selectFrom("audit_log").select(["action", "actor_account_id"]).where("subject", "in", [id, creativeId, advertiser.id]).orderBy("id").execute();
    assert.deepEqual(noted.map(({ action }) => action), ["advertiser.create", "campaign.create", "creative.create", "creative.approved", "campaign.active", "campaign.edit"]);
    assert(noted.every(({ actor_account_id: actor }) => actor !== null));
  });

  it("can ask for attested sessions, from a file or by an operator, and stop asking", async () => {
    const assay = assayOn(database);
    const file = join(folder, `attested ${dialect}.json`);
    const document = documentOf("Attested Inc", "Attested");
    const write = (value: unknown) => writeFileSync(file, JSON.stringify({ ...document, campaigns: [{ ...document.campaigns[0], min_attestation: value }] }));
    write("asserted");
    assert.match(await assay.refusal("campaign", "import", file), /campaigns\[0\]\.min_attestation: must be server_timed$/m);
    write("server_timed");
    await assay.json("campaign", "import", file);
    const list = await assay.json<{ name: string; min_attestation: string | null }[]>("campaign", "list");
    assert.deepEqual(list.filter(({ min_attestation: asked }) => asked !== null).map(({ name }) => name), ["Attested"]);
    const find = async () => ((await operator.get(api("/campaigns"))).json()["campaigns"] as Campaign[]).find(({ name }) => name === "Attested")!;
    const { id, min_attestation: asked } = await find();
    assert.equal(asked, "server_timed");

    const patch = (fields: Record<string, unknown>) => operator.request("PATCH", api(`/campaigns/${id}`), fields);
    const refused = await patch({ min_attestation: "asserted" });
    assert.deepEqual([refused.status, refused.json()["message"]], [400, "min_attestation: must be server_timed"]);
    assert.equal((await patch({ bid_usd: 0.2 })).status, 200);
    assert.equal((await find()).min_attestation, "server_timed", "a change of something else keeps it");
    assert.equal((await patch({ min_attestation: null })).status, 200);
    assert.equal((await find()).min_attestation, null);
    const edits = await database.store.db.selectFrom("audit_log").select("detail").where("subject", "=", id).where("action", "=", "campaign.edit").orderBy("id").execute();
    assert.deepEqual(edits.map(({ detail }) => JSON.parse(detail) as unknown), [{ bid_usd: 0.2 }, { min_attestation: null }]);

    const advertiser = (await operator.post(api("/advertisers"), { name: "Attested by hand" })).json() as { id: string };
    const request = { advertiser_id: advertiser.id, name: "Mine", budget_usd: 5, bid_usd: 0.1, min_attestation: "server_timed" } satisfies CampaignRequest;
    const made = (await operator.post(api("/campaigns"), request)).json() as { id: string };
    const { campaign } = (await operator.get(api(`/campaigns/${made.id}`))).json() as { campaign: Campaign };
    assert.equal(campaign.min_attestation, "server_timed");
    assert.equal((await operator.post(api("/campaigns"), { ...request, name: "Theirs", min_attestation: "asserted" })).status, 400);
  });

  it("refuse hostile uploads with a message, and those over 2 MiB with 413", async () => {
    const advertiser = (await operator.post(api("/advertisers"), { name: "Hostile" })).json() as { id: string };
    const { id } = (await operator.post(api("/campaigns"), { advertiser_id: advertiser.id, name: "H", budget_usd: 5, bid_usd: 0.1 })).json() as { id: string };
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const refused = await postForm(`/campaigns/${id}/creatives`, creative, { name: "innocent.png", bytes: svg });
    assert.equal(refused.status, 400);
    assert.match(((await refused.json()) as { message: string }).message, /image: the image must be a PNG, JPEG or WebP, and this file is an SVG/);
    const large = Buffer.concat([await picture(), Buffer.alloc(2 * 1024 * 1024)]);
    const tooLarge = await postForm(`/campaigns/${id}/creatives`, creative, { name: "a.png", bytes: large });
    assert.equal(tooLarge.status, 413);
    assert.equal(((await tooLarge.json()) as { error: string }).error, "payload_too_large");
    const script = await postForm(`/campaigns/${id}/creatives`, { ...creative, landing_url: "javascript:alert(1)" });
    assert.equal(script.status, 400);
    assert.equal((await operator.post(api(`/campaigns/${id}/creatives`), creative)).status, 415);
    const preview = await postForm("/creatives/preview", creative);
    const { images } = (await preview.json()) as { images: { width: number; data_url: string }[] };
    assert.equal(images.length, 3);
    assert(images.every(({ data_url: url }) => url.startsWith("data:image/webp;base64,")));
    const rows = await database.store.db.selectFrom("creatives").select("id").where("campaign_id", "=", id).execute();
    assert.deepEqual(rows, []);
  });
});
