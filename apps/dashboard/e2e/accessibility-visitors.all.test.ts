/** Pages that need no account, with axe: see testing/check-pages.ts. */
import type { Page } from "@playwright/test";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openPageChecker, type PageCase } from "./testing/check-pages.ts";
import { skipWithoutBrowser } from "./testing/open-browser.ts";
import { type Dashboard, openDashboard } from "./testing/open-dashboard.ts";

const heading = (name: string) => (page: Page) => page.getByRole("heading", { level: 1, name }).waitFor();
const text = (content: string | RegExp) => (page: Page) => page.getByText(content).first().waitFor();

const pages: readonly PageCase[] = [
  { name: "landing", path: "/", ready: async (page) => Promise.all([text("How the score adds up")(page), page.getByRole("row", { name: /Starter/ }).waitFor()]) },
  {
    name: "landing-full-sum",
    ready: async (page) => {
      await page.getByText("The full sum").press("Enter");
      await page.getByRole("table", { name: "Every contribution" }).waitFor();
    },
  },
  { name: "model-card", path: "/model-card", ready: heading("Model card") },
  { name: "clients", path: "/clients/", ready: heading("Clients") },
  { name: "reference", path: "/docs", ready: heading("API reference") },
  {
    name: "reference-menu",
    path: "/docs",
    isPhoneOnly: true,
    ready: async (page) => {
      await page.getByText("Contents", { exact: true }).click();
      await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Ask for an ad" }).waitFor();
    },
  },
  { name: "sign-in", path: "/dashboard/sign-in", ready: heading("Sign in") },
  { name: "sign-up", path: "/dashboard/sign-up", ready: heading("Create your account") },
  { name: "verify-email", path: "/dashboard/verify-email?token=abc", ready: heading("Confirm your email address") },
  { name: "verify-expired", path: "/dashboard/verify-email", ready: heading("This link no longer works") },
  { name: "confirm-email", path: "/dashboard/confirm-email?token=abc", ready: heading("Confirm your new email address") },
  { name: "confirm-email-expired", path: "/dashboard/confirm-email", ready: heading("This link no longer works") },
  { name: "check-mail", path: "/dashboard/check-mail?email=new%40example.com&why=sign-up", ready: text("Open the local mailbox") },
  { name: "forgot-password", path: "/dashboard/forgot-password", ready: heading("Reset your password") },
  { name: "reset-password", path: "/dashboard/reset-password?token=abc", ready: heading("Set a new password") },
  { name: "reset-expired", path: "/dashboard/reset-password", ready: heading("This link no longer works") },
  { name: "lost", path: "/dashboard/no/such/page", ready: text("Page not found") },
];

describe("a visitor's pages are accessible, without console errors or horizontal scrolling", skipWithoutBrowser, () => {
  let dashboard: Dashboard;

  before(async () => {
    dashboard = await openDashboard();
  });
  after(() => dashboard?.close());

  const check = async (cases: readonly PageCase[]) => {
    const checker = await openPageChecker(dashboard);
    assert.equal((await checker.check(cases)).join("\n"), "");
    await checker.close();
  };

  it("in both themes and at both widths", () => check(pages));
});
