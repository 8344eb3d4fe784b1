// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** Sessions by trust level. */
public final class TrafficLevels extends Fields {
    TrafficLevels(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * Sessions with level high.
     *
     * @return the value
     */
    public long getHigh() {
        return integer("high");
    }

    /**
     * Sessions with level medium.
     *
     * @return the value
     */
    public long getMedium() {
        return integer("medium");
    }

    /**
     * Sessions with level low.
     *
     * @return the value
     */
    public long getLow() {
        return integer("low");
    }
}
