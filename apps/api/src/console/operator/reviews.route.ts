import { ReviewRequest, ReviewsReply } from "@assay/contract/dashboard/integrity.ts";
import { AccountParams } from "@assay/contract/dashboard/operator.ts";
import { Failure } from "../../failure/failure.ts";
import { microUsdOf } from "../../formats/money.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { listReviews } from "../../money/payouts/list-reviews.ts";
import { reviewRefusalTexts, setReview } from "../../money/growth/set-review.ts";
import { readStanding } from "../../scoring/traffic/read-integrity.ts";
import type { OperatorContext } from "./operator-context.ts";

export function addReviewRoutes(app: TypedApp, context: OperatorContext): void {
  const { store, nowMs, payoutFourEyes: fourEyes, wakeMailer } = context;
  const list = () => listReviews(store, { ...context.growthLimits, minimumMicroUsd: context.payoutMinimumMicroUsd, readStanding, nowMs: nowMs() });

  app.get("/reviews", { schema: { hide: true, response: { 200: ReviewsReply } }, handler: list });
  app.post("/accounts/:account_id/review", {
    schema: { hide: true, params: AccountParams, body: ReviewRequest, response: { 200: ReviewsReply } },
    async handler({ signedIn, params, body }) {
      const monthlyMicroUsd = microUsdOf(body.monthly_usd);
      if (monthlyMicroUsd === undefined) throw new Failure("invalid_request", "monthly_usd must have at most six decimals");
      const review = { accountId: params.account_id, monthlyMicroUsd, reason: body.reason.trim(), actorAccountId: signedIn.accountId, fourEyes, nowMs: nowMs() };
      const { kind } = await setReview(store, review);
      if (kind !== "reviewed") throw new Failure(kind === "unknown_account" ? "not_found" : "forbidden", reviewRefusalTexts[kind]);
      wakeMailer();
      return list();
    },
  });
}
