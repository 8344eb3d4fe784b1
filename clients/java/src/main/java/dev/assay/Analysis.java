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
     * Score of a session with these signals, before their values count.
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
     * The contributions in six lines and {@code plausibility}, in a fixed order: each pair's points are
     * shared equally by its two signals. They add up like contributions.
     *
     * @return never null
     */
    public List<SignalPoints> getBySignal() {
        return list("by_signal", each -> new SignalPoints(asObject(each)));
    }

    /**
     * For a score below high: per signal the smallest change, of that signal alone, that lifts the level.
     * The least change comes first, relative to the range of the signal. Signals that cannot lift it alone
     * are left out; empty for a forced answer.
     *
     * @return never null
     */
    public List<Raise> getWouldRaise() {
        return list("would_raise", each -> new Raise(asObject(each)));
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
