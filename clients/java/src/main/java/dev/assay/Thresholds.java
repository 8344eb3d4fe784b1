// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** Score thresholds of the trust levels. */
public final class Thresholds extends Fields {
    Thresholds(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * Lowest score of level high.
     *
     * @return the value
     */
    public double getHigh() {
        return number("high");
    }

    /**
     * Lowest score of level medium; below it the level is low.
     *
     * @return the value
     */
    public double getMedium() {
        return number("medium");
    }
}
