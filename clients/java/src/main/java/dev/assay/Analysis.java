// Generated from Assay's contract by clients/java/print-types.ts.

package dev.assay;

import java.util.List;
import java.util.Map;

/** Answer of {@code analyze}: the verdict, and what each signal contributed to it. */
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

    /** One of the items. */
    public static final class Contribution extends Fields {
        Contribution(Map<String, ?> fields) {
            super(fields);
        }

        /**
         * A signal, two of them joined as {@code a×b}, {@code plausibility} for the gate, or {@code test_scenario}
         * for a forced answer.
         *
         * @return never null
         */
        public String getSignal() {
            return text("signal");
        }

        /**
         * The signal as it was scored; for {@code plausibility} how far the gate is open, 0 to 1; null for a pair.
         *
         * @return a number or a boolean, may be null
         */
        public Object getValue() {
            return any("value");
        }

        /**
         * Points that it adds to the score, unrounded.
         *
         * @return the value
         */
        public double getPoints() {
            return number("points");
        }
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
     * Low and high end of the range in which the score would lie nine times in ten if the missing signals were
     * known.
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

    /** One of the items. */
    public static final class Reason extends Fields {
        Reason(Map<String, ?> fields) {
            super(fields);
        }

        /**
         * Stable code to match on.
         *
         * @return never null
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
    }

    /**
     * Score thresholds of the trust levels.
     *
     * @return never null
     */
    public Thresholds getThresholds() {
        return object("thresholds", Thresholds::new);
    }

    /** Score thresholds of the trust levels. */
    public static final class Thresholds extends Fields {
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
}
