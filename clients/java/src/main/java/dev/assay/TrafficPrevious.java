// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** The preceding window of the same length. Zeros if there were no sessions. */
public final class TrafficPrevious extends Fields {
    TrafficPrevious(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * Sessions scored in the window.
     *
     * @return the value
     */
    public long getSessions() {
        return integer("sessions");
    }

    /**
     * Distribution of the scores.
     *
     * @return never null
     */
    public TrafficScore getScore() {
        return object("score", TrafficScore::new);
    }

    /**
     * Sessions by trust level.
     *
     * @return never null
     */
    public TrafficLevels getLevels() {
        return object("levels", TrafficLevels::new);
    }

    /**
     * Statistics per signal.
     *
     * @return never null
     */
    public TrafficSignals getSignals() {
        return object("signals", TrafficSignals::new);
    }
}
