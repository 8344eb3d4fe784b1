import { currentModel } from "@assay/scoring/current-model.ts";
import type { Browser, BrowserContext, Locator, Page } from "@playwright/test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startService, type TestService } from "../../api/test/start-service.ts";
import { describeRaise } from "../src/playground/describe-raise.ts";
import { presets } from "../src/playground/signal-scales.ts";
import { predict } from "./testing/predict.ts";
import { checkPages, type PageCase } from "./testing/check-pages.ts";
import { openBrowser, skipWithoutBrowser } from "./testing/open-browser.ts";
import { signIn } from "./testing/page-actions.ts";

const sessionCount = 12;

const heading = (name: string) => (page: Page) => page.getByRole("heading", { level: 1, name }).waitFor();
const text = (content: string | RegExp) => (page: Page) => page.getByText(content).first().waitFor();

const visitorPages: readonly PageCase[] = [
  { name: "landing", path: "/", ready: async (page) => Promise.all([text("How the score adds up")(page), page.getByRole("row", { name: /Starter/ }).waitFor()]) },
  {
    name: "landing-full-sum",
    ready: async (page) => {
      await page.getByText("The full sum").press("Enter");
      await page.getByRole("table", { name: "Every contribution" }).waitFor();
    },
  },
  { name: "reference", path: "/docs", ready: heading("API reference"), screenshot: "first screen" },
  { name: "model-card", path: "/model-card", ready: heading("Model card"), screenshot: "first screen" },
  { name: "clients", path: "/clients/", ready: heading("Clients") },
  { name: "sign-in", path: "/dashboard/sign-in", ready: heading("Sign in") },
  { name: "sign-in-expired", path: "/dashboard/sign-in?verified=expired", ready: text("This link has expired") },
  { name: "sign-up", path: "/dashboard/sign-up", ready: heading("Create your account") },
  { name: "check-mail", path: "/dashboard/check-mail?email=new%40example.com&why=sign-up", ready: text("Open the local mailbox") },
  { name: "forgot-password", path: "/dashboard/forgot-password", ready: heading("Reset your password") },
  { name: "reset-password", path: "/dashboard/reset-password?token=abc", ready: heading("Set a new password") },
  { name: "reset-expired", path: "/dashboard/reset-password", ready: heading("This link no longer works") },
  { name: "lost", path: "/dashboard/no/such/page", ready: text("Page not found") },
];

const chart = (page: Page) => page.locator(".recharts-bar-rectangle").first().waitFor({ state: "attached" });

const accountPages: readonly PageCase[] = [
  { name: "overview", path: "/dashboard/", ready: text("Score distribution") },
  { name: "keys", path: "/dashboard/keys", ready: text("First live key") },
  {
    name: "key-dialog",
    ready: async (page) => {
      await page.getByRole("button", { name: "Generate new key" }).click();
      await page.getByRole("dialog").getByLabel("Name").waitFor();
    },
  },
  { name: "usage", path: "/dashboard/usage", ready: chart },
  { name: "revenue", path: "/dashboard/revenue", ready: async (page) => Promise.all([chart(page), text("Balance so far")(page), page.getByRole("region", { name: "Latest ledger entries" }).waitFor()]) },
  { name: "sessions", path: "/dashboard/sessions", ready: (page) => page.getByRole("region", { name: "Sessions" }).waitFor() },
  {
    name: "session-detail",
    ready: async (page) => {
      await page.getByRole("table").getByRole("button").first().click();
      await page.getByText("How the score adds up").waitFor();
    },
  },
  { name: "playground", path: "/dashboard/playground", ready: text("Send request") },
  { name: "logs", path: "/dashboard/logs", ready: text("invalid_request") },
  { name: "settings", path: "/dashboard/settings", ready: text("Calls per hour") },
  { name: "settings-payout", path: "/dashboard/settings?part=payout", ready: text("Payee profile") },
  { name: "settings-security", path: "/dashboard/settings?part=security", ready: text("this browser") },
  { name: "settings-notices", path: "/dashboard/settings?part=notices", ready: text("Security (always on)") },
  { name: "settings-closing", path: "/dashboard/settings?part=closing", ready: text("This cannot be undone") },
];

/** Calls enough that no page is empty. */
async function seedSessions(service: TestService): Promise<void> {
  const key = /Live key\s+(\S+)/.exec(service.logs())?.[1] ?? "";
  for (let index = 0; index < sessionCount; index += 1) {
    const share = index / sessionCount;
    const answer = await predict(service.url, key, { user_engagement: share, session_duration: Math.round(4 + 300 * share), interaction_count: index, page_views: 1 + (index % 7) });
    assert.equal(answer.status, 200);
  }
  assert.equal((await predict(service.url, key, { user_engagement: 7 })).status, 400);
}

