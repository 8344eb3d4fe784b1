import type { Browser, Page } from "@playwright/test";
import { releasedModels } from "@assay/scoring/released-models.ts";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { send, waitUntil } from "../../api/test/send.ts";
import { startService, type TestService } from "../../api/test/start-service.ts";
import { checkPages, type PageCase } from "./testing/check-pages.ts";
import { collectProblems, openBrowser, skipWithoutBrowser } from "./testing/open-browser.ts";
import { openPage, signIn } from "./testing/page-actions.ts";

const [first, newest] = [releasedModels[0]!.model.version, releasedModels.at(-1)!.model.version];

describe("models", skipWithoutBrowser, () => {
  let service: TestService;
  let browser: Browser;
  let liveKey: string;
  const pages: { page: Page; problems: string[] }[] = [];

  const versionOf = async () => {
    const body = { session_data: { user_engagement: 0.6, session_duration: 90, page_views: 3 } };
    const answer = await send(service, "/api/ml/predict", { method: "POST", headers: { "x-api-key": liveKey, "content-type": "application/json" }, body });
    return answer.json().model_version;
  };

  async function signInAs(role: "Developer" | "Operator"): Promise<Page> {
    const page = await (await browser.newContext({ viewport: { width: 1_280, height: 900 } })).newPage();
    pages.push({ page, problems: collectProblems(page, service.url).problems });
    const [, email = "", password = ""] = new RegExp(`${role}\\s+(\\S+)\\s+password (\\S+)`).exec(service.logs()) ?? [];
    await signIn(page, service.url, { email, password });
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    return page;
  }

  before(async () => {
    execFileSync(process.execPath, [join(import.meta.dirname, "../../../scripts/build-dashboard.ts")], { stdio: "inherit" });
    service = await startService();
    liveKey = /Live key\s+(\S+)/.exec(service.logs())?.[1] ?? "";
    browser = await openBrowser();
    for (let calls = 0; calls < 5; calls += 1) await versionOf();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  it("a developer compares another model on own sessions, pins it, and goes back to the newest", async () => {
    const page = await signInAs("Developer");
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
    const tab: PageCase = { name: "settings-model", path: "/dashboard/settings?part=model", ready: (at) => at.getByText(/of \d+ live sessions/).waitFor() };
    assert.deepEqual(await checkPages(browser, [tab], { url: service.url, storageState: await page.context().storageState() }), []);
    await page.getByRole("radio", { name: "The newest model" }).check();
    await save.click();
    await page.getByText("It is the newest model.").waitFor();
    await waitUntil(async () => (await versionOf()) === newest, "calls follow again");
  });

  it("an operator sets a shadow, reads how it differs, per account, and ends it", async () => {
    const page = await signInAs("Operator");
    await openPage(page, "Models");
    await page.getByLabel("Shadow", { exact: true }).selectOption(first);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Answered and shadow" }).waitFor();
    await page.getByRole("button", { name: /^Only this/ }).click();
    await page.getByRole("button", { name: "All accounts" }).click();
    assert.equal(await versionOf(), newest, "no call is answered by it");
    const shown: PageCase = { name: "operator-models", path: "/dashboard/operator/models", ready: (at) => at.getByText("Sessions compared").waitFor() };
    assert.deepEqual(await checkPages(browser, [shown], { url: service.url, storageState: await page.context().storageState() }), []);
    await page.getByLabel("Shadow", { exact: true }).selectOption("None");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Answered and shadow" }).waitFor({ state: "hidden" });
  });

  it("no page reported a problem", () => {
    assert.deepEqual(pages.flatMap(({ problems }) => problems), []);
  });
});
