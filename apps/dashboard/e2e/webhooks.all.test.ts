import type { Page } from "@playwright/test";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Webhook } from "standardwebhooks";
import { skipWithoutBrowser, takeProblem } from "./testing/open-browser.ts";
import { credentialsOf, type Dashboard, openDashboard, type Visit } from "./testing/open-dashboard.ts";
import { openReceiver, type Received, type Receiver } from "./testing/open-receiver.ts";
import { openPage } from "./testing/page-actions.ts";

const waitMs = 100;
const triesMax = 600;

/** Waits for the newest request, of which there must be `count` by then. */
async function newest({ received }: Receiver, count: number, page: Page): Promise<Received> {
  for (let tries = 0; received.length < count; tries += 1) {
    assert(tries < triesMax, `the receiver got ${received.length} requests, not ${count}`);
    await page.waitForTimeout(waitMs);
  }
  return received[count - 1]!;
}

const verify = (secret: string, { headers, body }: Received) => new Webhook(secret).verify(body, headers) as { type: string; data: { endpoint_id: string } };

describe("webhooks", skipWithoutBrowser, () => {
  let dashboard: Dashboard;
  let receiver: Receiver;
  let developer: Visit;
  let operator: Visit;
  let secret: string;

  /** A page behind another one does not poll. */
  const comeBack = async (visit: Visit): Promise<Visit> => {
    await visit.page.bringToFront();
    return visit;
  };

  const choose = async (page: Page, action: string) => {
    await page.getByRole("button", { name: /^Actions for/ }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };

  /** The row of the newest delivery. */
  const newestRow = (page: Page) => page.getByRole("region", { name: "Deliveries" }).getByRole("row").nth(1);

  before(async () => {
    receiver = await openReceiver();
    dashboard = await openDashboard({ env: { OPERATOR_SECOND_FACTOR: "off", WEBHOOK_LOOPBACK: "on" } });
    developer = await dashboard.signInAs(credentialsOf(dashboard.service, "Developer"));
    operator = await dashboard.signInAs(credentialsOf(dashboard.service, "Operator"));
  });
  after(async () => {
    await dashboard?.close();
    receiver?.server.close();
  });

  it("an endpoint is created with chosen events, its secret is shown once, and a test event arrives that it verifies", async () => {
    const { page, problems } = await comeBack(developer);
    await openPage(page, "Webhooks");
    await page.getByText("No endpoints yet").waitFor();
    await page.getByRole("button", { name: "Create endpoint" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("URL").fill("http://hooks.example.com/");
    await dialog.getByRole("button", { name: "Create endpoint" }).click();
    await dialog.getByText("The address must start with https://.").waitFor();
    await takeProblem(problems, "status of 400");
    await dialog.getByLabel("URL").fill(receiver.url);
    await dialog.getByRole("radio", { name: "Chosen events" }).check();
    assert(await dialog.getByRole("button", { name: "Create endpoint" }).isDisabled());
    await dialog.getByRole("checkbox", { name: "Money" }).check();
    await dialog.getByRole("checkbox", { name: /^payout\.proposed/ }).uncheck();
    await dialog.getByRole("button", { name: "Create endpoint" }).click();
    secret = (await dialog.getByTestId("webhook-secret").textContent()) ?? "";
    await dialog.getByRole("button", { name: "Done" }).click();
    // The page has the secret until the dialog is gone.
    await dialog.waitFor({ state: "hidden" });
    const request = await newest(receiver, 1, page);
    assert.equal(verify(secret, request).type, "webhook.test");
    assert.throws(() => verify(secret, { ...request, body: `${request.body} ` }));
    await newestRow(page).getByText("delivered").waitFor();
    await newestRow(page).getByText("Answered 200").waitFor();
    assert.doesNotMatch(await page.content(), /whsec_/);
    assert.deepEqual(problems, []);
  });

  it("a failure is in the log with what was sent and answered, and is delivered again on request", async () => {
    const { page, problems } = await comeBack(developer);
    receiver.answer = { status: 500, body: "the database is away" };
    await choose(page, "Send test event");
    const failed = await newest(receiver, 2, page);
    await newestRow(page).getByText("Answered 500").waitFor();
    await newestRow(page).getByText("pending").waitFor();
    await newestRow(page).getByRole("button", { name: "webhook.test" }).click();
    const drawer = page.getByRole("dialog");
    await drawer.getByRole("region", { name: "Answer of attempt 1" }).getByText("the database is away").waitFor();
    await drawer.getByRole("region", { name: "Request of attempt 1" }).getByText(failed.headers["webhook-signature"]!).waitFor();
    await drawer.getByText(failed.headers["webhook-id"]!).first().waitFor();
    receiver.answer = { status: 204, body: "" };
    await drawer.getByRole("button", { name: "Send now" }).click();
    const again = await newest(receiver, 3, page);
    assert.deepEqual([again.headers["webhook-id"], again.body], [failed.headers["webhook-id"], failed.body]);
    await drawer.getByText("Answered 204").first().waitFor();
    await drawer.getByRole("button", { name: "Redeliver" }).click();
    assert.equal((await newest(receiver, 4, page)).headers["webhook-id"], failed.headers["webhook-id"]);
    await drawer.getByText(/^Attempt 3: Answered 204/).waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "hidden" });
    assert.deepEqual(problems, []);
  });

  it("a rotated secret signs beside the old one", async () => {
    const { page, problems } = await comeBack(developer);
    await choose(page, "Rotate secret");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Rotate" }).click();
    const rotated = (await dialog.getByTestId("webhook-secret").textContent()) ?? "";
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByText(/the old secret signs too until/).waitFor();
    await choose(page, "Send test event");
    const request = await newest(receiver, 5, page);
    assert.notEqual(rotated, secret);
    for (const each of [secret, rotated]) assert.equal(verify(each, request).type, "webhook.test");
    assert.deepEqual(problems, []);
  });

  it("a paused endpoint gets nothing, and is tested, replayed and deleted when it is resumed", async () => {
    const { page, problems } = await comeBack(developer);
    await choose(page, "Pause");
    const endpoints = page.getByRole("region", { name: "Endpoints" });
    await endpoints.getByText("paused").waitFor();
    await page.getByRole("button", { name: /^Actions for/ }).click();
    await page.getByRole("menuitem", { name: "Resume" }).waitFor();
    assert.equal(await page.getByRole("menuitem", { name: "Send test event" }).count(), 0);
    await page.getByRole("menuitem", { name: "Resume" }).click();
    await endpoints.getByText("active").waitFor();
    await choose(page, "Replay events");
    await page.getByRole("dialog").getByRole("button", { name: "Replay" }).click();
    await page.getByText("No event since then is for this endpoint.").waitFor();
    assert.deepEqual(problems, []);
  });

  it("operators have endpoints of their own, with events of their own, which developers do not see", async () => {
    const { page, problems } = await comeBack(operator);
    await page.goto(`${dashboard.service.url}/dashboard/operator/webhooks`);
    await page.getByText("No endpoints yet").waitFor();
    await page.getByRole("button", { name: "Create endpoint" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("URL").fill(`${receiver.url}/operators`);
    await dialog.getByRole("radio", { name: "Chosen events" }).check();
    await dialog.getByRole("checkbox", { name: /^job\.failing/ }).check();
    assert.equal(await dialog.getByRole("checkbox", { name: /^payout\.paid/ }).count(), 0);
    await dialog.getByRole("button", { name: "Create endpoint" }).click();
    const own = (await dialog.getByTestId("webhook-secret").textContent()) ?? "";
    await dialog.getByRole("button", { name: "Done" }).click();
    assert.equal(verify(own, await newest(receiver, 6, page)).type, "webhook.test");
    await newestRow(page).getByText("Answered 204").waitFor();
    await comeBack(developer);
    await developer.page.reload();
    await newestRow(developer.page).waitFor();
    assert.equal(await developer.page.getByText("/hooks/operators").count(), 0);
    assert.deepEqual(problems, []);
  });

  it("a deleted endpoint is gone with its log", async () => {
    const { page, problems } = await comeBack(developer);
    await choose(page, "Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No endpoints yet").waitFor();
    assert.equal(await page.getByRole("region", { name: "Deliveries" }).count(), 0);
    assert.deepEqual(problems, []);
  });
});
