// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** A part of analysis contributions. */
public final class Contribution extends Fields {
    Contribution(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * A signal, two of them joined as {@code a×b}, {@code plausibility} for the gate, or {@code
     * test_scenario} for a forced answer.
     *
     * @return never null
     */
    public String getSignal() {
        return text("signal");
    }

    /**
     * The signal as it was scored; for {@code plausibility} how far the gate is open, 0 to 1; null for a
     * pair.
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
