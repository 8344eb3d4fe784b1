import type { Page } from "@playwright/test";
import type { AdReply } from "@assay/contract/ads.ts";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { follow, requestAd } from "../../api/test/ads/serving/send-tracking.ts";
import { send, waitUntil } from "../../api/test/send.ts";
import type { TestService } from "../../api/test/start-service.ts";
import { predict } from "./testing/predict.ts";
import { skipWithoutBrowser, takeProblem } from "./testing/open-browser.ts";
import { credentialsOf, type Dashboard, liveKeyOf, openDashboard, type Visit } from "./testing/open-dashboard.ts";
import { openPage } from "./testing/page-actions.ts";
import { seedAccounts } from "./testing/seed-accounts.ts";
import { withStore } from "./testing/seed-people.ts";

/** Clicks less than half a second after the offer are ignored. */
const clickDelayMs = 700;
/** 20 calls at 0.034 USD. */
const seededEarnings = "$0.68";

const confirm = async (page: Page, name: string) => {
  await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
};

describe("operator", skipWithoutBrowser, () => {
  let dashboard: Dashboard;
  let service: TestService;
  let page: Page;
  let problems: string[];
  let seeded: Awaited<ReturnType<typeof seedAccounts>>;
  let developer: Visit;
  let campaignPath = "";
  let clickedAd: AdReply | undefined;

  const setHouseAds = (isOn: boolean) =>
    developer.page.evaluate(async (house_ads) => {
      const { status } = await fetch("/dashboard/api/settings", { method: "PATCH", headers: { "content-type": "application/json" }, body: JSON.stringify({ house_ads }) });
      if (status !== 200) throw new Error(`settings answered ${status}`);
    }, isOn);

  const openAccount = async (email: string) => {
    await openPage(page, "Accounts");
    await page.getByRole("link", { name: email }).click();
    await page.getByRole("heading", { level: 1, name: email }).waitFor();
  };

  before(async () => {
    dashboard = await openDashboard({ env: { PAYOUT_MINIMUM_USD: "0.5", TIER_UPGRADES: "review" } });
    ({ service } = dashboard);
    seeded = await withStore(service.dataDir, seedAccounts);
    ({ page, problems } = await dashboard.signInAs(credentialsOf(service, "Operator")));
    developer = await dashboard.signInAs(credentialsOf(service, "Developer"));
  });
  after(() => dashboard?.close());

  it("sees why nothing is payable without funding, and adds funding after a confirmation", async () => {
    await openPage(page, "Payouts");
    await page.getByRole("row", { name: new RegExp(`${seeded.earner}.*money in hand does not cover`) }).waitFor();
    assert.ok(await page.getByRole("button", { name: "Propose payouts" }).isDisabled());
    await openPage(page, "Money");
    await page.getByRole("button", { name: "Add funding" }).click();
    await page.getByLabel("Amount (USD)").fill("25.5");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Entries are never deleted").waitFor();
    await confirm(page, "Add $25.50");
    await page.getByRole("link", { name: "$25.50" }).first().waitFor();
    await page.getByRole("region", { name: "Funding entries" }).first().getByRole("cell", { name: "$25.50" }).waitFor();
  });

  it("is asked once for the password before money moves, above what was typed, which is sent once it is right", async () => {
    const { password } = credentialsOf(service, "Operator");
    const { context, page: other, problems: noted } = await dashboard.signInAs(credentialsOf(service, "Operator"), { isSteppedUp: false });
    await openPage(other, "Accounts");
    await other.getByRole("link", { name: seeded.earner }).click();
    const act = async ({ opens, title, confirms, reason }: Record<"opens" | "title" | "confirms" | "reason", string>) => {
      await other.getByRole("button", { name: opens, exact: true }).click();
      const dialog = other.getByRole("dialog", { name: title });
      await dialog.getByRole("textbox").fill(reason);
      await dialog.getByRole("button", { name: confirms, exact: true }).click();
      return dialog;
    };
    const dialog = await act({ opens: "Hold money", title: "Hold its money?", confirms: "Hold", reason: "a closer look" });
    const prompt = other.getByRole("dialog", { name: "Confirm that it is you" });
    await prompt.getByLabel("Password", { exact: true }).press("Escape");
    await prompt.waitFor({ state: "hidden" });
    assert.equal(await dialog.getByRole("textbox").inputValue(), "a closer look", "cancelling loses nothing");
    await dialog.getByRole("button", { name: "Hold", exact: true }).click();
    await prompt.getByLabel("Password", { exact: true }).fill("not the right one");
    await prompt.getByRole("button", { name: "Confirm", exact: true }).click();
    await prompt.getByRole("alert").getByText("wrong").waitFor();
    await prompt.getByLabel("Password", { exact: true }).fill(password);
    await prompt.getByRole("button", { name: "Confirm", exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
    await other.getByRole("cell", { name: "a closer look" }).waitFor();
    await act({ opens: "Lift hold", title: "Lift the hold?", confirms: "Lift", reason: "all is well" });
    await other.getByText("all is well").waitFor();
    for (const _ of [1, 2, 3]) await takeProblem(noted, "status of 403");
    assert.deepEqual(noted, []);
    await context.close();
  });

  it("accepts the proof of an account whose bank account another one named first, and takes it back", async () => {
    await withStore(service.dataDir, async ({ db }) => {
      const accounts = await db.selectFrom("accounts").select(["id", "email"]).where("email", "in", [seeded.earner, seeded.suspect]).execute();
      const rows = accounts.map(({ id, email }) => ({ account_id: id, kind: "bank" as const, mark: "one bank account", entered_at: email === seeded.suspect ? 1 : 2 }));
      await db.insertInto("payee_marks").values(rows).execute();
    });
    await openAccount(seeded.earner);
    await page.getByRole("button", { name: "Accept proof" }).click();
    const dialog = page.getByRole("dialog", { name: "Accept the proof?" });
    await dialog.getByText("Knowing the number proves nothing").waitFor();
    await dialog.getByRole("textbox").fill("a code sent with one cent");
    await confirm(page, "Accept the proof");
    await page.getByText("this account proved that what both named is its own").waitFor();
    await page.getByText("Named it later.").waitFor();
    await page.getByRole("button", { name: "Link again" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("the letter was forged");
    await confirm(page, "Link again");
    await page.getByRole("button", { name: "Accept proof" }).waitFor();
    await withStore(service.dataDir, async ({ db }) => db.deleteFrom("payee_marks").where("mark", "=", "one bank account").execute());
    assert.deepEqual(problems, []);
  });

  it("creates a campaign with an uploaded image, previews each placement, and sees why it does not serve", async () => {
    await openPage(page, "Campaigns");
    await page.getByText("No paid campaigns yet").waitFor();
    const image = await page.screenshot({ type: "png", clip: { x: 0, y: 0, width: 1_200, height: 800 } });
    await page.getByRole("button", { name: "Create campaign" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Advertiser name").fill("Acme");
    await dialog.getByLabel("Name", { exact: true }).fill("Spring");
    await dialog.getByLabel("Budget (USD)").fill("1");
    await dialog.getByLabel("Bid per click (USD)").fill("2.5");
    await dialog.getByRole("button", { name: "Create draft" }).click();
    await dialog.getByRole("alert").getByText("must not be above budget_usd").waitFor();
    await takeProblem(problems, "status of 400");
    await dialog.getByLabel("Budget (USD)").fill("10");
    await dialog.getByLabel("Bid per click (USD)").fill("0.25");
    await dialog.getByRole("button", { name: "Create draft" }).click();
    await page.getByRole("heading", { level: 1, name: "Spring" }).waitFor();
    await page.getByText("The campaign is a draft").waitFor();
    campaignPath = new URL(page.url()).pathname;

    await page.getByRole("button", { name: "Add creative" }).click();
    await dialog.getByLabel("Headline").fill("Build faster");
    await dialog.getByLabel("Button text").fill("Try it");
    await dialog.getByLabel("Landing page").fill("https://shop.example/landing");
    await dialog.locator('input[type="file"]').setInputFiles({ name: "ad.png", mimeType: "image/png", buffer: image });
    await dialog.getByRole("button", { name: "Preview" }).click();
    await dialog.getByRole("img", { name: "Preview for Sidebar" }).waitFor();
    // Of a copy: Chromium warns of a canvas that is read repeatedly, which only this test does.
    const alphaOf = (canvas: SVGElement | HTMLElement) => {
      const copy = document.createElement("canvas").getContext("2d")!;
      copy.drawImage(canvas as HTMLCanvasElement, 0, 0);
      return copy.getImageData(5, 5, 1, 1).data[3];
    };
    await waitUntil(async () => (await dialog.getByRole("img", { name: "Preview for Feed" }).evaluate(alphaOf)) === 255, "the preview is drawn");
    await confirm(page, "Add");
    const creative = page.getByRole("article", { name: "Build faster" });
    await creative.getByText("pending").waitFor();
    await creative.getByRole("button", { name: "Approve" }).click();
    await confirm(page, "Approve");
    await creative.getByText("approved").waitFor();
    await page.getByRole("button", { name: "Activate" }).click();
    await confirm(page, "Activate");
    await page.getByText("Serving is limited").waitFor();
    await page.getByText("No request within the last hour matched its formats").waitFor();
    assert.deepEqual(problems, []);
  });

  it("serves the campaign to a developer, whose click is pending on Ads and Revenue", async () => {
    const answer = await requestAd(service, liveKeyOf(service), { format: "banner", placement: "feed" });
    assert.equal(answer.status, 200, answer.text);
    const ad = answer.json() as AdReply;
    assert.deepEqual([ad.house, ad.creative.headline, ad.advertiser], [false, "Build faster", "Acme"]);
    await sleep(clickDelayMs);
    await follow(service, ad.impression_tracking_url);
    const clicked = await follow(service, ad.creative.click_url);
    assert.deepEqual([clicked.status, clicked.headers.location], [302, "https://shop.example/landing"]);
    const repeated = await follow(service, ad.creative.click_url);
    assert.equal(repeated.status, 302);

    const pending = String(ad.estimated_revenue);
    await openPage(developer.page, "Ads");
    await developer.page.getByRole("region", { name: "Earnings from clicks" }).getByText(`$${pending}`).waitFor();
    await developer.page.getByText("This ad was already clicked").waitFor();
    await openPage(developer.page, "Revenue");
    await developer.page.getByText(`$${pending} pending`).first().waitFor();
    assert.deepEqual(developer.problems, []);
    clickedAd = ad;
  });

  it("makes a campaign's token, which is shown once, and both sides see the conversion that is reported with it", async () => {
    await page.goto(`${service.url}${campaignPath}`);
    await page.getByRole("button", { name: "Make token" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Make token" }).click();
    const token = await page.getByTestId("campaign-token").innerText();
    await confirm(page, "Done");
    await page.getByRole("button", { name: "Replace token" }).waitFor();
    assert(!(await page.content()).includes(token));
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const reported = await send(service, `/api/campaigns/${campaignPath.split("/").at(-1)}/conversions`, { method: "POST", headers, body: { ad_id: clickedAd!.ad_id } });
    assert.equal(reported.status, 200, reported.text);
    await page.reload();
    await page.getByRole("region", { name: "Conversions by developer" }).getByRole("row", { name: "developer@localhost 1 1 100%" }).waitFor();
    assert.deepEqual(problems, []);
    // A request that no campaign can fill: the first ones may still get house ads.
    await setHouseAds(false);
    const unfillable = { format: "native", placement: "sidebar", user_context: { app_category: "chess" } };
    await waitUntil(async () => (await requestAd(service, liveKeyOf(service), unfillable)).headers["assay-no-fill"] === "no_campaign", "house ads are off");
    await setHouseAds(true);
    const earned = `$${clickedAd!.estimated_revenue}`;
    const groups = developer.page.getByRole("region", { name: "Earnings and unfilled requests" });
    const choose = (name: string) => groups.locator("label", { hasText: new RegExp(`^${name}$`) }).click();
    await waitUntil(async () => {
      await developer.page.goto(`${service.url}/dashboard/ads`);
      await groups.getByRole("row", { name: /^Feed / }).waitFor();
      return (await groups.getByRole("row", { name: /^Sidebar .* 1 no_campaign / }).count()) === 1;
    }, "the unfilled request is counted");
    await groups.getByRole("row", { name: `Feed 1 0 1 1 1 1 duplicate 1 ${earned}` }).waitFor();
    await choose("Format");
    await groups.getByRole("row", { name: `Banner 1 0 1 1 1 1 duplicate 1 ${earned}` }).waitFor();
    await choose("Category");
    await groups.getByRole("row", { name: `No category 1 0 1 1 1 1 duplicate 1 ${earned}` }).waitFor();
    await groups.getByRole("row", { name: /^chess .* 1 no_campaign 0 0 0 0 \$0\.00$/ }).waitFor();
    await choose("Day");
    await groups.getByRole("row", { name: new RegExp(`^Total .* 1 no_campaign 1 1 1 1 duplicate 1 ${earned.replaceAll(/[$.]/g, "\\$&")}$`) }).waitFor();
    assert.deepEqual(developer.problems, []);
  });

  it("sees why one account is held, and pays the other: proposed, approved, exported, paid", async () => {
    await openPage(page, "Payouts");
    await page.getByRole("row", { name: /developer@localhost.*can still be reversed/ }).waitFor();
    await page.getByRole("button", { name: "Propose 1 payout" }).click();
    await page.getByRole("dialog").getByText(seededEarnings).waitFor();
    await confirm(page, "Propose");
    const payouts = page.getByRole("region", { name: "Payouts" }).first();
    await payouts.getByText("proposed by operator@localhost").waitFor();
    await payouts.getByRole("button", { name: `Cancel payout: ${seeded.earner}` }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("a rehearsal");
    await confirm(page, "Cancel payout");
    await payouts.getByText("a rehearsal").waitFor();

    await openAccount(seeded.earner);
    await page.getByRole("button", { name: "Hold money" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("an unusual Tuesday");
    await confirm(page, "Hold");
    await page.getByRole("row", { name: /operator@localhost.*an unusual Tuesday.*open/ }).waitFor();
    await openPage(page, "Payouts");
    await page.getByRole("row", { name: new RegExp(`${seeded.earner}.*hold`) }).waitFor();
    assert.ok(await page.getByRole("button", { name: "Propose payouts" }).isDisabled());
    await openAccount(seeded.earner);
    await page.getByRole("button", { name: "Lift hold" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("Tuesdays are like that");
    await confirm(page, "Lift");
    await page.getByRole("row", { name: /lifted.*Tuesdays are like that/ }).waitFor();

    await page.getByRole("button", { name: "Adjust" }).click();
    await page.getByRole("dialog").getByLabel("Amount (USD)").fill("-0.01");
    await page.getByRole("dialog").getByLabel("Reason").fill("counted twice");
    await confirm(page, "Book adjustment");
    await page.getByRole("row", { name: /adjustment.*counted twice.*operator@localhost.*-\$0\.01/ }).waitFor();
    await page.getByRole("button", { name: "Adjust" }).click();
    await page.getByRole("dialog").getByLabel("Amount (USD)").fill("0.01");
    await page.getByRole("dialog").getByLabel("Reason").fill("counted once after all");
    await confirm(page, "Book adjustment");
    await page.getByText("It can be paid to.").waitFor();

    await openPage(page, "Payouts");
    await page.getByRole("button", { name: "Propose 1 payout" }).click();
    await confirm(page, "Propose");
    await payouts.getByRole("checkbox", { name: "Select all proposed" }).check();
    await page.getByRole("button", { name: "Approve 1" }).click();
    await confirm(page, "Approve");
    await payouts.getByRole("row", { name: /approved/ }).waitFor();
    await page.getByRole("button", { name: "Export approved" }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), confirm(page, "Export")]);
    const csv = readFileSync(await download.path(), "utf8");
    assert.match(csv, /0\.680000,Ada Lovelace,London,GB/);
    assert.equal(csv.trimEnd().split("\n").length, 2);
    await payouts.getByRole("button", { name: `Mark as paid: ${seeded.earner}` }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("bank 17");
    await confirm(page, "Mark as paid");
    await payouts.getByText("bank 17").waitFor();
    await payouts.getByText(/^entry \d+/).waitFor();
    await openPage(page, "Money");
    await page.getByRole("link", { name: seededEarnings }).first().waitFor();
    assert.deepEqual(problems, []);
  });

  it("reverses a pending click with a reason, and the developer sees it", async () => {
    await openPage(page, "Accounts");
    await page.getByLabel("Search by email or ID").fill("developer@local");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "developer@localhost" }).click();
    await page.getByRole("checkbox", { name: "Select all" }).check();
    await page.getByRole("button", { name: "Reverse 1" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("a test");
    await confirm(page, "Reverse");
    await page.getByText("A paid click appears here immediately").waitFor();
    await openPage(developer.page, "Ads");
    await developer.page.reload();
    await developer.page.getByRole("region", { name: "Earnings from clicks" }).locator("div", { hasText: /^Reversed\$0\.\d*[1-9]/ }).first().waitFor();
  });

  it("suspends an account: the next call with its key is rejected until it is resumed", async () => {
    assert.equal((await predict(service.url, liveKeyOf(service))).status, 200);
    await page.getByRole("button", { name: "Suspend" }).click();
    await page.getByRole("dialog").getByText("rejected within a second").waitFor();
    await page.getByRole("dialog").getByLabel("Reason").fill("asked for it");
    await confirm(page, "Suspend");
    assert.equal((await predict(service.url, liveKeyOf(service))).status, 401);
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("all is well");
    await confirm(page, "Resume");
    assert.equal((await predict(service.url, liveKeyOf(service))).status, 200);
    await openPage(page, "Audit log");
    await page.getByRole("row", { name: /account\.suspend.*asked for it/ }).waitFor();
    await page.getByRole("row", { name: /platform\.fund/ }).waitFor();
  });

  it("filters the audit log by actor, action and account, exports what it shows, and shows the end of the chain", async () => {
    const { email } = credentialsOf(service, "Operator");
    await page.getByLabel("Actor", { exact: true }).fill(email);
    await page.getByLabel("Action", { exact: true }).fill("account.");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("row", { name: /platform\.fund/ }).waitFor({ state: "hidden" });
    const rows = page.getByRole("region", { name: "Actions" }).getByRole("row");
    await rows.first().waitFor();
    for (const text of (await rows.allInnerTexts()).slice(1)) assert.match(text, /account\./);
    assert.equal(new URL(page.url()).search, `?actor=${encodeURIComponent(email)}&action=account.`);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Export CSV" }).click()]);
    const lines = readFileSync(await download.path(), "utf8").trimEnd().split("\r\n");
    assert.equal(lines.length, await rows.count());
    assert(lines.slice(1).every((line) => line.includes(`,${email},account.`)));
    await page.getByRole("region", { name: "Chain" }).getByText(/^\d+ chained entries/).waitFor();
    await page.getByLabel("Account", { exact: true }).fill("nobody@example.com");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByText("No matching entries").waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByRole("row", { name: /platform\.fund/ }).waitFor();
  });

  it("edits a campaign, pauses it and resumes it", async () => {
    await page.goto(`${service.url}${campaignPath}`);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("dialog").getByLabel("Budget (USD)").fill("12.5");
    await page.getByRole("dialog").getByLabel("App categories").fill("Gaming, news");
    await confirm(page, "Save");
    await page.getByText("of $12.50").waitFor();
    await page.getByText("gaming, news").waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("dialog").getByText("stops entering auctions").waitFor();
    await confirm(page, "Pause");
    await page.getByText("The campaign is paused.", { exact: true }).first().waitFor();
    const meanwhile = await requestAd(service, liveKeyOf(service), { format: "banner", user_context: { app_category: "gaming" } });
    assert.equal((meanwhile.json() as AdReply).house, true);
    await page.getByRole("button", { name: "Resume" }).click();
    await confirm(page, "Resume");
    const again = await requestAd(service, liveKeyOf(service), { format: "banner", user_context: { app_category: "gaming" } });
    assert.equal((again.json() as AdReply).house, false);
    assert.deepEqual(problems, []);
  });

  it("approves a tier request", async () => {
    await openPage(developer.page, "Settings");
    await developer.page.getByRole("button", { name: "Change to Growth" }).click();
    await developer.page.getByText("Growth requested").waitFor();
    await openPage(page, "Accounts");
    await page.getByText("1 tier request").waitFor();
    await page.getByRole("note").getByRole("link", { name: "developer@localhost" }).click();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("dialog").getByText("moves from Starter to Growth").waitFor();
    await confirm(page, "Approve");
    await page.getByText("Growth", { exact: true }).waitFor();
    assert.deepEqual(problems, []);
  });

  it("dismisses a finding, changes a tier, and rotates the tracking key", async () => {
    await openPage(page, "Findings");
    await page.getByRole("button", { name: "Decide" }).click();
    await page.getByRole("dialog").getByRole("radio", { name: "Dismiss" }).check();
    await page.getByRole("dialog").getByLabel("Reason").fill("a demo at a fair");
    await confirm(page, "Dismiss");
    await page.getByText("No open findings").waitFor();
    await openPage(page, "Accounts");
    await page.getByRole("link", { name: seeded.suspect }).click();
    await page.getByRole("button", { name: "Change tier" }).click();
    await page.getByRole("dialog").getByLabel("Tier").selectOption("Growth");
    await confirm(page, "Change");
    await page.getByText("Growth", { exact: true }).waitFor();
    await page.getByRole("tab", { name: "Integrity" }).click();
    await page.getByText("1 closed finding").click();
    await page.getByText("a demo at a fair").waitFor();
    await openPage(page, "System");
    const keys = page.getByRole("region", { name: "Tracking keys" }).first();
    await keys.getByText("active").waitFor();
    await page.getByRole("button", { name: "Rotate" }).click();
    await confirm(page, "Rotate");
    await keys.getByRole("row").nth(2).waitFor();
    assert.deepEqual(problems, []);
  });

  it("has pages that developers cannot open", async () => {
    assert.equal(await developer.page.getByRole("link", { name: "Payouts" }).count(), 0);
    await developer.page.goto(`${service.url}/dashboard/operator/money`);
    await developer.page.getByText("Page not found").waitFor();
    assert.equal(await developer.page.getByText("Funding").count(), 0);
    await page.goto(`${service.url}/dashboard/operator`);
    await page.getByRole("heading", { level: 1, name: "Money" }).waitFor();
  });
});
