import type { AuditReply } from "@assay/contract/dashboard/operator.ts";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { type Browser, makeSignInAccount, signIn } from "../../../test/people/browser.ts";
import { noteActions } from "../../register/audit.table.ts";

const startMs = Date.parse("2026-01-01T00:00:00Z");
/** More than a page, and more than two chunks of the CSV file. */
const payouts = 2_100;

describeBothStores("the operator's view of the audit log", (open) => {
  let database: TestDatabase;
  let browser: Browser;
  let operator: { accountId: string; email: string };
  let developer: { accountId: string; email: string };

  before(async () => {
    database = await open();
    const { store } = database;
    const service = await database.serve();
    const signedIn = await makeSignInAccount(store, { operator: true });
    operator = signedIn;
    developer = await makeSignInAccount(store);
    browser = await signIn(service, signedIn, { isSteppedUp: false });
    const { accountId } = developer;
    const paid = Array.from({ length: payouts }, (_, index) => {
      return { actorAccountId: operator.accountId, action: "payout.paid", subject: `po_${index}`, accountId, detail: { note: "=1+1" }, nowMs: startMs + index };
    });
    for (let from = 0; from < paid.length; from += 300) await store.write([noteActions(store.db, paid.slice(from, from + 300))]);
    const ofTier = { actorAccountId: null, action: "tier.set", detail: {}, nowMs: startMs };
    await store.write([noteActions(store.db, [{ ...ofTier, subject: "=HYPERLINK(1)" }, { ...ofTier, subject: "Quoted, \"tier\"" }])]);
  });

  const list = async (query: string) => (await browser.get(`/dashboard/api/operator/audit?${query}`)).json() as unknown as AuditReply;
  const download = (query: string) => browser.get(`/dashboard/api/operator/audit.csv?${query}`);

  it("filters by actor, action, account and time, by address or by id", async () => {
    const all = payouts;
    const countOf = async (query: string) => (await download(query)).text.split("\r\n").length - 2;
    const at = (offset: number) => new Date(startMs + offset).toISOString();
    assert.equal(await countOf(`actor=${operator.email}`), all);
    assert.equal(await countOf(`actor=${operator.accountId}&account=${developer.email.toUpperCase()}`), all);
    assert.equal(await countOf("actor=command%20line&action=tier.set"), 2);
    assert.equal(await countOf("action=payout."), all);
    assert.equal(await countOf("action=payout"), 0);
    assert.equal(await countOf("action=payout.paid&actor=command%20line"), 0);
    assert.equal(await countOf(`account=${developer.accountId}&action=account.`), 1);
    assert.equal(await countOf("account=nobody@example.com"), 0);
    assert.equal(await countOf(`action=payout.&from=${at(10)}&to=${at(20)}`), 10);
    assert.equal((await download("from=yesterday")).status, 400);
  });

  it("pages through what a filter finds, newest first, with each row's place in the chain and the chain's end", async () => {
    const query = `action=payout.&account=${developer.accountId}&to=${new Date(startMs + 150).toISOString()}`;
    const first = await list(query);
    const second = await list(`${query}&before=${first.next}`);
    const actions = [...first.actions, ...second.actions];
    assert.deepEqual(actions.map(({ subject }) => subject), Array.from({ length: 150 }, (_, index) => `po_${149 - index}`));
    assert.equal(second.next, null);
    const [newest] = actions;
    assert.deepEqual([newest?.actor, newest?.account, newest?.account_id], [operator.email, developer.email, developer.accountId]);
    const head = await database.store.db.selectFrom("audit_head").select(["seq", "hash"]).executeTakeFirstOrThrow();
    assert.deepEqual(first.chain, { ...head, unchained: 0 });
  });

  it("exports everything that a filter finds, in a file whose hashes a third party can recompute", async () => {
    const { headers, text } = await download("action=payout.");
    assert.match(String(headers["content-disposition"]), /attachment; filename="assay-audit-\d{4}-\d\d-\d\d\.csv"/);
    const [header, ...lines] = text.trimEnd().split("\r\n");
    assert.equal(header, "seq,id,at,actor_account_id,actor,action,account_id,subject,detail,prev_hash,hash");
    assert.equal(new Set(lines).size, payouts);
    for (const line of lines.slice(0, 50)) {
      const [, seq, id, at, actor, , action, account, subject, detail, previous, hash] =
        /^(\d+),(\w+),([^,]+),(\w*),([^,]+),([\w.]+),(\w*),(\w+),"(.*)",(\w+),(\w+)$/.exec(line)!;
      const fields = ["assay-audit-1", seq, id, Date.parse(at!), actor, action, account, subject, detail!.replaceAll('""', '"'), previous];
      assert.equal(createHash("sha256").update(fields.join("\n")).digest("hex"), hash, line);
    }
  });

  it("exports no cell that a spreadsheet would run as a formula [threat: csv-injection]", async () => {
    const { text } = await download("action=tier.");
    assert(text.includes(",'=HYPERLINK(1),"), text);
    assert(text.includes(',"Quoted, ""tier""",'), text);
    assert.doesNotMatch(text, /(^|,)"?[=+@]/m);
  });
});
