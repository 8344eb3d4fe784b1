import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { dumpDatabase } from "../../test/dump-database.ts";
import { makeCharge, makeCharger } from "../../test/make-charge.ts";
import { goodPassword, makeSignInAccount, openBrowser, signIn } from "../../test/people/browser.ts";
import { readMails } from "../../test/people/read-mails.ts";
import { codeOf } from "../../test/people/totp.ts";
import { readLedger } from "../../test/read-ledger.ts";
import { predict, waitUntil } from "../../test/send.ts";
import type { TestService } from "../../test/start-service.ts";
import { issueKey } from "../access/keys/issue-key.ts";
import { verifyLedger } from "../money/ledger/verify-ledger.ts";
import { sqliteFileName } from "../store/open-store.ts";
import { cleanUpAccounts } from "./clean-up-accounts.ts";

const auth = "/dashboard/api/auth";

describeBothStores("closing an account", (open, dialect) => {
  let database: TestDatabase;
  let service: TestService;
  before(async () => {
    database = await open();
    service = await database.serve();
  });

  async function earn(accountId: string): Promise<void> {
    const charger = makeCharger(database.store, { nowMs: Date.now() });
    await charger.charge(makeCharge({ accountId, atMs: Date.now() }));
    await charger.drain();
  }

  const readAccount = (accountId: string) =>
    database.store.db.selectFrom("accounts").select(["email", "password_hash", "status", "operator"]).where("id", "=", accountId).executeTakeFirstOrThrow();

  it("erases all personal data, revokes the keys on every node and leaves the ledger intact", async () => {
    const node = await database.serve();
    const account = await makeSignInAccount(database.store);
    const { accountId, email, password } = account;
    const { key } = await issueKey(database.store, { accountId, mode: "test", name: `key of ${email}`, nowMs: Date.now() });
    await waitUntil(async () => (await predict(node, key)).status === 200, "the key works on the other node");
    const browser = await signIn(service, account);
    const uri = String((await browser.post(`${auth}/two-factor/enable`, { password })).json()["totp_uri"]);
    await browser.post(`${auth}/two-factor/verify-totp`, { code: codeOf(uri, Date.now()) });
    await openBrowser(service).post(`${auth}/request-password-reset`, { email });
    const mails = await readMails(database.store, email);
    assert.equal(mails.length, 2);
    const files = mails.map(({ id }) => join(service.dataDir, "outbox", `${id}.eml`));
    await waitUntil(() => files.every((file) => existsSync(file)), "the mails are in the outbox");

    const refusals = [
      { password: "not the right one", confirmEmail: email },
      { password, confirmEmail: "another@example.com" },
      { password },
    ];
    for (const body of refusals) assert([400, 403].includes((await browser.post(`${auth}/close-account`, body)).status));
    assert.equal((await readAccount(accountId)).status, "active");

    const answer = await browser.post(`${auth}/close-account`, { password, confirmEmail: email });
    assert.deepEqual(answer.json(), { status: "erased", balance_usd: 0 });
    assert.deepEqual({ ...(await readAccount(accountId)) }, { email: `closed:${accountId}`, password_hash: null, status: "closed", operator: 0 });
    await waitUntil(async () => (await predict(node, key)).status === 401, "the key is refused by the other node");
    assert.equal((await browser.get("/dashboard/api/me")).status, 401);
    await assert.rejects(signIn(service, account));
    assert(files.every((file) => !existsSync(file)), "local copies are gone");

    await waitUntil(async () => !(await dump()).includes(email), "the last mail has left, and nothing in the database holds the address");
    const { ok } = await verifyLedger(database.store);
    assert.equal(ok, true);
    // The address is free again for a new account.
    assert.equal((await openBrowser(service).post(`${auth}/sign-up/email`, { email, password: goodPassword })).status, 200);

    /** Includes the bytes of the file; a checkpoint first moves the write-ahead log into it. */
    async function dump(): Promise<string> {
      if (dialect === "sqlite") {
        const file = new DatabaseSync(join(database.dataDir, sqliteFileName), { timeout: 5_000 });
        file.exec("PRAGMA wal_checkpoint(TRUNCATE)");
        file.close();
      }
      return (await dumpDatabase(database)).text;
    }
  });

  it("with a balance, revokes the keys at once and erases once the balance is settled", async () => {
    const account = await makeSignInAccount(database.store);
    const { accountId, email, password } = account;
    await earn(accountId);
    const browser = await signIn(service, account);
    assert.deepEqual((await browser.post(`${auth}/close-account`, { password, confirmEmail: email })).json(), { status: "closing", balance_usd: 0.034 });
    const me = (await browser.get("/dashboard/api/me")).json();
    assert.equal(me["status"], "closed");
    assert.equal((await readAccount(accountId)).email, email, "the payee is still known");
    assert.equal((await browser.post(`${auth}/change-email`, { newEmail: "x@example.com", password })).status, 403, "the account is read-only");
    const cleanUp = () => cleanUpAccounts({ store: database.store, deleteMailFiles: () => Promise.resolve() }, Date.now());
    await cleanUp();
    assert.equal((await readAccount(accountId)).email, email);
    // As after a payout.
    await database.store.db.updateTable("ledger_heads").set({ balance_micro: 0 }).where("account_id", "=", accountId).execute();
    await cleanUp();
    assert.equal((await readAccount(accountId)).email, `closed:${accountId}`);
    assert.equal((await browser.get("/dashboard/api/me")).status, 401);
    assert.equal((await readLedger(database.store, accountId)).length, 1, "the ledger stays");
    await database.store.db.updateTable("ledger_heads").set({ balance_micro: 34_000 }).where("account_id", "=", accountId).execute();
  });

  it("erases at once when the account forfeits its balance", async () => {
    const account = await makeSignInAccount(database.store);
    const { accountId, email, password } = account;
    await earn(accountId);
    const browser = await signIn(service, account);
    await browser.post(`${auth}/close-account`, { password, confirmEmail: email });
    const answer = await browser.post(`${auth}/close-account`, { password, confirmEmail: email, forfeit: true });
    assert.deepEqual(answer.json(), { status: "erased", balance_usd: 0.034 });
    assert.equal((await readAccount(accountId)).email, `closed:${accountId}`);
    assert.equal((await verifyLedger(database.store)).ok, true);
  });

  it("with a debt, erases nothing, even with forfeit", async () => {
    const account = await makeSignInAccount(database.store);
    const { accountId, email, password } = account;
    const charger = makeCharger(database.store, { nowMs: Date.now() }, { payer: "developer" });
    await charger.charge(makeCharge({ accountId, atMs: Date.now() }));
    await charger.drain();
    const browser = await signIn(service, account);
    const answer = await browser.post(`${auth}/close-account`, { password, confirmEmail: email, forfeit: true });
    assert.deepEqual(answer.json(), { status: "closing", balance_usd: -0.016 });
    assert.equal((await readAccount(accountId)).email, email);
  });
});
