// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** A part of traffic findings. */
public final class TrafficFinding extends Fields {
    TrafficFinding(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * Stable code to match on.
     *
     * @return {@code exact_duplicates}, {@code regular_intervals}, {@code unlike_people}, {@code
     * round_numbers}; never null
     */
    public String getCode() {
        return text("code");
    }

    /**
     * Human-readable. It may change.
     *
     * @return never null
     */
    public String getMessage() {
        return text("message");
    }

    /**
     * Share of the examined sessions.
     *
     * @return the value
     */
    public double getShare() {
        return number("share");
    }
}
