// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** Statistics per signal. */
public final class TrafficSignals extends Fields {
    TrafficSignals(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * Statistics of the signal over the window.
     *
     * @return never null
     */
    public SignalStatistics getUserEngagement() {
        return object("user_engagement", SignalStatistics::new);
    }

    /**
     * Statistics of the signal over the window.
     *
     * @return never null
     */
    public SignalStatistics getSessionDuration() {
        return object("session_duration", SignalStatistics::new);
    }

    /**
     * Statistics of the signal over the window.
     *
     * @return never null
     */
    public SignalStatistics getScrollDepth() {
        return object("scroll_depth", SignalStatistics::new);
    }

    /**
     * Statistics of the signal over the window.
     *
     * @return never null
     */
    public SignalStatistics getInteractionCount() {
        return object("interaction_count", SignalStatistics::new);
    }

    /**
     * Statistics of the signal over the window.
     *
     * @return never null
     */
    public SignalStatistics getPageViews() {
        return object("page_views", SignalStatistics::new);
    }

    /**
     * Statistics of the signal over the window.
     *
     * @return never null
     */
    public SignalStatistics getReturnVisitor() {
        return object("return_visitor", SignalStatistics::new);
    }
}
