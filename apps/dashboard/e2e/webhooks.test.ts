import type { Browser, BrowserContext, Page } from "@playwright/test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { Webhook } from "standardwebhooks";
import { startService, type TestService } from "../../api/test/start-service.ts";
import { checkPages, type PageCase } from "./testing/check-pages.ts";
import { collectProblems, openBrowser, skipWithoutBrowser } from "./testing/open-browser.ts";
import { openPage, signIn } from "./testing/page-actions.ts";

type Received = { headers: Record<string, string>; body: string };
/** A developer's server: it keeps what it gets and answers as it is told. */
type Receiver = { url: string; received: Received[]; answer: { status: number; body: string }; server: Server };

async function openReceiver(): Promise<Receiver> {
  const receiver = { received: [] as Received[], answer: { status: 200, body: "thank you" } };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      receiver.received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString("utf8") });
      response.writeHead(receiver.answer.status).end(receiver.answer.body);
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  return Object.assign(receiver, { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks` });
}

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

const credentialsIn = (service: TestService, who: "Developer" | "Operator") => {
  const [, email = "", password = ""] = new RegExp(`${who}\\s+(\\S+)\\s+password (\\S+)`).exec(service.logs()) ?? [];
  return { email, password };
};

type Visit = { context: BrowserContext; page: Page; problems: string[] };

describe("webhooks", skipWithoutBrowser, () => {
  let service: TestService;
  let browser: Browser;
  let receiver: Receiver;
  let developer: Visit;
  let operator: Visit;
  let secret: string;

  const signInAs = async (who: "Developer" | "Operator"): Promise<Visit> => {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
    const page = await context.newPage();
    const { problems } = collectProblems(page, service.url);
    await signIn(page, service.url, credentialsIn(service, who));
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    return { context, page, problems };
  };

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
    execFileSync(process.execPath, [join(import.meta.dirname, "../../../scripts/build-dashboard.ts")], { stdio: "inherit" });
    receiver = await openReceiver();
    service = await startService({ env: { OPERATOR_SECOND_FACTOR: "off" } });
    browser = await openBrowser();
    developer = await signInAs("Developer");
    operator = await signInAs("Operator");
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
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
    // The browser reports the 400 itself.
    problems.splice(0);
    await dialog.getByLabel("URL").fill(receiver.url);
    await dialog.getByRole("radio", { name: "Chosen events" }).check();
    assert(await dialog.getByRole("button", { name: "Create endpoint" }).isDisabled());
    await dialog.getByRole("checkbox", { name: "Money" }).check();
    await dialog.getByRole("checkbox", { name: /^payout\.proposed/ }).uncheck();
    await dialog.getByRole("button", { name: "Create endpoint" }).click();
    secret = (await dialog.getByTestId("webhook-secret").textContent()) ?? "";
    await dialog.getByRole("button", { name: "Done" }).click();
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
    await page.goto(`${service.url}/dashboard/operator/webhooks`);
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

  it("has accessible pages without console errors or horizontal scrolling, at both widths and in both themes", async () => {
    await comeBack(developer);
    receiver.answer = { status: 500, body: "the database is away\nsecond line" };
    await choose(developer.page, "Send test event");
    await newestRow(developer.page).getByText("Answered 500").waitFor();
    const openDialog = (action: string) => async (page: Page) => {
      await choose(page, action);
      await page.getByRole("dialog").waitFor();
    };
    const cases: readonly PageCase[] = [
      { name: "webhooks", path: "/dashboard/webhooks", ready: (page) => newestRow(page).waitFor() },
      {
        name: "webhook-create",
        ready: async (page) => {
          await page.getByRole("button", { name: "Create endpoint" }).click();
          await page.getByRole("radio", { name: "Chosen events" }).check();
          await page.getByRole("checkbox", { name: "Security" }).check();
        },
      },
      { name: "webhook-rotate", path: "/dashboard/webhooks", ready: openDialog("Rotate secret"), screenshot: "first screen" },
      { name: "webhook-replay", path: "/dashboard/webhooks", ready: openDialog("Replay events"), screenshot: "first screen" },
      { name: "webhook-edit", path: "/dashboard/webhooks", ready: openDialog("Edit URL"), screenshot: "first screen" },
      { name: "webhook-delete", path: "/dashboard/webhooks", ready: openDialog("Delete"), screenshot: "first screen" },
      {
        name: "webhook-delivery",
        path: "/dashboard/webhooks",
        screenshot: "first screen",
        ready: async (page) => {
          await newestRow(page).getByRole("button").click();
          await page.getByRole("region", { name: /^Answer of attempt/ }).first().waitFor();
        },
      },
      { name: "webhooks-filtered", path: "/dashboard/webhooks?state=failed", ready: (page) => page.getByText("Nothing matches.").waitFor() },
    ];
    const operatorCases: readonly PageCase[] = [{ name: "operator-webhooks", path: "/dashboard/operator/webhooks", ready: (page) => newestRow(page).waitFor() }];
    const found = [
      ...(await checkPages(browser, cases, { url: service.url, storageState: await developer.context.storageState() })),
      ...(await checkPages(browser, operatorCases, { url: service.url, storageState: await operator.context.storageState() })),
    ];
    assert.equal(found.join("\n"), "");
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
