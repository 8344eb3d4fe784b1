// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.List;
import java.util.Map;

/** What can no longer be reversed. */
public final class ConfirmedMoney extends Fields {
    ConfirmedMoney(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * What waits + payable_usd + in_payout_usd + paid_usd.
     *
     * @return the value
     */
    public double getUsd() {
        return number("usd");
    }

    /**
     * One item per reason.
     *
     * @return never null
     */
    public List<WaitingMoney> getWaiting() {
        return list("waiting", each -> new WaitingMoney(asObject(each)));
    }

    /**
     * Can be proposed for payout now.
     *
     * @return the value
     */
    public double getPayableUsd() {
        return number("payable_usd");
    }

    /**
     * In payouts that are proposed, approved or exported.
     *
     * @return the value
     */
    public double getInPayoutUsd() {
        return number("in_payout_usd");
    }

    /**
     * Paid out, less what came back.
     *
     * @return the value
     */
    public double getPaidUsd() {
        return number("paid_usd");
    }
}
