import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { goodPassword as password, makeSignInAccount, signIn } from "../../test/people/browser.ts";
import { codeOf, nextCodeOf } from "../../test/people/totp.ts";

const auth = "/dashboard/api/auth";
const operator = "/dashboard/api/operator";
const consolePaths = ["/money", "/payouts", "/accounts", "/findings", "/system", "/audit", "/campaigns", "/outbox"].map((path) => operator + path);

describeBothStores("an operator, where operators need a second factor", (open) => {
  it("gets no console without one, is told the remedy, and keeps its own account [threat: operator-without-factor]", async () => {
    const database = await open();
    const { store } = database;
    const service = await database.serve({ env: { OPERATOR_SECOND_FACTOR: "on" } });
    const browser = await signIn(service, await makeSignInAccount(store, { operator: true }));
    const statuses = () => Promise.all(consolePaths.map(async (path) => (await browser.get(path)).status));
    const isDue = async () => (await browser.get("/dashboard/api/me")).json()["second_factor_required"];
    const all = (status: number) => consolePaths.map(() => status);

    assert.deepEqual(await statuses(), all(403));
    assert.equal(await isDue(), true);
    const refused = await browser.post(`${operator}/funding`, { usd: 5 });
    assert.deepEqual([refused.status, refused.json()["error"]], [403, "forbidden"]);
    assert.match(String(refused.json()["message"]), /Settings → Security.*reset-second-factor.*OPERATOR_SECOND_FACTOR=off/);
    assert.equal((await store.db.selectFrom("ledger_entries").select("seq").where("kind", "=", "funding").execute()).length, 0);
    for (const path of ["/me", "/keys", "/settings", "/revenue?days=30"]) assert.equal((await browser.get(`/dashboard/api${path}`)).status, 200, path);
    assert.equal((await browser.request("PATCH", "/dashboard/api/settings", { house_ads: false })).status, 200);

    const uri = String((await browser.post(`${auth}/two-factor/enable`, { password })).json()["totp_uri"]);
    assert.deepEqual(await statuses(), all(403), "one that is not verified yet does not count");
    assert.equal((await browser.post(`${auth}/two-factor/verify-totp`, { code: codeOf(uri, Date.now()) })).status, 200);
    assert.deepEqual(await statuses(), all(200));
    assert.equal(await isDue(), false);

    const disabled = await browser.post(`${auth}/two-factor/disable`, { password, code: nextCodeOf(uri, Date.now()) });
    assert.equal(disabled.status, 200, disabled.text);
    assert.deepEqual(await statuses(), all(403), "switching it off closes the console at once");

    const developer = await signIn(service, await makeSignInAccount(store));
    assert.equal((await developer.get(`${operator}/money`)).status, 404);
    assert.equal((await developer.get("/dashboard/api/me")).json()["second_factor_required"], false);
  });
});
