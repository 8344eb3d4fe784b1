/** Webhooks, ads, sites, findings, calibration and drift of developers, with axe: see testing/check-pages.ts. */
import type { Page } from "@playwright/test";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openPageChecker, type PageCase, type PageChecker } from "./testing/check-pages.ts";
import { skipWithoutBrowser } from "./testing/open-browser.ts";
import { developerEmail, type FilledDashboard, openFilledDashboard } from "./testing/open-filled-dashboard.ts";
import { attestationPeople } from "./testing/seed-attestation.ts";
import { calibrationPeople } from "./testing/seed-calibration.ts";
import { driftPeople } from "./testing/seed-drift.ts";
import { integrityPeople } from "./testing/seed-integrity.ts";

const text = (content: string | RegExp) => (page: Page) => page.getByText(content).first().waitFor();
const newestDelivery = (page: Page) => page.getByRole("region", { name: "Deliveries" }).getByRole("row").nth(1);

/** Opens a dialog from the menu of a row. */
const openDialog = (row: RegExp, action: string) => async (page: Page) => {
  await page.getByRole("button", { name: row }).click();
  await page.getByRole("menuitem", { name: action }).click();
  await page.getByRole("dialog").waitFor();
};

const webhookPages: readonly PageCase[] = [
  { name: "webhooks", path: "/dashboard/webhooks", ready: (page) => newestDelivery(page).getByText("Answered 500").waitFor() },
  {
    name: "webhook-create",
    ready: async (page) => {
      await page.getByRole("button", { name: "Create endpoint" }).click();
      await page.getByRole("radio", { name: "Chosen events" }).check();
      await page.getByRole("checkbox", { name: "Security" }).check();
    },
  },
  ...["Rotate secret", "Replay events", "Edit URL", "Delete"].map((action) => ({ name: `webhook: ${action}`, path: "/dashboard/webhooks", ready: openDialog(/^Actions for/, action) })),
  {
    name: "webhook-delivery",
    path: "/dashboard/webhooks",
    ready: async (page) => {
      await newestDelivery(page).getByRole("button").click();
      await page.getByRole("region", { name: /^Answer of attempt/ }).first().waitFor();
    },
  },
  { name: "webhooks-filtered", path: "/dashboard/webhooks?state=failed", ready: text("Nothing matches.") },
];

const showAd = (format: string, placement: string, size: string) => async (page: Page) => {
  for (const name of [format, placement]) await page.locator("label", { hasText: new RegExp(`^${name}$`) }).click();
  await page.getByText(`Image size: ${size} pixels`).waitFor();
  const image = page.getByRole("region", { name: "Preview" }).locator("img");
  await image.evaluate((element: HTMLImageElement) => element.decode());
  await image.scrollIntoViewIfNeeded();
};
const adPages: readonly PageCase[] = [
  { name: "ads", path: "/dashboard/ads", ready: (page) => Promise.all([text(/Image size:/)(page), text("Earnings from clicks")(page), text("By trust")(page), page.getByRole("region", { name: "Ads by placement" }).waitFor()]) },
  { name: "ads-native", ready: showAd("Native", "Feed", "1200 × 628") },
  { name: "ads-interstitial", ready: showAd("Interstitial", "Full screen", "1080 × 1920") },
];

const attestedPages: readonly PageCase[] = [
  { name: "sites", path: "/dashboard/sites", ready: (page) => page.getByText("If your pages have a content security policy").click() },
  { name: "site-edit", path: "/dashboard/sites", ready: openDialog(/^Actions for Shop$/, "Edit") },
  { name: "site-remove", path: "/dashboard/sites", ready: openDialog(/^Actions for Shop$/, "Remove") },
  { name: "overview-attested", path: "/dashboard/", ready: (page) => page.getByRole("region", { name: "Attested calls" }).waitFor() },
  { name: "sessions-attested", path: "/dashboard/sessions", ready: (page) => page.getByText("late beats", { exact: false }).first().waitFor() },
  {
    name: "session-attested",
    ready: async (page) => {
      await page.getByRole("row").filter({ hasText: "late beats" }).getByRole("button").click();
      await page.getByRole("dialog").getByRole("region", { name: "Attestation" }).scrollIntoViewIfNeeded();
    },
  },
];

const calibration: PageCase = {
  name: "calibration",
  path: "/dashboard/sessions",
  ready: async (page) => {
    const panel = page.getByRole("region", { name: "Calibration", exact: true });
    await panel.getByRole("button", { name: "Compare with my outcomes" }).click();
    await panel.getByRole("img", { name: /^With your own calibration\./ }).waitFor();
  },
};

describe("a developer's pages are accessible, without console errors or horizontal scrolling, in both themes and at both widths", skipWithoutBrowser, () => {
  let dashboard: FilledDashboard;
  let checker: PageChecker;

  before(async () => {
    dashboard = await openFilledDashboard();
    checker = await openPageChecker(dashboard);
  });
  after(() => dashboard?.close());

  const checkAs = (email: string, cases: readonly PageCase[]) => async () => {
    await checker.become(email);
    assert.equal((await checker.check(cases)).join("\n"), "");
  };

  it("webhooks", checkAs(developerEmail, webhookPages));
  it("ads", checkAs(developerEmail, adPages));
  it("with sites and attested sessions", checkAs(attestationPeople.attested, attestedPages));
  it("with a finding that was answered", checkAs(integrityPeople.scripted, [{ name: "findings", path: "/dashboard/findings", ready: (page) => page.getByText("Change your answer").click() }]));
  it("with an own calibration", checkAs(calibrationPeople.reporter, [calibration]));
  it("with traffic that has changed", checkAs(driftPeople.broken, [{ name: "sessions-drift", path: "/dashboard/sessions", ready: text(/Missing in/) }]));
});
