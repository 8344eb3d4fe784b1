// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/**
 * The developer's share of the month's calls that the platform pays, as of the month's end; for the
 * current month, now. Absent in statements of months that ended before calls were settled by the day.
 */
public final class StatementCallsSettlement extends Fields {
    StatementCallsSettlement(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * May still be reversed.
     *
     * @return the value
     */
    public double getPendingUsd() {
        return number("pending_usd");
    }

    /**
     * Can no longer be reversed.
     *
     * @return the value
     */
    public double getConfirmedUsd() {
        return number("confirmed_usd");
    }

    /**
     * Was reversed.
     *
     * @return the value
     */
    public double getReversedUsd() {
        return number("reversed_usd");
    }
}
