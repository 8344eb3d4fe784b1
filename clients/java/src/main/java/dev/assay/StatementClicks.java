// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** Earnings from ads. */
public final class StatementClicks extends Fields {
    StatementClicks(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * Paid clicks of the month, including reversed ones.
     *
     * @return the value
     */
    public long getClicks() {
        return integer("clicks");
    }

    /**
     * The developer's share of these clicks, less the month's reversals.
     *
     * @return the value
     */
    public double getDeveloperUsd() {
        return number("developer_usd");
    }

    /**
     * Part from clicks of the month that may still be reversed.
     *
     * @return the value
     */
    public double getPendingUsd() {
        return number("pending_usd");
    }

    /**
     * Part from clicks of the month that can no longer be reversed.
     *
     * @return the value
     */
    public double getConfirmedUsd() {
        return number("confirmed_usd");
    }

    /**
     * Reversed in the month.
     *
     * @return the value
     */
    public double getReversedUsd() {
        return number("reversed_usd");
    }
}
