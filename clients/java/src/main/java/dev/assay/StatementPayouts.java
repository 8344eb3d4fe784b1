// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** Payouts from the account. */
public final class StatementPayouts extends Fields {
    StatementPayouts(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * Paid out in the month.
     *
     * @return the value
     */
    public double getPaidUsd() {
        return number("paid_usd");
    }

    /**
     * Payouts returned in the month.
     *
     * @return the value
     */
    public double getReturnedUsd() {
        return number("returned_usd");
    }
}
