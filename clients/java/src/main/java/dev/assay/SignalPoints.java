// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** A part of analysis by signal. */
public final class SignalPoints extends Fields {
    SignalPoints(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * One of the six signals, {@code plausibility} for the gate, or {@code test_scenario} for a forced
     * answer.
     *
     * @return never null
     */
    public String getSignal() {
        return text("signal");
    }

    /**
     * Points that the signal adds to the score, half of each of its pairs included; 0 for a signal that
     * was not sent.
     *
     * @return the value
     */
    public double getPoints() {
        return number("points");
    }
}
