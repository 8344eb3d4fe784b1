// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.List;
import java.util.Map;

/** Distribution of the scores. */
public final class TrafficScore extends Fields {
    TrafficScore(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * Mean over all sessions.
     *
     * @return the value
     */
    public double getMean() {
        return number("mean");
    }

    /**
     * 25th percentile.
     *
     * @return the value
     */
    public double getP25() {
        return number("p25");
    }

    /**
     * Median.
     *
     * @return the value
     */
    public double getP50() {
        return number("p50");
    }

    /**
     * 75th percentile.
     *
     * @return the value
     */
    public double getP75() {
        return number("p75");
    }

    /**
     * Ten bands from 0 to 100.
     *
     * @return never null
     */
    public List<ScoreBand> getHistogram() {
        return list("histogram", each -> new ScoreBand(asObject(each)));
    }
}
