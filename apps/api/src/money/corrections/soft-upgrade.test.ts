import { genesisHash } from "@assay/contract/ledger-chain.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { it } from "node:test";
import pg from "pg";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { readLedger } from "../../../test/read-ledger.ts";
import { msPerDay, startOfHour } from "../../formats/time.ts";
import type { AccountStatus, LedgerHeadRow } from "../../store/schema.ts";
import { chainEntry, entryColumns } from "../ledger/chain-entry.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";
import { selectCorrections } from "./corrections.table.ts";
import { readPrepaidStart } from "./prepaid-start.ts";
import { settlePrepaid } from "./settle-prepaid.ts";

const nowMs = Date.UTC(2026, 4, 1, 12);
const publicUrl = "https://assay.example";
const perCall = { grossMicroUsd: 50_000, developerMicroUsd: 34_000 };

/** Runs plain SQL, as an earlier version would have. */
async function runSql({ dialect, dataDir, databaseUrl }: TestDatabase, statements: { text: string; values: SQLInputValue[] }[]): Promise<void> {
  if (dialect === "sqlite") {
    const database = new DatabaseSync(join(dataDir, "assay.sqlite"));
    for (const { text, values } of statements) database.prepare(text.replaceAll(/\$\d+/g, "?")).run(...values);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (const { text, values } of statements) await client.query(text, values);
  await client.end();
}

const insertInto = (table: string, row: Record<string, SQLInputValue>) => ({
  text: `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${Object.keys(row).map((_, index) => `$${index + 1}`).join(", ")})`,
  values: Object.values(row),
});

/** An account as the version before prepaid calls left it: with calls that it paid for, and clicks. */
async function makeOldAccount(database: TestDatabase, account: { id: string; calls: number; clickMicroUsd: number; status?: AccountStatus; demo?: 0 | 1 }): Promise<void> {
  const { id, calls, clickMicroUsd, status = "active", demo = 0 } = account;
  const head: LedgerHeadRow = { account_id: id, seq: 0, hash: genesisHash, at: 0, balance_micro: 0, spendable_micro: null, spendable_seq: 0, share_confirmed_seq: 0 };
  const entries = Array.from({ length: calls }, (_, index) =>
    chainEntry(head, { atMs: nowMs - 1, kind: "call", ref: `sess_${index}`, endpoint: "predict", payer: "developer", shareBps: 6_800, ...perCall }),
  );
  const sums = (count: number, gross: number, developer: number) => ({ gross_micro: count * gross, developer_micro: count * developer, platform_micro: count * (gross - developer) });
  const hour = startOfHour(nowMs - 1);
  const statements = [
    insertInto("accounts", { id, email: `${id}@example.com`, tier: "Starter", status, verified_at: 1, operator: 0, demo, created_at: 1 }),
    insertInto("usage_rollups", { account_id: id, hour, endpoint: "predict", payer: "developer", share_bps: 6_800, calls, ...sums(calls, perCall.grossMicroUsd, perCall.developerMicroUsd) }),
  ];
  if (clickMicroUsd > 0) {
    entries.push(chainEntry(head, { atMs: nowMs - 1, kind: "click", ref: "ad_1", endpoint: "click", payer: "advertiser", shareBps: 10_000, grossMicroUsd: clickMicroUsd, developerMicroUsd: clickMicroUsd }));
    statements.push(insertInto("movement_hours", { account_id: id, hour, kind: "click", payer: "advertiser", entries: 1, ...sums(1, clickMicroUsd, clickMicroUsd) }));
  }
  const { seq, hash, at, balance_micro } = head;
  statements.push(insertInto("ledger_heads", { account_id: id, seq, hash, at, balance_micro }));
  await runSql(database, [...statements, ...entries.map((entry) => insertInto("ledger_entries", Object.fromEntries(entryColumns.map((column) => [column, entry[column]]))))]);
}

describeBothStores("an installation whose developers paid for calls before they were prepaid", (open) => {
  it("starts every account at zero, booked and told once, and refuses calls 30 days later", async () => {
    const database = await open();
    const { store } = database;
    await makeOldAccount(database, { id: "acct_debt", calls: 10, clickMicroUsd: 60_000 });
    await makeOldAccount(database, { id: "acct_earner", calls: 10, clickMicroUsd: 500_000 });
    const prepaidFromMs = (await readPrepaidStart(store, { payer: "developer", nowMs }))!;
    assert.equal(prepaidFromMs, nowMs + 30 * msPerDay);
    assert.equal(await readPrepaidStart(store, { payer: "developer", nowMs: nowMs + msPerDay }), prepaidFromMs, "the date is set once");
    const settle = () => settlePrepaid(store, { nowMs, isOver: () => false, prepaidFromMs, publicUrl });
    const runs = await Promise.all([settle(), settle()]);
    assert.equal(runs.reduce((sum, run) => sum + run.begun, 0), 2);
    assert.deepEqual(await settle(), { begun: 0, confirmedMicroUsd: 0, isMore: false }, "shares that were settled are not confirmed again");

    const amounts = async (accountId: string) => (await selectCorrections(store.db, { accountId, limit: 10 }).execute()).map(({ payer, amount_micro: amount }) => [payer, amount]);
    assert.deepEqual(await amounts("acct_debt"), [["developer", 160_000], ["platform", -60_000]], "earnings pay as far as they go");
    assert.deepEqual(await amounts("acct_earner"), [["developer", 160_000], ["platform", -160_000]]);
    const heads = await store.db.selectFrom("ledger_heads").select(["account_id", "balance_micro", "spendable_micro"]).orderBy("account_id").execute();
    assert.deepEqual(heads.map((head) => ({ ...head })), [
      { account_id: "acct_debt", balance_micro: 0, spendable_micro: 0 },
      { account_id: "acct_earner", balance_micro: 340_000, spendable_micro: 0 },
    ]);
    const mails = await store.db.selectFrom("mails").select(["recipient", "kind", "body_text"]).orderBy("recipient").execute();
    assert.deepEqual(mails.map(({ recipient, kind }) => [recipient, kind]), [["acct_debt@example.com", "prepaid_notice"], ["acct_earner@example.com", "prepaid_notice"]]);
    assert.match(mails[0]!.body_text, /2026-05-31T12:00:00\.000Z/);
    assert.ok((await verifyLedger(store)).ok);

    const clock = { nowMs: prepaidFromMs - 1 };
    const charger = makeCharger(store, clock, { payer: "developer", prepaid: { fromMs: prepaidFromMs, creditLimitMicroUsd: 0 } });
    assert.equal((await charger.charge(makeCharge({ accountId: "acct_earner", atMs: nowMs }))).kind, "charged");
    clock.nowMs = prepaidFromMs;
    assert.equal((await charger.charge(makeCharge({ accountId: "acct_earner", atMs: nowMs }))).kind, "refused");
    assert.equal((await readLedger(store, "acct_earner")).length, 14);
  });

  it("tells those who can still act on it: no closed or demo account, and nobody once the day has come; all of them start at zero", async () => {
    for (const [noticeMs, told] of [[1, ["acct_active@example.com", "acct_suspended@example.com"]], [0, []]] as const) {
      const database = await open();
      const { store } = database;
      for (const status of ["active", "suspended", "closed"] as const) await makeOldAccount(database, { id: `acct_${status}`, calls: 1, clickMicroUsd: 0, status });
      await makeOldAccount(database, { id: "acct_demo", calls: 1, clickMicroUsd: 0, demo: 1 });
      assert.deepEqual(await settlePrepaid(store, { nowMs, isOver: () => false, prepaidFromMs: nowMs + noticeMs, publicUrl }), { begun: 4, confirmedMicroUsd: 0, isMore: false });
      const mails = await store.db.selectFrom("mails").select(["recipient", "kind"]).orderBy("recipient").execute();
      assert.deepEqual(mails.map(({ recipient, kind }) => [recipient, kind]), told.map((recipient) => [recipient, "prepaid_notice"]));
      const heads = await store.db.selectFrom("ledger_heads").select("spendable_micro").execute();
      assert.deepEqual(heads.map((head) => head.spendable_micro), [0, 0, 0, 0]);
    }
  });

  it("gives notice only if there were such calls, and not where it pays itself", async () => {
    const { store } = await open();
    assert.equal(await readPrepaidStart(store, { payer: "platform", nowMs }), undefined);
    assert.equal(await readPrepaidStart(store, { payer: "developer", nowMs }), nowMs);
  });
});
