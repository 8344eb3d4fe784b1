// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** A part of analysis would raise. */
public final class Raise extends Fields {
    Raise(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * The only signal that changes.
     *
     * @return {@code user_engagement}, {@code session_duration}, {@code scroll_depth}, {@code
     * interaction_count}, {@code page_views}, {@code return_visitor}; never null
     */
    public String getSignal() {
        return text("signal");
    }

    /**
     * Its value as it was scored.
     *
     * @return a number or a boolean, may be null
     */
    public Object getFrom() {
        return any("from");
    }

    /**
     * The nearest value, within the bounds of the request, with which the level is higher.
     *
     * @return a number or a boolean, may be null
     */
    public Object getTo() {
        return any("to");
    }

    /**
     * The service_score that would result.
     *
     * @return the value
     */
    public double getScore() {
        return number("score");
    }
}
