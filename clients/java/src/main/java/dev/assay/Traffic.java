// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.List;
import java.util.Map;

/** A summary of your own sessions in a time window. */
public final class Traffic extends Answer {
    Traffic(Map<String, ?> fields, Meta meta) {
        super(fields, meta);
    }

    /**
     * Identifies this answer in the ledger.
     *
     * @return never null
     */
    public String getAnalysisId() {
        return text("analysis_id");
    }

    /**
     * Start of the window.
     *
     * @return never null
     */
    public String getFrom() {
        return text("from");
    }

    /**
     * End of the window, exclusive.
     *
     * @return never null
     */
    public String getTo() {
        return text("to");
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

    /**
     * The preceding window of the same length. Zeros if there were no sessions.
     *
     * @return never null
     */
    public TrafficPrevious getPrevious() {
        return object("previous", TrafficPrevious::new);
    }

    /**
     * Patterns unlike honest traffic among the window's newest 20,000 sessions; none are reported for
     * fewer than 50.
     *
     * @return never null
     */
    public List<TrafficFinding> getFindings() {
        return list("findings", each -> new TrafficFinding(asObject(each)));
    }

    /**
     * False when there were more sessions than one call reads: the newest are counted, and the next call
     * continues from there.
     *
     * @return the value
     */
    public boolean isComplete() {
        return flag("complete");
    }

    /**
     * USD earned by this call; 0 for a test key.
     *
     * @return the value
     */
    public double getRevenueAttribution() {
        return number("revenue_attribution");
    }

    /**
     * Time from the arrival of the request until the answer was ready.
     *
     * @return the value
     */
    public double getProcessingTimeMs() {
        return number("processing_time_ms");
    }
}
