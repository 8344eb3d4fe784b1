/** The operator's pages, with axe: see testing/check-pages.ts. */
import type { Page } from "@playwright/test";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openPageChecker, type PageCase, type PageChecker } from "./testing/check-pages.ts";
import { skipWithoutBrowser } from "./testing/open-browser.ts";
import { dismissFindings, type FilledDashboard, openFilledDashboard } from "./testing/open-filled-dashboard.ts";
import { attestationPeople } from "./testing/seed-attestation.ts";
import { integrityPeople } from "./testing/seed-integrity.ts";
import { operatorEmail } from "./testing/seed-people.ts";

/** Opens an account's page from the list. */
const openAccount = async (page: Page, email: string) => {
  await page.getByRole("link", { name: email }).click();
  await page.getByRole("heading", { level: 1, name: email }).waitFor();
};

describe("an operator's pages are accessible, without console errors or horizontal scrolling, in both themes and at both widths", skipWithoutBrowser, () => {
  let dashboard: FilledDashboard;
  let checker: PageChecker;

  before(async () => {
    dashboard = await openFilledDashboard();
    checker = await openPageChecker(dashboard);
    await checker.become(operatorEmail);
  });
  after(() => dashboard?.close());

  const check = async (cases: readonly PageCase[]) => assert.equal((await checker.check(cases)).join("\n"), "");

  it("money, payouts, system, models, webhooks and the audit log", () =>
    check([
      { name: "operator-money", path: "/dashboard/operator/money", ready: (at) => at.getByRole("region", { name: "Money by month" }).waitFor() },
      { name: "operator-payouts", path: "/dashboard/operator/payouts", ready: (at) => Promise.all([at.getByText("bank 17").waitFor(), at.getByRole("region", { name: "Candidates", exact: true }).waitFor()]) },
      { name: "operator-system", path: "/dashboard/operator/system", ready: (at) => at.getByText("settle_clicks").waitFor() },
      { name: "operator-models", path: "/dashboard/operator/models", ready: (at) => at.getByText("Sessions compared").waitFor() },
      { name: "operator-webhooks", path: "/dashboard/operator/webhooks", ready: (at) => at.getByRole("region", { name: "Deliveries" }).getByRole("row").nth(1).waitFor() },
      { name: "operator-audit", path: "/dashboard/operator/audit", ready: (at) => at.getByRole("region", { name: "Actions" }).waitFor() },
    ]));

  it("campaigns", () =>
    check([
      { name: "operator-campaigns", path: "/dashboard/operator/campaigns", ready: (at) => at.getByRole("link", { name: "Spring" }).waitFor() },
      {
        name: "operator-campaign-dialog",
        ready: async (at) => {
          await at.getByRole("button", { name: "Create campaign" }).first().click();
          await at.getByRole("dialog").getByLabel("Pacing").waitFor();
        },
      },
      { name: "operator-campaign", path: dashboard.campaignPath, ready: (at) => Promise.all([at.getByRole("article", { name: "Build faster" }).waitFor(), at.locator(".recharts-bar-rectangle").first().waitFor({ state: "attached" }), at.getByRole("region", { name: "Conversions by developer" }).waitFor()]) },
      {
        name: "operator-campaign-token",
        ready: async (at) => {
          await at.getByRole("button", { name: "Replace token" }).click();
          await at.getByRole("dialog").getByRole("button", { name: "Replace token" }).click();
          await at.getByTestId("campaign-token").waitFor();
        },
      },
      { name: "operator-campaign-draft", path: dashboard.draftPath, ready: (at) => at.getByText("any session", { exact: true }).waitFor() },
      {
        name: "operator-campaign-edit",
        ready: async (at) => {
          await at.getByRole("button", { name: "Edit" }).click();
          await at.getByLabel("Attestation").scrollIntoViewIfNeeded();
        },
      },
    ]));

  it("accounts, reviews and what was found", () =>
    check([
      { name: "operator-accounts", path: "/dashboard/operator/accounts", ready: (at) => at.getByRole("region", { name: "Accounts" }).waitFor() },
      {
        name: "operator-integrity",
        ready: async (at) => {
          await openAccount(at, integrityPeople.scripted);
          await at.getByRole("tab", { name: "Integrity" }).click();
          await Promise.all([at.getByRole("img", { name: /^Evidence by day/ }).waitFor(), at.getByText("6 days as a table").click()]);
        },
      },
      {
        name: "operator-reverse-dialog",
        ready: async (at) => {
          await at.getByRole("button", { name: "Reverse sessions" }).click();
          await at.getByRole("dialog").getByLabel("Last session").waitFor();
        },
      },
      { name: "operator-findings-open", path: "/dashboard/operator/findings", ready: (at) => at.getByRole("article", { name: /Identical sessions|same session/i }).waitFor() },
      { name: "operator-reviews", path: "/dashboard/operator/reviews", ready: (at) => Promise.all([integrityPeople.grown, attestationPeople.attested].map((name) => at.getByRole("article", { name }).waitFor())) },
      {
        name: "operator-account-attested",
        ready: async (at) => {
          await at.getByRole("article", { name: attestationPeople.attested }).getByRole("link", { name: attestationPeople.attested }).click();
          await at.getByRole("region", { name: "Attested calls" }).scrollIntoViewIfNeeded();
        },
      },
    ]));

  it("findings, and the account of one, when all are decided", async () => {
    await dismissFindings(dashboard.operator);
    await check([
      { name: "operator-findings", path: "/dashboard/operator/findings", ready: (at) => at.getByText("No open findings").waitFor() },
      {
        name: "operator-account",
        path: "/dashboard/operator/accounts",
        ready: async (at) => {
          await openAccount(at, dashboard.seeded.suspect);
          await at.getByText("No pending clicks.").waitFor();
        },
      },
    ]);
  });
});
