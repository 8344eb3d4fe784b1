import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openApp, type OpenedApp } from "../../../test/open-app.ts";
import { makeSignInAccount } from "../../../test/people/browser.ts";
import { injectSignIn } from "../../../test/people/inject-browser.ts";
import { makeUnsubscribeToken, readUnsubscribeKey, readUnsubscribeToken } from "./unsubscribe-token.ts";

const html = { accept: "text/html,*/*" };
const oneClick = { "content-type": "application/x-www-form-urlencoded" };

describe("the link that ends mails", () => {
  let opened: OpenedApp;
  let key: string;
  before(async () => {
    opened = await openApp();
    key = await readUnsubscribeKey(opened.deps.marks);
  });
  after(() => opened.close());

  const wantedOf = async (accountId: string) => opened.deps.store.db.selectFrom("notice_choices").select(["topic", "wanted"]).where("account_id", "=", accountId).orderBy("topic").execute();
  const notesOf = (accountId: string) =>
    opened.deps.store.db.selectFrom("audit_log").select(["actor_account_id", "detail"]).where("account_id", "=", accountId).where("action", "=", "account.notices").execute();
  async function makeLink(topics: ("money" | "findings" | "security")[] = ["money"]) {
    const account = await makeSignInAccount(opened.deps.store);
    const token = makeUnsubscribeToken(key, { accountId: account.accountId, topics });
    return { ...account, token, url: `/unsubscribe?token=${token}` };
  }
  const get = (url: string, headers: Record<string, string> = html) => opened.app.inject({ url, headers });
  const post = (url: string, headers: Record<string, string> = oneClick, payload = "List-Unsubscribe=One-Click") => opened.app.inject({ method: "POST", url, headers, payload });

  it("shows a page when it is opened, changes nothing, and reveals no address [threat: unsubscribe-link]", async () => {
    const { accountId, email, url } = await makeLink(["money", "findings"]);
    const page = await get(url);
    assert.equal(page.statusCode, 200);
    assert(page.body.includes("Stop notices about money and findings?") && page.body.includes('<form method="post"'));
    assert(!page.body.includes(email));
    assert.match(String(page.headers["content-security-policy"]), /^default-src 'none'; style-src 'nonce-[\w-]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/);
    assert.equal(page.headers["referrer-policy"], "no-referrer");
    assert.equal(page.headers["cache-control"], "no-store");
    assert.equal((await opened.app.inject({ method: "HEAD", url })).statusCode, 200);
    assert.deepEqual(await wantedOf(accountId), []);
  });

  it("ends the mails with one request without a cookie, and notes it once", async () => {
    const { accountId, email, url } = await makeLink(["money", "findings"]);
    const done = await post(url);
    assert.equal(done.statusCode, 200, done.body);
    assert(done.body.includes("You get no more notices about money and findings.") && !done.body.includes(email));
    assert.equal(done.headers["set-cookie"], undefined);
    const boundary = { "content-type": "multipart/form-data; boundary=b" };
    assert.equal((await post(url, boundary, '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n')).statusCode, 200);
    assert.deepEqual(await wantedOf(accountId), [{ topic: "findings", wanted: 0 }, { topic: "money", wanted: 0 }]);
    const notes = await notesOf(accountId);
    assert.deepEqual(notes.map((note) => [note.actor_account_id, JSON.parse(note.detail) as unknown]), [[accountId, { topics: ["money", "findings"], wanted: false, by: "link" }]]);
  });

  it("is 404 when it is forged, changed, cut off or of a closed account, as a page or as JSON [threat: unsubscribe-link]", async () => {
    const { accountId, token } = await makeLink();
    const { accountId: closedId, token: closed } = await makeLink();
    await opened.deps.store.db.updateTable("accounts").set({ status: "closed" }).where("id", "=", closedId).execute();
    const forged = [
      "",
      "x",
      token.slice(0, -1),
      `${token}.x`,
      token.replace(".money.", ".findings."),
      token.replace(accountId, closedId),
      makeUnsubscribeToken("another key", { accountId, topics: ["money"] }),
    ];
    for (const each of forged) {
      const url = `/unsubscribe?token=${encodeURIComponent(each)}`;
      for (const answer of [await get(url), await get(url, {}), await post(url)]) assert.equal(answer.statusCode, 404, each);
    }
    assert((await get("/unsubscribe")).body.includes("This link does not work"));
    assert.equal((await get("/unsubscribe", {})).json<{ error: string }>().error, "not_found");
    assert.equal((await post(`/unsubscribe?token=${closed}`)).statusCode, 404);
    assert.deepEqual([await wantedOf(accountId), await wantedOf(closedId)], [[], []]);
  });

  it("never ends mails about security", async () => {
    const { accountId, token } = await makeLink(["money", "security"]);
    assert.deepEqual(readUnsubscribeToken(key, token), { accountId, topics: ["money"] });
    await post(`/unsubscribe?token=${token}`);
    assert.deepEqual(await wantedOf(accountId), [{ topic: "money", wanted: 0 }]);
  });

  it("takes small forms and nothing else", async () => {
    const { accountId, url } = await makeLink();
    assert.equal((await post(url, oneClick, "x".repeat(5_000))).statusCode, 413);
    assert.equal((await post(url, { "content-type": "text/xml" }, "<x/>")).statusCode, 415);
    assert.deepEqual(await wantedOf(accountId), []);
  });

  it("shows its choices in the settings, where they are changed back and noted", async () => {
    const { accountId, email, password, url } = await makeLink(["money"]);
    await post(url);
    const browser = await injectSignIn(opened, { email, password });
    const read = async () => (await browser.request("GET", "/dashboard/api/notices")).json<{ topics: { topic: string; wanted: boolean; mandatory: boolean }[] }>().topics;
    assert.deepEqual(
      (await read()).map(({ topic, wanted, mandatory }) => [topic, wanted, mandatory]),
      [["security", true, true], ["money", false, false], ["findings", true, false], ["limits", false, false], ["models", false, false]],
    );
    const put = (topic: string, wanted: boolean) => browser.request("PUT", "/dashboard/api/notices", { body: { topic, wanted } });
    assert.equal((await put("money", true)).statusCode, 200);
    assert.equal((await put("limits", true)).statusCode, 200);
    for (const [topic, wanted] of [["security", false], ["operations", true], ["weather", true]] as const) assert.equal((await put(topic, wanted)).statusCode, 400, topic);
    assert.deepEqual((await read()).filter(({ wanted }) => wanted).map(({ topic }) => topic), ["security", "money", "findings", "limits"]);
    assert.equal((await notesOf(accountId)).length, 3);
    const operator = await makeSignInAccount(opened.deps.store, { operator: true });
    const console = await injectSignIn(opened, operator);
    const own = (await console.request("GET", "/dashboard/api/notices")).json<{ topics: { topic: string; wanted: boolean }[] }>().topics;
    assert.deepEqual(own.at(-1), { topic: "operations", wanted: true, mandatory: false });
    assert.equal((await console.request("PUT", "/dashboard/api/notices", { body: { topic: "operations", wanted: false } })).statusCode, 200);
  });
});
