// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/**
 * The part of the balance that calls are charged to and that is never paid out: deposits, adjustments
 * and shares, less what calls cost.
 */
public final class StatementPrepaid extends Fields {
    StatementPrepaid(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * At the start of the month.
     *
     * @return the value
     */
    public double getOpeningUsd() {
        return number("opening_usd");
    }

    /**
     * At its end; for the current month, so far.
     *
     * @return the value
     */
    public double getClosingUsd() {
        return number("closing_usd");
    }
}
