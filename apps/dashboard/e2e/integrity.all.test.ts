import type { Page } from "@playwright/test";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { skipWithoutBrowser } from "./testing/open-browser.ts";
import { type Dashboard, openDashboard, type Visit } from "./testing/open-dashboard.ts";
import { openPage } from "./testing/page-actions.ts";
import { integrityPeople as people, seedIntegrity } from "./testing/seed-integrity.ts";
import { addPerson, makeFilledFolder, operatorEmail } from "./testing/seed-people.ts";

const triesMax = 60;
const title = /Identical sessions|same session/i;

describe("money that is paid for what happened", skipWithoutBrowser, () => {
  let dashboard: Dashboard;
  let developer: Visit;
  let operator: Visit;

  const confirm = async (page: Page, button: string, reason?: string) => {
    const dialog = page.getByRole("dialog");
    if (reason !== undefined) await dialog.getByLabel("Reason").fill(reason);
    await dialog.getByRole("button", { name: button }).click();
    await dialog.waitFor({ state: "hidden" });
  };

  before(async () => {
    const { dataDir } = await makeFilledFolder(async (store) => {
      await addPerson(store, { email: operatorEmail });
      await seedIntegrity(store);
    });
    dashboard = await openDashboard({ dataDir, env: { UNREVIEWED_MONTHLY_USD: "1" } });
    operator = await dashboard.signInAs(operatorEmail);
    developer = await dashboard.signInAs(people.scripted);
  });
  after(() => dashboard?.close());

  it("the developer is told of a finding, sees what was found, and answers", async () => {
    const { page, problems } = developer;
    const banner = page.getByRole("note").filter({ hasText: "A finding is open" });
    // The hourly job looks at the days when the service starts.
    for (let tries = 0; tries < triesMax && !(await banner.isVisible()); tries += 1) {
      await page.waitForTimeout(500);
      await page.reload();
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      await page.getByText("Score distribution").waitFor();
    }
    await banner.getByRole("link", { name: "See what was found and answer" }).click();
    await page.getByRole("heading", { level: 1, name: "Findings" }).waitFor();
    await page.getByRole("heading", { level: 2, name: title }).waitFor();
    await page.getByRole("img", { name: /threshold 1,000$/ }).waitFor();
    await page.getByRole("link", { name: /^sess_/ }).first().click();
    await page.getByRole("dialog").getByRole("row", { name: /Settlement.*pending/ }).waitFor();
    await page.goBack();
    await page.getByLabel("Your answer").fill("A monitor of ours calls with a live key.");
    await page.getByRole("button", { name: "Send answer" }).click();
    await page.getByText(/^You answered/).waitFor();
    assert.deepEqual(problems, []);
  });

  it("the developer sees which days are pending, until when, and what was confirmed", async () => {
    const { page, problems } = developer;
    await openPage(page, "Revenue");
    await page.getByRole("img", { name: "Days of calls by what they earned: 5 pending, 1 confirmed, 0 reversed" }).waitFor();
    await page.getByText("6 days as a table").click();
    await page.getByRole("row", { name: /Pending.*at the earliest.*200/ }).first().waitFor();
    await page.getByRole("row", { name: /Confirmed.*4.*\$0\.136/ }).waitFor();
    assert.deepEqual(problems, []);
  });

  it("the developer says what a day's repeated sessions were, the operator reads it and settles one, and lets them settle from now on", async () => {
    const panel = developer.page.getByRole("region", { name: "What cannot be examined" });
    const days = panel.getByRole("article", { name: /^The same session, many times/ });
    const count = await days.count();
    assert.ok(count > 1, "several days");
    const name = (await days.first().getAttribute("aria-label"))!;
    // By its name: what is decided moves to the end.
    const day = panel.getByRole("article", { name });
    await day.getByRole("button", { name: "Say what it was" }).click();
    await developer.page.keyboard.type("A load test.");
    await day.getByRole("button", { name: "Send statement" }).click();
    await day.getByText("You said: A load test.").waitFor();
    await day.getByRole("button", { name: "Replace statement" }).click();
    assert.equal(await day.getByLabel("What was it?").inputValue(), "A load test.");
    await day.getByLabel("What was it?").fill("A load test of ours.");
    await day.getByRole("button", { name: "Replace statement" }).click();
    await day.getByText("You said: A load test of ours.").waitFor();

    const { page, problems } = operator;
    await openPage(page, "Reviews");
    const shown = page.getByRole("article", { name: `${people.scripted}, ${name.split(", ").at(-1)}` });
    await shown.getByText("The developer says: A load test of ours.").waitFor();
    await shown.getByRole("button", { name: "Settle from now on" }).click();
    await page.getByRole("dialog").getByLabel("Per day (USD)").fill("2.5");
    await confirm(page, "Allow $2.50 a day", "they test on Mondays");
    await shown.getByText("$2.50 a day settles by itself (The same session, many times): they test on Mondays").waitFor();
    await shown.getByRole("button", { name: "Settle", exact: true }).click();
    await confirm(page, "Settle", "it was a load test");
    await shown.waitFor({ state: "hidden" });
    assert.deepEqual(problems, []);

    await developer.page.reload();
    await day.getByText("Settled: it was a load test").waitFor();
    assert.equal(await days.count(), count);
    assert.deepEqual(developer.problems, []);
  });

  it("the operator reads the answer and the evidence, and reverses a day with a reason that the developer reads", async () => {
    const { page, problems } = operator;
    await openPage(page, "Findings");
    const finding = page.getByRole("article", { name: title });
    await finding.getByText("A monitor of ours calls with a live key.").waitFor();
    await finding.getByRole("link", { name: people.scripted }).click();
    await page.getByRole("img", { name: /^Evidence by day on a logarithmic scale/ }).waitFor();
    await page.getByLabel("Compare with one check").selectOption("Exact duplicates");
    await page.getByRole("img", { name: /^Duration\./ }).waitFor();
    await page.getByRole("region", { name: "Most frequent sessions" }).getByRole("row", { name: /Engagement 0\.75.*1,000.*100%/ }).waitFor();
    await page.getByText("6 days as a table").click();
    await page.getByRole("button", { name: /^Reverse \d/ }).first().click();
    await page.getByRole("dialog").getByText("$6.80").waitFor();
    await confirm(page, "Reverse", "one body, 200 times");
    await page.getByRole("img", { name: "Days of calls by what they earned: 4 pending, 1 confirmed, 1 reversed" }).waitFor();
    assert.deepEqual(problems, []);
    await developer.page.reload();
    await developer.page.getByRole("row", { name: /one body, 200 times.*-\$6\.80/ }).waitFor();
  });

  it("the operator dismisses the finding and opens it again, and the developer accepts it", async () => {
    const { page, problems } = operator;
    await openPage(page, "Findings");
    await page.getByRole("button", { name: "Decide" }).click();
    await page.getByRole("dialog").getByRole("radio", { name: "Dismiss" }).check();
    await confirm(page, "Dismiss", "a mistake");
    await page.getByText("No open findings").waitFor();
    await page.getByText("1 closed finding").click();
    await page.getByRole("row", { name: /dismissed.*a mistake/ }).getByRole("button", { name: "Reopen" }).click();
    await confirm(page, "Reopen", "it was not a monitor");
    await page.getByRole("article", { name: title }).waitFor();
    assert.deepEqual(problems, []);

    await openPage(developer.page, "Findings");
    await developer.page.reload();
    await developer.page.getByRole("button", { name: "Accept the finding" }).click();
    const dialog = developer.page.getByRole("dialog");
    await dialog.getByText("once in 12 months").waitFor();
    await dialog.getByRole("button", { name: /^Accept and give up \$/ }).click();
    await developer.page.getByText("You accepted this finding").waitFor();
    await openPage(developer.page, "Revenue");
    await developer.page.getByRole("img", { name: /reversed$/ }).waitFor();
    assert.deepEqual(developer.problems, []);
  });

  it("the operator opens a finding of its own and upholds it", async () => {
    const { page, problems } = operator;
    await openPage(page, "Findings");
    await page.getByRole("button", { name: "Open a finding" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Account").fill(people.grown);
    await dialog.getByLabel("What was found").fill("Its site does not exist.");
    await dialog.getByRole("button", { name: "Open finding" }).click();
    const finding = page.getByRole("article", { name: /operator/ });
    await finding.getByText("Its site does not exist.").waitFor();
    await finding.getByRole("button", { name: "Decide" }).click();
    await confirm(page, "Uphold", "nobody answered");
    await page.getByText("No open findings").waitFor();
    assert.deepEqual(problems, []);
  });

  it("the operator reviews an account that grew, with the suggested sum", async () => {
    const { page, problems } = operator;
    await openPage(page, "Reviews");
    const waiting = page.getByRole("article", { name: people.grown });
    await waiting.getByText(/^\$0\.36 waits/).waitFor();
    await waiting.getByRole("button", { name: /^Review: \$1\.36/ }).click();
    assert.equal(await page.getByRole("dialog").getByLabel("Payable per month (USD)").inputValue(), "1.36");
    await confirm(page, "Set $1.36 a month", "a site that I know");
    await page.getByText("Nothing waits for a review").waitFor();
    await page.getByRole("row", { name: new RegExp(`${people.grown}.*\\$1\\.36.*a site that I know.*${operatorEmail}`) }).waitFor();
    assert.deepEqual(problems, []);
  });
});
