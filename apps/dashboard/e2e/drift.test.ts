import type { Browser } from "@playwright/test";
import { currentModel } from "@assay/scoring/current-model.ts";
import { type SignalName, signalNames } from "@assay/scoring/signals.ts";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createAccount } from "../../api/src/people/create-account.ts";
import { addSession, emptySummary, writeSummary } from "../../api/src/scoring/traffic/session-summary.ts";
import { insertHours } from "../../api/src/scoring/traffic/traffic.table.ts";
import { openStore } from "../../api/src/store/open-store.ts";
import type { Store } from "../../api/src/store/store.ts";
import { type Change, drawDays } from "../../api/test/scoring/draw-weeks.ts";
import { makeTestFolder, startService, type TestService } from "../../api/test/start-service.ts";
import { checkPages, type PageCase } from "./testing/check-pages.ts";
import { collectProblems, openBrowser, skipWithoutBrowser } from "./testing/open-browser.ts";
import { password, signIn } from "./testing/page-actions.ts";

const dayMs = 86_400_000;
const panelName = "Traffic compared with the last four weeks";
const emails = { broken: "broken@example.com", steady: "steady@example.com", young: "young@example.com" };

/** Five weeks up to yesterday, each day as the summary of one hour. */
async function seedWeeks(store: Store, site: { email: string; firstDay: number; change?: Change }): Promise<void> {
  const todayMs = Math.floor(Date.now() / dayMs) * dayMs;
  const account = { email: site.email, operator: false, tier: "Starter", verified: true, password };
  const made = await createAccount(store, account, todayMs - 60 * dayMs);
  if (made.kind !== "created") throw new Error(`creating ${site.email} failed: ${made.kind}`);
  const drawn = drawDays({ seed: 11, sessionsPerWeek: 3_000, ...(site.change && { change: site.change }) });
  const hours = Array.from(drawn, (sessions, day) => {
    const summary = emptySummary();
    for (const signals of sessions) {
      const values = Object.fromEntries(signalNames.map((name) => [name, signals[name] === undefined ? null : Number(signals[name])])) as Record<SignalName, number | null>;
      addSession(summary, { ...values, service_score: currentModel.score(signals).serviceScore, model_version: currentModel.version, calibration: null });
    }
    return { account_id: made.account.id, hour: todayMs - (35 - day) * dayMs + dayMs / 2, summary: writeSummary(summary) };
  });
  await insertHours(store.db, hours.slice(site.firstDay)).execute();
}

describe("the comparison with the last four weeks", skipWithoutBrowser, () => {
  let service: TestService;
  let browser: Browser;

  before(async () => {
    execFileSync(process.execPath, [join(import.meta.dirname, "../../../scripts/build-dashboard.ts")], { stdio: "inherit" });
    const dataDir = makeTestFolder();
    const { store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs: Date.now(), onConnectionError: () => {} });
    await seedWeeks(store, { email: emails.broken, firstDay: 0, change: { interactionsMissing: 0.41 } });
    await seedWeeks(store, { email: emails.steady, firstDay: 0 });
    await seedWeeks(store, { email: emails.young, firstDay: 20 });
    await store.close();
    service = await startService({ dataDir });
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function openPanel(email: string) {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
    const page = await context.newPage();
    const { problems } = collectProblems(page, service.url);
    await signIn(page, service.url, { email, password });
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.goto(`${service.url}/dashboard/sessions`);
    return { context, page, problems, panel: page.getByRole("region", { name: panelName }) };
  }

  it("names a signal that is suddenly missing, and is calm about the others", async () => {
    const { context, page, problems, panel } = await openPanel(emails.broken);
    const line = panel.getByRole("listitem").filter({ hasText: "Interactions" });
    await line.getByText(/^Missing in (3\d|4\d)[\d.]*% of the sessions, [3-6][\d.]*% before\.$/).waitFor();
    await line.getByText("changed", { exact: true }).waitFor();
    await panel.getByRole("listitem").filter({ hasText: "Page views" }).getByText(/^As usual\. Median \d+, \d+ before\.$/).waitFor();
    assert.equal(await panel.getByRole("img").count(), 7);
    await page.setViewportSize({ width: 360, height: 780 });
    // The layout follows a new width a frame later.
    await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
    const cases: PageCase[] = [{ name: "sessions-drift", path: "/dashboard/sessions", ready: (at) => at.getByText(/Missing in/).waitFor() }];
    assert.deepEqual(await checkPages(browser, cases, { url: service.url, storageState: await context.storageState() }), []);
    assert.deepEqual(problems, []);
    await context.close();
  });

  it("says that everything is as usual", async () => {
    const { context, problems, panel } = await openPanel(emails.steady);
    await panel.getByText("As usual", { exact: true }).waitFor();
    assert.equal(await panel.getByText("changed", { exact: true }).count(), 0);
    assert.deepEqual(problems, []);
    await context.close();
  });

  it("says why a young account is not compared", async () => {
    const { context, problems, panel } = await openPanel(emails.young);
    await panel.getByText("The comparison begins after five weeks with live sessions.").waitFor();
    assert.equal(await panel.getByRole("listitem").count(), 0);
    assert.deepEqual(problems, []);
    await context.close();
  });
});
