// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** Statistics of the signal over the window. */
public final class SignalStatistics extends Fields {
    SignalStatistics(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * Sessions that had the signal.
     *
     * @return the value
     */
    public long getPresent() {
        return integer("present");
    }

    /**
     * Mean over the sessions that had the signal; for return_visitor, the share of returning visitors.
     *
     * @return the value
     */
    public double getMean() {
        return number("mean");
    }

    /**
     * Median: fractions to two decimals, everything else to three significant digits.
     *
     * @return the value
     */
    public double getP50() {
        return number("p50");
    }
}