const credentialsOf = (service: TestService) => {
  const [, email = "", password = ""] = /Developer\s+(\S+)\s+password (\S+)/.exec(service.logs()) ?? [];
  return { email, password };
};

describe("every page", skipWithoutBrowser, () => {
  let service: TestService;
  let browser: Browser;
  let storageState: Awaited<ReturnType<BrowserContext["storageState"]>>;

  before(async () => {
    execFileSync(process.execPath, [join(import.meta.dirname, "../../../scripts/build-dashboard.ts")], { stdio: "inherit" });
    service = await startService();
    await seedSessions(service);
    browser = await openBrowser();
    const context = await browser.newContext();
    const page = await context.newPage();
    await signIn(page, service.url, credentialsOf(service));
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    storageState = await context.storageState();
    await context.close();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  it("is accessible, without console errors or horizontal scrolling, at both widths and in both themes", async () => {
    const found = await checkPages(browser, [...visitorPages, ...accountPages], { url: service.url, storageState });
    assert.equal(found.join("\n"), "");
  });

  it("explains a score by six bars first, then by what would raise it, and by the full sum behind a fold", async () => {
    const context = await browser.newContext({ viewport: { width: 360, height: 780 } });
    const page = await context.newPage();
    await page.goto(service.url);
    const explanation = page.getByRole("region", { name: "Explanation" });
    const bars = explanation.getByRole("table", { name: "How the score adds up" });
    const signalsOf = (table: Locator) => table.locator("tbody th").allTextContents();
    const pointsOf = async (table: Locator) => (await table.locator("tbody td:last-child").allTextContents()).map((points) => (points === "not sent" ? 0 : Number(points.replace("−", "-"))));
    const scoreOf = async (table: Locator) => Number(await table.locator("tfoot td:last-child").textContent());
    for (const { name, signals } of presets) {
      await page.getByRole("button", { name, exact: true }).click();
      const explained = currentModel.explain(signals);
      const gate = explained.bySignal.some(({ signal, points }) => signal === "plausibility" && points !== 0) ? ["Plausibility gate"] : [];
      assert.deepEqual((await signalsOf(bars)).slice(1), ["Engagement", "Duration", "Scroll depth", "Interactions", "Page views", "Returning visitor", ...gate], name);
      const sum = (await pointsOf(bars)).reduce((total, points) => total + points, 0);
      assert.ok(Math.abs(sum - (await scoreOf(bars))) < 0.05, `${name}: ${sum}`);
      assert.equal(await bars.getByText("not sent").count(), 6 - Object.keys(signals).length);
      const raises = await explanation.getByRole("list", { name: "What would raise it" }).getByRole("listitem").allTextContents();
      assert.deepEqual(raises, explained.wouldRaise.map(describeRaise), name);
      assert.equal(await explanation.getByText("No change of one signal alone").count(), explained.trustLevel !== "high" && raises.length === 0 ? 1 : 0);
      const full = explanation.getByRole("table", { name: "Every contribution" });
      assert.equal(await full.isVisible(), false);
      await explanation.getByText("The full sum").press("Enter");
      await full.waitFor();
      assert.equal(await scoreOf(full), await scoreOf(bars));
      await explanation.getByText("The full sum").press("Enter");
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    }
    await context.close();
  });

  it("can be reached by keyboard from the phone menu, with a skip link to the content", async () => {
    const context = await browser.newContext({ viewport: { width: 375, height: 812 }, storageState });
    const page = await context.newPage();
    await page.goto(`${service.url}/dashboard/`);
    await page.getByText("Score distribution").waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Skip to content");
    await page.getByRole("button", { name: "Open menu" }).press("Enter");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Logs" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Logs" }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), "content");
    await context.close();
  });

  it("keeps the chosen theme, on the landing page too", async () => {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, colorScheme: "light", storageState });
    const page = await context.newPage();
    const currentScheme = () => page.evaluate(() => document.documentElement.getAttribute("data-mantine-color-scheme"));
    await page.goto(`${service.url}/dashboard/`);
    await page.getByRole("button", { name: "Theme: system" }).click();
    await page.getByRole("button", { name: "Theme: light" }).click();
    assert.equal(await currentScheme(), "dark");
    await page.goto(service.url);
    assert.equal(await currentScheme(), "dark");
    await context.close();
  });

  it("redirects to sign-in and back to the requested page", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/dashboard/logs?status=4xx`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    const { email, password } = credentialsOf(service);
    await page.getByLabel("Email address").fill(email);
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Logs" }).waitFor();
    assert.match(page.url(), /\/dashboard\/logs\?status=4xx$/);
    await context.close();
  });
});
