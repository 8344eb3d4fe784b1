import { balanceChangeOf, chainStart, verifyEntries } from "@assay/contract/ledger-chain.ts";
import type { StatementReply } from "@assay/contract/usage.ts";
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { textsOf } from "../../../test/money/texts-of-pdf.ts";
import { microOf, readLedger } from "../../../test/read-ledger.ts";
import { msPerDay } from "../../formats/time.ts";
import type { LedgerEntryRow } from "../../store/schema.ts";
import type { NewEntry } from "../ledger/append-entries.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";
import { makeStatement, monthOf } from "./make-statement.ts";
import { groupedUsdText, printableText, type PrintedStatement, printStatement } from "./print-statement.ts";
import { statementCsv } from "./statement-csv.ts";

const append = new URL("../../../test/money/append.work.ts", import.meta.url);
const months = ["2026-01", "2026-02", "2026-03"];
const january = Date.UTC(2026, 0, 1);
const nowMs = Date.UTC(2026, 2, 31);

const sum = (rows: readonly LedgerEntryRow[], of: (row: LedgerEntryRow) => number) => rows.reduce((total, row) => total + of(row), 0);

describeBothStores("a statement", (open) => {
  let database: TestDatabase;
  let accountId: string;
  let entries: LedgerEntryRow[];

  const statementOf = async (month: string): Promise<StatementReply> => (await makeStatement(database.store, { accountId, month, nowMs }))!;

  async function move(entry: Omit<NewEntry, "accountId" | "endpoint" | "shareBps">): Promise<number> {
    const [seq] = await database.store.transact<NewEntry[], number[]>(append, [{ accountId, endpoint: entry.kind, shareBps: 6_800, ...entry }]);
    return seq!;
  }

  /** A click as the ads wing books it: a ledger entry and a row. */
  async function click(atMs: number, status: "pending" | "confirmed" | "reversed"): Promise<void> {
    const { db } = database.store;
    const amounts = { grossMicroUsd: 250_001, developerMicroUsd: 170_000 };
    const offer = `ad_${atMs}`;
    const seq = await move({ atMs, kind: "click", ref: offer, payer: "advertiser", ...amounts });
    const reversal = status === "reversed" ? await move({ atMs: atMs + 1, kind: "reversal", ref: offer, payer: "advertiser", grossMicroUsd: -250_001, developerMicroUsd: -170_000 }) : null;
    await db
      .insertInto("clicks")
      .values({
        offer_id: offer, account_id: accountId, campaign_id: "camp_1", creative_id: "cr_1", placement: "feed", trust_band: "high", at: atMs,
        price_micro: 250_001, developer_micro: 170_000, share_bps: 6_800, ledger_seq: seq, status,
        settled_at: status === "pending" ? null : atMs + 2, reversal_seq: reversal, reason: null,
      })
      .execute();
  }

  before(async () => {
    database = await open();
    const { store } = database;
    ({ accountId } = await makeAccount(store, { nowMs: january }));
    await store.db.insertInto("advertisers").values({ id: "adv_1", name: "Acme", created_at: january }).execute();
    await store.db
      .insertInto("campaigns")
      .values({
        id: "camp_1", advertiser_id: "adv_1", name: "Spring", status: "active", house: 0, budget_micro: 1e9, daily_budget_micro: null, bid_micro: 250_001,
        starts_at: january, ends_at: null, categories: "[]", placements: "[]", min_trust: 0, pacing: "asap", spent_micro: 0, created_at: january, changed_at: january,
      })
      .execute();
    const clock = { nowMs: january };
    const platform = makeCharger(store, clock);
    const developer = makeCharger(store, clock, { payer: "developer" });
    for (const [month, fromMs] of [Date.UTC(2026, 0), Date.UTC(2026, 1), Date.UTC(2026, 2)].entries()) {
      clock.nowMs = fromMs;
      for (let call = 0; call < 5 + month; call += 1) {
        await platform.charge(makeCharge({ accountId, atMs: fromMs + call * 3_600_000, endpoint: call % 2 === 0 ? "predict" : "analyze", shareBps: 6_800 + month * 100 }));
      }
      await developer.charge(makeCharge({ accountId, atMs: fromMs + 2 * msPerDay, endpoint: "score" }));
      await click(fromMs + 3 * msPerDay, "confirmed");
      await click(fromMs + 4 * msPerDay, month === 2 ? "pending" : "confirmed");
      await click(fromMs + 5 * msPerDay, "reversed");
      await move({ atMs: fromMs + 6 * msPerDay, kind: "adjustment", ref: "adj", payer: "platform", grossMicroUsd: -7, developerMicroUsd: -7 });
      await move({ atMs: fromMs + 14 * msPerDay, kind: "payout", ref: "po", payer: "platform", grossMicroUsd: -40_001, developerMicroUsd: -40_001 });
      // The month's last millisecond; the next month's first call is in its first.
      await platform.charge(makeCharge({ accountId, atMs: Date.UTC(2026, month + 1) - 1, endpoint: "predict" }));
      if (month === 1) await move({ atMs: fromMs, kind: "payout_returned", ref: "po", payer: "platform", grossMicroUsd: 40_001, developerMicroUsd: 40_001 });
    }
    entries = await readLedger(store, accountId);
  });

  it("equals the ledger to the micro-dollar, month by month, part by part", async () => {
    for (const month of months) {
      const statement = await statementOf(month);
      const own = entries.filter((entry) => monthOf(entry.at) === month);
      const calls = own.filter((entry) => entry.kind === "call");
      const of = (kind: string) => own.filter((entry) => entry.kind === kind);
      assert.equal(statement.calls, calls.length);
      assert.equal(microOf(statement.gross_usd), sum(calls, (entry) => entry.gross_micro));
      assert.equal(microOf(statement.developer_usd), sum(calls, (entry) => entry.developer_micro));
      assert.equal(microOf(statement.charged_usd), sum(calls.filter((entry) => entry.payer === "developer"), (entry) => entry.gross_micro));
      assert.equal(statement.ads.clicks, of("click").length);
      assert.equal(microOf(statement.ads.developer_usd), sum([...of("click"), ...of("reversal")], (entry) => entry.developer_micro));
      assert.equal(microOf(statement.ads.reversed_usd), 170_000);
      assert.equal(microOf(statement.ads.pending_usd), month === "2026-03" ? 170_000 : 0);
      assert.equal(microOf(statement.ads.confirmed_usd), month === "2026-03" ? 170_000 : 340_000);
      assert.equal(microOf(statement.adjustments_usd), -7);
      assert.deepEqual([microOf(statement.payouts.paid_usd), microOf(statement.payouts.returned_usd)], [40_001, month === "2026-02" ? 40_001 : 0]);
      const openingMicroUsd = sum(entries.filter((entry) => monthOf(entry.at) < month), balanceChangeOf);
      assert.equal(microOf(statement.opening_balance_usd), openingMicroUsd);
      assert.equal(microOf(statement.closing_balance_usd), openingMicroUsd + sum(own, balanceChangeOf));
      assert.equal(statement.entries, own.length);
      assert.equal(statement.first_receipt, `${own[0]!.seq}.${own[0]!.hash}`);
      assert.equal(statement.last_receipt, `${own.at(-1)!.seq}.${own.at(-1)!.hash}`);
      assert.equal(statement.is_final, month !== "2026-03");
    }
    const last = await statementOf("2026-03");
    assert.equal(last.closing_balance_usd, last.balance_usd, "the current month closes with the current balance");
  });

  it("is empty and carries the balance over for a month without entries", async () => {
    const later = (await makeStatement(database.store, { accountId, month: "2026-04", nowMs: Date.UTC(2026, 4) }))!;
    assert.deepEqual([later.entries, later.first_receipt, later.last_receipt, later.calls, later.movements], [0, null, null, 0, []]);
    assert.equal(later.opening_balance_usd, later.balance_usd);
    assert.equal(later.closing_balance_usd, later.balance_usd);
    assert.equal(await makeStatement(database.store, { accountId, month: "2026-13", nowMs }), undefined);
  });

  it("is a CSV whose balance changes add up from the opening to the closing balance", async () => {
    for (const month of months) {
      const lines = statementCsv(await statementOf(month)).trimEnd().split("\r\n").slice(1);
      const changes = lines.map((line) => microOf(line.split(",")[9]));
      const closing = changes.pop();
      assert.equal(changes.reduce((total, change) => total + change, 0), closing);
    }
  });

  it("is based on a chain that a browser can verify page by page", async () => {
    const head = await database.store.db.selectFrom("ledger_heads").select(["hash", "balance_micro"]).where("account_id", "=", accountId).executeTakeFirstOrThrow();
    let place = chainStart;
    for (let from = 0; from < entries.length; from += 7) {
      const verdict = await verifyEntries(place, entries.slice(from, from + 7));
      assert(verdict.ok);
      place = verdict.place;
    }
    assert.deepEqual([place.hash, place.balance_micro], [head.hash, head.balance_micro]);
  });

  it("is based on hourly rollups that ledger verification compares with the entries", async () => {
    assert.equal((await verifyLedger(database.store)).ok, true);
    const change = (by: number) =>
      database.store.db
        .updateTable("movement_hours")
        .set((eb) => ({ developer_micro: eb("developer_micro", "+", by), gross_micro: eb("gross_micro", "+", by) }))
        .where("account_id", "=", accountId)
        .where("kind", "=", "adjustment")
        .execute();
    await change(1);
    const report = await verifyLedger(database.store);
    assert.equal(report.ok, false);
    assert.equal(report.breaks.length, 3);
    await change(-1);
    assert.equal((await verifyLedger(database.store)).ok, true);
  });
});

