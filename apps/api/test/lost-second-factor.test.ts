import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "./both-stores.ts";
import { assayOn } from "./cli/run-assay.ts";
import { makeSignInAccount, openBrowser, signIn } from "./people/browser.ts";
import { readMails } from "./people/read-mails.ts";
import { codeOf } from "./people/totp.ts";

const auth = "/dashboard/api/auth";
const [oldSecret, newSecret] = ["a".repeat(32), "b".repeat(32)] as const;

describeBothStores("a second factor that cannot be used", (open) => {
  it("because its secret was replaced, gives a message with the remedy, and an operator can remove it [threat: locked-out-operator]", async () => {
    const database = await open();
    const { store, dataDir, databaseUrl } = database;
    const operator = await makeSignInAccount(store, { operator: true });
    const other = await makeSignInAccount(store);
    const before = await database.serve({ env: { SECRET_KEY: oldSecret } });
    const browser = await signIn(before, operator);
    const uri = String((await browser.post(`${auth}/two-factor/enable`, { password: operator.password })).json()["totp_uri"]);
    assert.equal((await browser.post(`${auth}/two-factor/verify-totp`, { code: codeOf(uri, Date.now()) })).status, 200);
    const halfway = openBrowser(before);
    await halfway.post(`${auth}/sign-in/email`, { email: operator.email, password: operator.password });
    await before.stop();

    const after = await database.serve({ env: { SECRET_KEY: newSecret } });
    const refused = await openBrowser(after).post(`${auth}/sign-in/email`, { email: operator.email, password: operator.password });
    assert.deepEqual([refused.status, refused.json()["error"]], [409, "secret_unreadable"]);
    assert.match(String(refused.json()["message"]), /SECRET_KEY_PREVIOUS.*assay account reset-second-factor/);
    const wrong = await openBrowser(after).post(`${auth}/sign-in/email`, { email: operator.email, password: "not the right one" });
    assert.deepEqual([wrong.status, wrong.json()["error"]], [401, "sign_in_failed"], "nobody else learns of it");
    const inside = openBrowser(after);
    for (const [name, value] of browser.cookies) inside.cookies.set(name, value);
    assert.equal((await inside.get("/dashboard/api/me")).status, 200, "sessions go on");
    assert.equal((await inside.post(`${auth}/two-factor/disable`, { password: operator.password, code: "123456" })).status, 409);
    const late = openBrowser(after);
    for (const [name, value] of halfway.cookies) late.cookies.set(name, value);
    assert.equal((await late.post(`${auth}/two-factor/verify-totp`, { code: "123456" })).status, 409);
    await signIn(after, other);

    const assay = assayOn({ dataDir, databaseUrl, env: { SECRET_KEY: newSecret } });
    assert.match(await assay.refusal("account", "reset-second-factor", "--email", other.email), /has no second factor/);
    await assay.json("account", "reset-second-factor", "--email", operator.email);
    assert.equal((await inside.get("/dashboard/api/me")).status, 401, "its sessions are over");
    assert.equal((await (await signIn(after, operator)).get("/dashboard/api/me")).status, 200);
    assert.deepEqual((await readMails(store, operator.email)).map(({ kind }) => kind), ["two_factor_enabled", "two_factor_removed"]);
    const notes = await store.db.selectFrom("audit_log").select(["subject"]).where("action", "=", "account.reset_second_factor").execute();
    assert.deepEqual(notes, [{ subject: operator.accountId }]);
  });
});
