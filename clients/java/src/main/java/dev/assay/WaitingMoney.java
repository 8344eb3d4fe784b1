// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** A part of confirmed money waiting. */
public final class WaitingMoney extends Fields {
    WaitingMoney(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * Why it is not payable yet. It becomes payable as soon as the reason ends.
     *
     * @return {@code not_yet_due}, {@code below_minimum}, {@code payee_missing}, {@code payee_changed},
     * {@code linked_account}, {@code growth_review}, {@code finding_open}, {@code held}, {@code
     * not_funded}, {@code repeated_session}, {@code unexamined}, {@code crowded_network}; never null
     */
    public String getReason() {
        return text("reason");
    }

    /**
     * The amount.
     *
     * @return the value
     */
    public double getUsd() {
        return number("usd");
    }

    /**
     * The reason in a sentence. Not to be matched on.
     *
     * @return never null
     */
    public String getExplained() {
        return text("explained");
    }
}
