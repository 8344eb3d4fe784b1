import type { Browser, Page } from "@playwright/test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { msPerDay } from "../../api/src/formats/time.ts";
import { createAccount } from "../../api/src/people/create-account.ts";
import { openStore } from "../../api/src/store/open-store.ts";
import { fillOutcomes } from "../../api/test/scoring/fill-outcomes.ts";
import { makeTestFolder, startService, type TestService } from "../../api/test/start-service.ts";
import { checkPages } from "./testing/check-pages.ts";
import { collectProblems, openBrowser, skipWithoutBrowser } from "./testing/open-browser.ts";
import { openPage, password, signIn } from "./testing/page-actions.ts";

const [reporter, newcomer] = ["reporter@example.com", "newcomer@example.com"];

/** A developer with enough outcomes, and one with too few. */
async function seed(dataDir: string): Promise<void> {
  const nowMs = Date.now();
  const { store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs, onConnectionError: () => {} });
  for (const [email, good, bad] of [[reporter, 320, 480], [newcomer, 12, 30]] as const) {
    const outcome = await createAccount(store, { email, tier: "Starter", verified: true, operator: false, password }, nowMs);
    assert(outcome.kind === "created");
    await fillOutcomes(store, { accountId: outcome.account.id, good, bad, truth: { shift: -0.8, slope: 2 }, atMs: nowMs - msPerDay });
  }
  await store.close();
}

describe("an account's own calibration on the page of sessions", skipWithoutBrowser, () => {
  let service: TestService;
  let browser: Browser;

  before(async () => {
    execFileSync(process.execPath, [join(import.meta.dirname, "../../../scripts/build-dashboard.ts")], { stdio: "inherit" });
    const dataDir = makeTestFolder();
    await seed(dataDir);
    service = await startService({ dataDir });
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function visit(email: string): Promise<{ page: Page; problems: string[] }> {
    const page = await (await browser.newContext({ viewport: { width: 1_280, height: 900 } })).newPage();
    const { problems } = collectProblems(page, service.url);
    await signIn(page, service.url, { email, password });
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await openPage(page, "Sessions");
    return { page, problems };
  }

  const panelOf = (page: Page) => page.getByRole("region", { name: "Calibration", exact: true });

  it("is compared on request, switched on, used by the playground, and switched off", async () => {
    const { page, problems } = await visit(reporter);
    const panel = panelOf(page);
    assert.equal(await panel.getByText("Calibration error").count(), 0, "nothing is computed before it is asked for");
    await panel.getByRole("button", { name: "Compare with my outcomes" }).click();
    await panel.getByText("Shipped calibration").waitFor();
    await panel.getByRole("img", { name: /^As shipped\./ }).waitFor();
    await panel.getByRole("img", { name: /^With your own calibration\./ }).waitFor();
    const text = (await panel.getByText("Calibration error").textContent()) ?? "";
    const [, shipped = "", own = ""] = /([\d.]+) points as shipped, ([\d.]+) points with your own/.exec(text) ?? [];
    assert(Number(own) < Number(shipped), text);
    await panel.getByRole("button", { name: "Switch on" }).click();
    await panel.getByText("version 1, shift", { exact: false }).waitFor();
    await panel.getByRole("button", { name: "Fit again" }).click();
    await panel.getByText("version 2, shift", { exact: false }).waitFor();
    await panel.getByText("Versions (2)").click();
    await panel.getByText("2 (switched on)").waitFor();
    await panel.getByRole("button", { name: "Switch off" }).click();
    await panel.getByText("Shipped calibration").waitFor();
    assert.equal(await panel.getByRole("button", { name: "Fit again" }).count(), 0);
    assert.deepEqual(problems, []);
  });

  it("says what is missing where there are too few outcomes", async () => {
    const { page, problems } = await visit(newcomer);
    await panelOf(page).getByRole("button", { name: "Compare with my outcomes" }).click();
    await panelOf(page).getByText("At least 200 good and 200 bad outcomes are needed. You have reported 12 good and 30 bad ones that count.").waitFor();
    assert.equal(await panelOf(page).getByRole("button", { name: "Switch on" }).count(), 0);
    assert.deepEqual(problems, []);
  });

  it("fits every screen and can be read by everybody", async () => {
    const { page } = await visit(reporter);
    const storageState = await page.context().storageState();
    const ready = async (shown: Page) => {
      await panelOf(shown).getByRole("button", { name: "Compare with my outcomes" }).click();
      await panelOf(shown).getByRole("img", { name: /^With your own calibration\./ }).waitFor();
    };
    const cases = ["calibration", "calibration-again"].map((name) => ({ name, path: "/dashboard/sessions", ready }));
    assert.equal((await checkPages(browser, cases, { url: service.url, storageState })).join("\n"), "");
  });
});
