/** Which model scores, on whose scale, and whether what it scores has changed. */
import type { Page } from "@playwright/test";
import { releasedModels } from "@assay/scoring/released-models.ts";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { issueKey } from "../../api/src/access/keys/issue-key.ts";
import type { Store } from "../../api/src/store/store.ts";
import { send, waitUntil } from "../../api/test/send.ts";
import type { TestService } from "../../api/test/start-service.ts";
import { skipWithoutBrowser } from "./testing/open-browser.ts";
import { type Dashboard, openDashboard } from "./testing/open-dashboard.ts";
import { openPage } from "./testing/page-actions.ts";
import { calibrationPeople, seedCalibration } from "./testing/seed-calibration.ts";
import { driftPeople, seedDrift } from "./testing/seed-drift.ts";
import { addPerson, makeFilledFolder, operatorEmail } from "./testing/seed-people.ts";

const [first, newest] = [releasedModels[0]!.model.version, releasedModels.at(-1)!.model.version];
const developerEmail = "developer@example.com";

/** Returns the developer's live key. */
async function seed(store: Store): Promise<string> {
  const nowMs = Date.now();
  await addPerson(store, { email: operatorEmail });
  // An account from before the newest model would keep the one before.
  const accountId = await addPerson(store, { email: developerEmail, nowMs });
  await seedCalibration(store);
  await seedDrift(store);
  return (await issueKey(store, { accountId, mode: "live", name: "live", nowMs })).key;
}

describe("models in the browser", skipWithoutBrowser, () => {
  let dashboard: Dashboard;
  let service: TestService;
  let liveKey: string;

  before(async () => {
    const { dataDir, filled } = await makeFilledFolder(seed);
    liveKey = filled;
    dashboard = await openDashboard({ dataDir });
    ({ service } = dashboard);
  });
  after(() => dashboard?.close());

  describe("models", () => {
    const pages: { page: Page; problems: string[] }[] = [];

    const versionOf = async () => {
      const body = { session_data: { user_engagement: 0.6, session_duration: 90, page_views: 3 } };
      const answer = await send(service, "/api/ml/predict", { method: "POST", headers: { "x-api-key": liveKey, "content-type": "application/json" }, body });
      return answer.json().model_version;
    };

    async function signInAs(email: string): Promise<Page> {
      const { page, problems } = await dashboard.signInAs(email);
      pages.push({ page, problems });
      return page;
    }

    before(async () => {
      for (let calls = 0; calls < 5; calls += 1) await versionOf();
    });

    it("a developer compares another model on own sessions, pins it, and goes back to the newest", async () => {
      const page = await signInAs(developerEmail);
      await openPage(page, "Settings");
      await page.getByRole("tab", { name: "Model", exact: true }).click();
      await page.getByText(`${newest} scores your sessions. It is the newest model.`).waitFor();
      await page.getByRole("table").filter({ hasText: `high with ${first}` }).waitFor();
      await page.getByText("of 5 live sessions").waitFor();
      const save = page.getByRole("button", { name: "Save" });
      assert.equal(await save.isDisabled(), true, "nothing was changed");
      await page.getByRole("radio", { name: `${first}, pinned` }).check();
      await save.click();
      await page.getByText(`${first} scores your sessions, because you have pinned it, until`).waitFor();
      await waitUntil(async () => (await versionOf()) === first, "calls follow");
      await page.getByRole("radio", { name: "The newest model" }).check();
      await save.click();
      await page.getByText("It is the newest model.").waitFor();
      await waitUntil(async () => (await versionOf()) === newest, "calls follow again");
    });

    it("an operator sets a shadow, reads how it differs, per account, and ends it", async () => {
      const page = await signInAs(operatorEmail);
      await openPage(page, "Models");
      await page.getByLabel("Shadow", { exact: true }).selectOption(first);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { name: "Answered and shadow" }).waitFor();
      await page.getByRole("button", { name: /^Only this/ }).click();
      await page.getByRole("button", { name: "All accounts" }).click();
      assert.equal(await versionOf(), newest, "no call is answered by it");
      await page.getByLabel("Shadow", { exact: true }).selectOption("None");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { name: "Answered and shadow" }).waitFor({ state: "hidden" });
    });

    it("no page reported a problem", () => {
      assert.deepEqual(pages.flatMap(({ problems }) => problems), []);
    });
  });

  describe("an account's own calibration on the page of sessions", () => {
    async function visit(email: string): Promise<{ page: Page; problems: string[] }> {
      const { page, problems } = await dashboard.signInAs(email);
      await openPage(page, "Sessions");
      return { page, problems };
    }

    const panelOf = (page: Page) => page.getByRole("region", { name: "Calibration", exact: true });

    it("is compared on request, switched on, used by the playground, and switched off", async () => {
      const { page, problems } = await visit(calibrationPeople.reporter);
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
      const { page, problems } = await visit(calibrationPeople.beginner);
      await panelOf(page).getByRole("button", { name: "Compare with my outcomes" }).click();
      await panelOf(page).getByText("At least 200 good and 200 bad outcomes are needed. You have reported 12 good and 30 bad ones that count.").waitFor();
      assert.equal(await panelOf(page).getByRole("button", { name: "Switch on" }).count(), 0);
      assert.deepEqual(problems, []);
    });
  });

  describe("the comparison with the last four weeks", () => {
    async function openPanel(email: string) {
      const visited = await dashboard.signInAs(email);
      await openPage(visited.page, "Sessions");
      return { ...visited, panel: visited.page.getByRole("region", { name: "Traffic compared with the last four weeks" }) };
    }

    it("names a signal that is suddenly missing, and is calm about the others", async () => {
      const { context, page, problems, panel } = await openPanel(driftPeople.broken);
      const line = panel.getByRole("listitem").filter({ hasText: "Interactions" });
      await line.getByText(/^Missing in (3\d|4\d)[\d.]*% of the sessions, [3-6][\d.]*% before\.$/).waitFor();
      await line.getByText("changed", { exact: true }).waitFor();
      await panel.getByRole("listitem").filter({ hasText: "Page views" }).getByText(/^As usual\. Median \d+, \d+ before\.$/).waitFor();
      assert.equal(await panel.getByRole("img").count(), 7);
      await page.setViewportSize({ width: 360, height: 780 });
      // The layout follows a new width a frame later.
      await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
      assert.deepEqual(problems, []);
      await context.close();
    });

    it("says that everything is as usual", async () => {
      const { context, problems, panel } = await openPanel(driftPeople.steady);
      await panel.getByText("As usual", { exact: true }).waitFor();
      assert.equal(await panel.getByText("changed", { exact: true }).count(), 0);
      assert.deepEqual(problems, []);
      await context.close();
    });

    it("says why a young account is not compared", async () => {
      const { context, problems, panel } = await openPanel(driftPeople.young);
      await panel.getByText("The comparison begins after five weeks with live sessions.").waitFor();
      assert.equal(await panel.getByRole("listitem").count(), 0);
      assert.deepEqual(problems, []);
      await context.close();
    });
  });
});
