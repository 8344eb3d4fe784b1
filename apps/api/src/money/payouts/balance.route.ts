import { Balance } from "@assay/contract/balance.ts";
import { keyedFailures } from "../../http/describe-failures.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { describeHeldExample } from "./held-example.ts";
import type { Balances } from "./read-balance.ts";

/** Free of charge; it needs a key and counts against the rate limits. */
export function addBalanceRoute(app: TypedApp, { balances, nowMs }: { balances: Balances; nowMs: () => number }): void {
  app.get("/api/balance", {
    schema: {
      operationId: "balance",
      summary: "The account's money by its state",
      description:
        "What is pending, what waits and why, what is payable, in a payout or paid, and when more can become payable. The sums are exact. " +
        "Whether the operator's funding covers them may be known a few minutes late.",
      tags: ["Billing"],
      security: [{ apiKey: [] }],
      response: { 200: Balance, ...keyedFailures({ billable: false }) },
    },
    handler: ({ caller, testScenario }) => (testScenario === "held" ? describeHeldExample(nowMs()) : balances.read(caller.accountId)),
  });
}
