import { StatementParams, StatementReply, UsageQuery, UsageReply } from "@assay/contract/usage.ts";
import { Failure } from "../../failure/failure.ts";
import { parseSpan } from "../../formats/time.ts";
import { keyedFailures } from "../../http/describe-failures.ts";
import { answerReport } from "../../http/answer-report.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import type { Reports } from "../../store/reports/report-source.ts";
import type { Store } from "../../store/store.ts";
import { describeHeldExample } from "../payouts/held-example.ts";
import type { Balances } from "../payouts/read-balance.ts";
import { makeStatement } from "./make-statement.ts";
import { reportUsage, usageSpan } from "./report-usage.ts";

/** Free of charge; they need a key and count against the rate limits. */
export function addUsageRoutes(app: TypedApp, context: { store: Store; reports: Reports; nowMs: () => number; balances: Balances }): void {
  const { store, reports, nowMs, balances } = context;
  const tags = ["Billing"];
  const security = [{ apiKey: [] }];
  app.get("/api/usage", {
    schema: {
      operationId: "usage",
      summary: "Calls and revenue over time",
      description: "Live calls only, by whole hours or days in UTC. At most 92 days.",
      tags,
      security,
      querystring: UsageQuery,
      response: { 200: UsageReply, ...keyedFailures({ billable: false }) },
    },
    handler: ({ caller, query }, reply) => {
      const span = { accountId: caller.accountId, ...parseSpan(query, { ...usageSpan, nowMs: nowMs() }) };
      return answerReport(reply, reports, (source) => reportUsage(source, span));
    },
  });
  app.get("/api/statements/:month", {
    schema: {
      operationId: "statement",
      summary: "A month's statement",
      description:
        "Calls by endpoint and rate, clicks, corrections, payouts, and the balance before and after. Months are UTC; the current one is " +
        "reported so far, with `is_final` false.",
      tags,
      security,
      params: StatementParams,
      response: { 200: StatementReply, ...keyedFailures({ billable: false }) },
    },
    async handler({ caller, params, testScenario }) {
      const statement = await makeStatement(store, { accountId: caller.accountId, month: params.month, nowMs: nowMs() });
      if (!statement) throw new Failure("invalid_request", "month must be a month such as 2026-01");
      return { ...statement, balance: testScenario === "held" ? describeHeldExample(nowMs()) : await balances.read(caller.accountId) };
    },
  });
}
