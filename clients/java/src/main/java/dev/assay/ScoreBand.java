// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** A part of traffic score histogram. */
public final class ScoreBand extends Fields {
    ScoreBand(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * Lowest score of the band.
     *
     * @return the value
     */
    public double getFrom() {
        return number("from");
    }

    /**
     * Upper end, exclusive except in the last band.
     *
     * @return the value
     */
    public double getTo() {
        return number("to");
    }

    /**
     * Sessions with a score in this band.
     *
     * @return the value
     */
    public long getCount() {
        return integer("count");
    }
}
