import type { Page } from "@playwright/test";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openStore } from "../../api/src/store/open-store.ts";
import type { Store } from "../../api/src/store/store.ts";
import { eventStatements } from "../../api/src/webhooks/events/write-events.ts";
import { openPageChecker } from "./testing/check-pages.ts";
import { skipWithoutBrowser } from "./testing/open-browser.ts";
import { type Dashboard, openDashboard } from "./testing/open-dashboard.ts";
import { openPage, signUp, unlockMailbox } from "./testing/page-actions.ts";

const email = "noticed@example.com";
const longAgoMs = 10 * 60_000;

describe("notices by mail", skipWithoutBrowser, () => {
  let dashboard: Dashboard;
  let store: Store;
  let page: Page;
  let problems: string[];
  let link = "";

  before(async () => {
    dashboard = await openDashboard();
    ({ store } = await openStore({ dataDir: dashboard.service.dataDir, databaseUrl: undefined }, { nowMs: Date.now(), onConnectionError: () => {} }));
    ({ page, problems } = await dashboard.visit());
    await signUp(page, dashboard.service, email);
  });
  after(async () => {
    await store?.close();
    await dashboard?.close();
  });

  const openNotices = async () => {
    await page.goto(`${dashboard.service.url}/dashboard/`);
    await openPage(page, "Settings");
    await page.getByRole("tab", { name: "Notices by mail", exact: true }).click();
    await page.getByRole("checkbox", { name: /^Security/ }).waitFor();
  };
  const topic = (name: string) => page.getByRole("checkbox", { name, exact: true });

  it("are chosen in the settings, and the choice is kept", async () => {
    await openNotices();
    const security = page.getByRole("checkbox", { name: "Security (always on)" });
    assert.deepEqual([await security.isChecked(), await security.isDisabled()], [true, true]);
    assert.deepEqual([await topic("Money").isChecked(), await topic("Limits").isChecked(), await topic("Operations").count()], [true, false, 0]);
    await Promise.all([page.waitForResponse(/\/api\/notices$/), topic("Limits").click()]);
    await page.getByText("Settings saved.").waitFor();
    await page.reload();
    await topic("Limits").waitFor();
    assert.equal(await topic("Limits").isChecked(), true);
    assert.deepEqual(problems, []);
  });

  it("arrive as one mail, whose link leads to a page that asks first, and then ends them", async () => {
    const { id } = await store.db.selectFrom("accounts").select("id").where("email", "=", email).executeTakeFirstOrThrow();
    const nowMs = Date.now() - longAgoMs;
    const payout = { account_id: id, payout_id: "po_1", month: "2026-01", amount_usd: 340 };
    for (const type of ["payout.approved", "payout.paid"] as const) await store.write(eventStatements(store.db, { audience: id, type, data: payout }, { nowMs }));
    await store.db.updateTable("jobs").set({ next_run_at: 0 }).where("name", "=", "send_notices").execute();
    await unlockMailbox(page, dashboard.service);
    const subject = page.getByText("2 notices about your account: money");
    for (let left = 120; left > 0 && (await subject.count()) === 0; left -= 1) {
      await page.waitForTimeout(1_000);
      await page.reload();
    }
    await subject.click();
    await page.getByText("Your payout of 340.00 USD was paid.").first().waitFor();
    const unsubscribe = page.locator("pre a").filter({ hasText: "/unsubscribe?token=" });
    link = (await unsubscribe.getAttribute("href")) ?? "";
    await unsubscribe.click();
    await page.getByRole("heading", { name: "Stop notices about money?" }).waitFor();
    const button = page.getByRole("button", { name: "Unsubscribe" });
    const stranger = await dashboard.visit();
    await stranger.page.goto(link);
    await stranger.context.close();
    assert.deepEqual(await store.db.selectFrom("notice_choices").select("topic").where("account_id", "=", id).execute(), [{ topic: "limits" }]);
    await button.click();
    await page.getByRole("heading", { name: "You are unsubscribed" }).waitFor();
    await page.getByRole("link", { name: "Settings" }).click();
    await topic("Money").waitFor();
    assert.deepEqual([await topic("Money").isChecked(), await topic("Findings").isChecked()], [false, true]);
    assert.deepEqual(problems, []);
  });

  it("have a page for their link that is accessible at both widths and in both themes, also when it is broken", async () => {
    const heading = (name: string) => (opened: Page) => opened.getByRole("heading", { name }).waitFor();
    const unsubscribe = async (opened: Page) => {
      await opened.getByRole("button", { name: "Unsubscribe" }).click();
      await heading("You are unsubscribed")(opened);
    };
    const path = link.slice(dashboard.service.url.length);
    const cases = [
      { name: "unsubscribe", path, isPlain: true, ready: heading("Stop notices about money?") },
      { name: "unsubscribed", isPlain: true, ready: unsubscribe },
      { name: "unsubscribe-broken", path: `${path}x`, isPlain: true, ready: heading("This link does not work") },
    ];
    const found = await (await openPageChecker(dashboard)).check(cases);
    assert.deepEqual(found.filter((problem) => !problem.includes("status of 404")), []);
  });
});
