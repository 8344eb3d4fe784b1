import assert from "node:assert/strict";
import { before, beforeEach, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { assayOn } from "../../test/cli/run-assay.ts";
import { makeCharge, makeCharger } from "../../test/make-charge.ts";
import { goodPassword, makeSignInAccount, signIn } from "../../test/people/browser.ts";
import { predict } from "../../test/send.ts";
import { whileHeld } from "../../test/store/hold-rows.ts";
import type { TestService } from "../../test/start-service.ts";
import { issueKey } from "../access/keys/issue-key.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { demoteOperator, suspendAccount } from "./change-account.ts";
import type { CloseAccount, CloseOutcome } from "./close-account.work.ts";

const console = "/dashboard/api/operator/accounts";
const channel = undefined;

const listOperators = async (store: Store) =>
  (await store.db.selectFrom("accounts").select("id").where("operator", "=", 1).where("status", "=", "active").execute()).map(({ id }) => id);

/** The ways in which an operator's access ends. */
const endings = {
  demotion: (store: Store, accountId: string) => demoteOperator(store, { accountId, actorAccountId: null, nowMs: Date.now() }),
  suspension: (store: Store, accountId: string) => suspendAccount(store, { accountId, reason: "a test", actorAccountId: null, nowMs: Date.now(), channel }),
  closing: (store: Store, accountId: string) =>
    store.transact<CloseAccount, CloseOutcome>(new URL("./close-account.work.ts", import.meta.url), { accountId, forfeit: false, nowMs: Date.now() }),
};

async function openSecondNode(database: TestDatabase): Promise<Store> {
  const { store } = await openStore(database, { nowMs: Date.now(), onConnectionError: () => {} });
  return store;
}

describeBothStores("operators", (open) => {
  let database: TestDatabase;
  let store: Store;
  let nodes: TestService[];
  before(async () => {
    database = await open();
    store = database.store;
    nodes = await Promise.all([database.serve(), database.serve()]);
  });
  /** Each test makes the operators that there are. */
  beforeEach(() => store.db.updateTable("accounts").set({ operator: 0 }).execute());

  it("lose the console on every node with the next request when they are demoted, and nothing else", async () => {
    const [first, demoted] = [await makeSignInAccount(store, { operator: true }), await makeSignInAccount(store, { operator: true })];
    const { key } = await issueKey(store, { accountId: demoted.accountId, mode: "test", name: "k", nowMs: Date.now() });
    const browsers = await Promise.all(nodes.map((node) => signIn(node, demoted)));
    for (const browser of browsers) assert.equal((await browser.get(console)).status, 200);

    const assay = assayOn(database);
    assert.match(await assay.refusal("account", "demote", "--email", "nobody@example.com"), /no account has the e-mail address/);
    const told = await assay.json<{ operator: boolean; status: string }>("account", "demote", "--email", demoted.email, "--operator", first.email);
    assert.deepEqual([told.operator, told.status], [false, "active"]);
    for (const browser of browsers) {
      assert.equal((await browser.get(console)).status, 404);
      assert.equal((await browser.get("/dashboard/api/me")).json()["operator"], false);
      assert.equal((await browser.get("/dashboard/api/keys")).status, 200);
    }
    assert.equal((await predict(nodes[0]!, key)).status, 200);
    const notes = await store.db.selectFrom("audit_log").select(["actor_account_id", "subject"]).where("action", "=", "account.demote").execute();
    assert.deepEqual(notes.map((note) => ({ ...note })), [{ actor_account_id: first.accountId, subject: demoted.accountId }]);
    assert.match(await assay.refusal("account", "demote", "--email", demoted.email), /is not an operator/);
  });

  it("cannot all go: the last active one is not demoted, suspended or closed, and the remedy is named", async () => {
    const last = await makeSignInAccount(store, { operator: true });
    const suspended = await makeSignInAccount(store, { operator: true });
    assert.equal(await endings.suspension(store, suspended.accountId), "changed");
    const assay = assayOn(database);
    for (const verb of ["demote", "suspend"]) {
      assert.match(await assay.refusal("account", verb, "--email", last.email), /last active operator.* account create --operator/);
    }
    const browser = await signIn(nodes[0]!, last);
    const closing = await browser.post("/dashboard/api/auth/close-account", { password: goodPassword, confirmEmail: last.email });
    assert.equal(closing.status, 400);
    assert.match(String(closing.json()["message"]), /last active operator.* account create --operator/);
    assert.equal((await browser.post(`${console}/${last.accountId}/suspend`, { reason: "by myself" })).status, 400);
    assert.deepEqual(await listOperators(store), [last.accountId]);
    assert.equal(await endings.demotion(store, suspended.accountId), "demoted", "a suspended one is not the last");
  });

  it("say operator: false about themselves while suspended, and read nothing of the console", async () => {
    const [one, other] = [await makeSignInAccount(store, { operator: true }), await makeSignInAccount(store, { operator: true })];
    const browser = await signIn(nodes[0]!, one);
    const told = async () => [(await browser.get("/dashboard/api/me")).json()["operator"], (await browser.get("/dashboard/api/settings")).json()["operator"]];
    assert.deepEqual(await told(), [true, true]);
    const suspension = await (await signIn(nodes[1]!, other)).post(`${console}/${one.accountId}/suspend`, { reason: "left the company" });
    assert.equal(suspension.status, 200);
    assert.deepEqual(await told(), [false, false]);
    assert.equal((await browser.get(console)).status, 403);
  });

  it("lose the role at once when they close their account, also while money is left to settle", async () => {
    await makeSignInAccount(store, { operator: true });
    const { accountId, email } = await makeSignInAccount(store, { operator: true });
    await makeCharger(store, { nowMs: Date.now() }).charge(makeCharge({ accountId, atMs: Date.now() }));
    const browser = await signIn(nodes[0]!, { email, password: goodPassword });
    const closed = await browser.post("/dashboard/api/auth/close-account", { password: goodPassword, confirmEmail: email });
    assert.equal(closed.json()["status"], "closing", closed.text);
    assert.notEqual((await browser.get(console)).status, 200);
    assert(!(await listOperators(store)).includes(accountId));
    const { operator } = await store.db.selectFrom("accounts").select("operator").where("id", "=", accountId).executeTakeFirstOrThrow();
    assert.equal(operator, 0);
  });

  it("who end each other's access at the same moment on two nodes leave exactly one [threat: no-operator-left]", async () => {
    const node = await openSecondNode(database);
    const pairs = [
      [endings.demotion, endings.demotion],
      [endings.suspension, endings.suspension],
      [endings.demotion, endings.suspension],
      [endings.closing, endings.demotion],
    ] as const;
    for (const [endOne, endOther] of pairs) {
      await store.db.updateTable("accounts").set({ operator: 0 }).execute();
      const [one, other] = [await makeSignInAccount(store, { operator: true }), await makeSignInAccount(store, { operator: true })];
      const endBoth = () => Promise.all([endOne(store, other.accountId), endOther(node, one.accountId)]);
      // Both transactions have begun when the rows become free: each could have seen the other one as active.
      const hold = [{ text: "SELECT id FROM accounts WHERE operator = 1 FOR UPDATE", values: [] }];
      const outcomes = database.dialect === "postgres" ? await whileHeld(database.databaseUrl, hold, endBoth, { waiters: 2 }) : await endBoth();
      assert.equal(outcomes.filter((outcome) => outcome === "last_operator").length, 1, JSON.stringify(outcomes));
      assert.equal((await listOperators(store)).length, 1);
    }
    await node.close();
  });

  it("who suspend each other from the consoles of two nodes leave exactly one [threat: no-operator-left]", async () => {
    const people = [await makeSignInAccount(store, { operator: true }), await makeSignInAccount(store, { operator: true })];
    const browsers = await Promise.all(people.map((person, index) => signIn(nodes[index]!, person)));
    const answers = await Promise.all(browsers.map((browser, index) => browser.post(`${console}/${people[1 - index]!.accountId}/suspend`, { reason: "first" })));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1, answers.map(({ text }) => text).join());
    assert.equal((await listOperators(store)).length, 1);
  });
});
