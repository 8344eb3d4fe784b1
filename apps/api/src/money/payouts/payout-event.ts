import { usdOf } from "../../formats/money.ts";
import type { PayoutRow, PayoutStatus } from "../../store/schema-payouts.ts";
import type { NewEvent } from "../../webhooks/events/write-events.ts";

/** That the payout has reached this state. */
export const payoutEvent = (status: PayoutStatus, payout: Pick<PayoutRow, "id" | "account_id" | "month" | "amount_micro">): NewEvent => ({
  audience: payout.account_id,
  type: `payout.${status}`,
  data: { account_id: payout.account_id, payout_id: payout.id, month: payout.month, amount_usd: usdOf(payout.amount_micro) },
});