describe("a printed statement", () => {
  const statement: StatementReply = {
    month: "2026-02", calls: 3, gross_usd: 0.15, developer_usd: 0.102, platform_usd: 0.048, charged_usd: 0, balance_usd: 1_234_567.102,
    lines: [{ endpoint: "predict", payer: "platform", share_percent: 68, calls: 3, gross_usd: 0.15, developer_usd: 0.102, platform_usd: 0.048 }],
    ads: { clicks: 0, developer_usd: 0, pending_usd: 0, confirmed_usd: 0, reversed_usd: 0 }, calls_reversed_usd: 0, deposits_usd: 0, adjustments_usd: -2.5,
    corrections: [{ ref: "adj_1", kind: "adjustment", on: "earnings", usd: -2.5, reason: "Paid twice in May.", at: "2026-02-03T00:00:00.000Z", seq: 2 }],
    prepaid: { opening_usd: 0, closing_usd: 7.25 }, payouts: { paid_usd: 0, returned_usd: 0 }, movements: [],
    opening_balance_usd: 1_234_567, closing_balance_usd: 1_234_567.102, is_final: true, entries: 3, first_receipt: `1.${"ab".repeat(32)}`, last_receipt: `3.${"cd".repeat(32)}`,
  };
  const printed: PrintedStatement = {
    statement, accountId: "acct_0123456789", email: "dev@example.com", payee: { legal_name: "Møller & Søn ApS", address: "Gade 1\n1000 København", country: "DK", tax_id: "DK1" },
    operator: { legalName: "Operator Ltd", address: "High Street 1", taxId: "GB123" }, issuedAtMs: Date.UTC(2026, 2, 1),
  };

  it("names issuer, payee, period, amounts, balances and receipts", async () => {
    const texts = textsOf(await printStatement(printed));
    for (const wanted of ["Operator Ltd", "Tax ID GB123", "Møller & Søn ApS", "1000 København", "February 2026", "Period 2026-02-01 to 2026-02-28 (UTC)", "Final", "predict", "68.00%", "0.102000", "1,234,567.000000", "1,234,567.102000", "Paid twice in May.", "-2.500000", "7.250000", statement.first_receipt!, statement.last_receipt!, "Page 1 of 1"]) {
      assert(texts.includes(wanted), `${wanted} is missing from:\n${texts}`);
    }
  });

  it("continues on further pages, and says when it is provisional or has no payee", async () => {
    const lines = Array.from({ length: 90 }, (_, index) => ({ ...statement.lines[0]!, endpoint: `endpoint_${index}` }));
    const texts = textsOf(await printStatement({ ...printed, payee: undefined, statement: { ...statement, lines, is_final: false } }));
    assert.match(texts, /Page 3 of 3/);
    assert.match(texts, /endpoint_89/);
    assert.match(texts, /Provisional/);
    assert.match(texts, /nothing is paid out without one/);
  });

  it("shows every micro-dollar, and reduces text to characters that its fonts have", () => {
    assert.deepEqual([0.000001, -1_234.5, 0, 1_000_000].map(groupedUsdText), ["0.000001", "-1,234.500000", "0.000000", "1,000,000.000000"]);
    assert.equal(printableText("Łódź · Ștefan · 株 · Straße €5"), "Lódz · Stefan · ? · Straße €5");
  });
});
