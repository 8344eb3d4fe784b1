import { CorrectionsReply } from "@assay/contract/dashboard/corrections.ts";
import { CallDaysReply } from "@assay/contract/dashboard/integrity.ts";
import { LedgerQuery, LedgerReply, ledgerPageMax, ledgerPageServed } from "@assay/contract/dashboard/ledger.ts";
import { RevenueQuery, RevenueReply, StatementsReply } from "@assay/contract/dashboard/revenue.ts";
import { StatementParams, StatementReply } from "@assay/contract/usage.ts";
import { Failure } from "../../failure/failure.ts";
import { usdOf } from "../../formats/money.ts";
import { parseSpan } from "../../formats/time.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { selectCorrections } from "../../money/corrections/corrections.table.ts";
import { correctionsShown, describeCorrection } from "../../money/corrections/describe-corrections.ts";
import { listCallDays } from "../../money/days/list-days.ts";
import { selectEntries, selectHead } from "../../money/ledger/ledger.table.ts";
import { selectEntriesBefore, selectEntryPlace } from "../../money/ledger/movements.table.ts";
import { makeStatement, monthOf } from "../../money/statements/make-statement.ts";
import { statementCsv } from "../../money/statements/statement-csv.ts";
import { selectOwnAccount } from "../../register/accounts.table.ts";
import { selectPayee } from "../../register/payees.table.ts";
import type { DeveloperContext } from "./developer-context.ts";
import { parsePageLimit, sendDownload } from "./page-and-download.ts";
import { reportRevenue, revenueSpan } from "./report-revenue.ts";

const monthsMax = 1_200;

function monthsBetween(firstMs: number, nowMs: number): { month: string; is_final: boolean }[] {
  const first = monthOf(firstMs);
  const now = new Date(nowMs);
  const months: { month: string; is_final: boolean }[] = [];
  for (let back = 0; back < monthsMax; back += 1) {
    const month = monthOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back));
    if (month < first) break;
    months.push({ month, is_final: back > 0 });
  }
  return months;
}

function addStatementRoutes(app: TypedApp, context: DeveloperContext): void {
  const { store, nowMs } = context;

  async function readStatement(accountId: string, month: string) {
    const atMs = nowMs();
    const statement = month > monthOf(atMs) ? undefined : await makeStatement(store, { accountId, month, nowMs: atMs });
    if (!statement) throw new Failure("not_found", "There is no statement for this month.");
    return statement;
  }

  app.get("/statements", {
    schema: { hide: true, response: { 200: StatementsReply } },
    async handler({ signedIn: { accountId } }) {
      const first = await selectEntryPlace(store.db, { accountId, seq: 1 }).executeTakeFirst();
      return { months: first ? monthsBetween(first.at, nowMs()) : [] };
    },
  });
  app.get("/statements/:month", {
    schema: { hide: true, params: StatementParams, response: { 200: StatementReply } },
    async handler({ signedIn: { accountId }, params }) {
      return { ...(await readStatement(accountId, params.month)), balance: await context.balances.read(accountId) };
    },
  });
  app.get("/statements/:month.csv", {
    schema: { hide: true, params: StatementParams },
    async handler({ signedIn, params }, reply) {
      const statement = await readStatement(signedIn.accountId, params.month);
      const name = `assay-statement-${statement.month}.csv`;
      return sendDownload(reply, { name, type: "text/csv; charset=utf-8", content: statementCsv(statement) });
    },
  });
  app.get("/statements/:month.pdf", {
    schema: { hide: true, params: StatementParams },
    async handler({ signedIn: { accountId }, params }, reply) {
      const statement = await readStatement(accountId, params.month);
      const [account, payee] = await Promise.all([
        selectOwnAccount(store.db, accountId).executeTakeFirstOrThrow(),
        selectPayee(store.db, accountId).executeTakeFirst(),
      ]);
      // Loaded on first use: it brings fonts, and most processes never print.
      const { printStatement } = await import("../../money/statements/print-statement.ts");
      const content = await printStatement({ statement, accountId, email: account.email, payee, operator: context.operator, issuedAtMs: nowMs() });
      return sendDownload(reply, { name: `assay-statement-${statement.month}.pdf`, type: "application/pdf", content });
    },
  });
}

export function addRevenueRoutes(app: TypedApp, context: DeveloperContext): void {
  const { store, nowMs } = context;
  app.get("/revenue", {
    schema: { hide: true, querystring: RevenueQuery, response: { 200: RevenueReply } },
    handler: ({ signedIn: { accountId }, query }) => {
      const atMs = nowMs();
      return reportRevenue(context, { accountId, ...parseSpan(query, { ...revenueSpan, nowMs: atMs }), nowMs: atMs });
    },
  });
  addStatementRoutes(app, context);
  app.get("/call-days", {
    schema: { hide: true, response: { 200: CallDaysReply } },
    handler: ({ signedIn: { accountId } }) => listCallDays(store, { accountId, holdDays: context.callHoldDays }),
  });
  app.get("/corrections", {
    schema: { hide: true, response: { 200: CorrectionsReply } },
    async handler({ signedIn: { accountId } }) {
      const rows = await selectCorrections(store.db, { accountId, limit: correctionsShown }).execute();
      const head = await selectHead(store.db, accountId).executeTakeFirstOrThrow();
      return { corrections: rows.map(describeCorrection), spendable_usd: usdOf(head.spendable_micro ?? 0) };
    },
  });
  app.get("/ledger", {
    schema: { hide: true, querystring: LedgerQuery, response: { 200: LedgerReply } },
    async handler({ signedIn: { accountId }, query }) {
      const limit = Math.min(parsePageLimit(query.limit, { fallback: ledgerPageServed, max: ledgerPageMax }), ledgerPageServed);
      // The head is read first: every entry up to it exists, whatever is appended meanwhile.
      const head = await selectHead(store.db, accountId).executeTakeFirstOrThrow();
      const shownHead = { seq: head.seq, hash: head.hash, balance_micro: head.balance_micro };
      if (query.before_seq !== undefined) {
        const beforeSeq = Number(query.before_seq);
        const entries = await selectEntriesBefore(store.db, { accountId, beforeSeq, limit }).execute();
        const lowest = entries.at(-1)?.seq ?? 1;
        return { entries, head: shownHead, next_after_seq: null, next_before_seq: lowest > 1 ? lowest : null };
      }
      const afterSeq = Number(query.after_seq ?? 0);
      const left = Math.max(0, head.seq - afterSeq);
      const entries = left === 0 ? [] : await selectEntries(store.db, { accountId, afterSeq, limit: Math.min(limit, left) }).execute();
      const last = entries.at(-1)?.seq ?? head.seq;
      return { entries, head: shownHead, next_after_seq: last < head.seq ? last : null };
    },
  });
}
