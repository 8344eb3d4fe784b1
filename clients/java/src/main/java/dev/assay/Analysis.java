// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.List;
import java.util.Map;

/** The answer of analyze: the verdict, and what each signal contributed to it. */
public final class Analysis extends Verdict {
    Analysis(Map<String, ?> fields, Meta meta) {
        super(fields, meta);
    }

    /**
     * When the session was scored.
     *
     * @return never null
     */
    public String getTimestamp() {
        return text("timestamp");
    }

    /**
     * Score of a session about which nothing is known.
     *
     * @return the value
     */
    public double getBaseValue() {
        return number("base_value");
    }

    /**
     * Together with base_value they add up to unrounded_score exactly.
     *
     * @return never null
     */
    public List<Contribution> getContributions() {
        return list("contributions", each -> new Contribution(asObject(each)));
    }

    /**
     * service_score before rounding to one decimal.
     *
     * @return the value
     */
    public double getUnroundedScore() {
        return number("unrounded_score");
    }

    /**
     * Low and high end of the range in which the score would lie nine times in ten if the missing signals
     * were known.
     *
     * @return never null
     */
    public List<Double> getInterval() {
        return list("interval", Fields::asNumber);
    }

    /**
     * What moved the score most, in words.
     *
     * @return never null
     */
    public List<Reason> getReasons() {
        return list("reasons", each -> new Reason(asObject(each)));
    }

    /**
     * Score thresholds of the trust levels.
     *
     * @return never null
     */
    public Thresholds getThresholds() {
        return object("thresholds", Thresholds::new);
    }
}
