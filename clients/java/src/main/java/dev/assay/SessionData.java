// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/**
 * The six signals of one visitor session: behaviour only, never personal data. Leave out optional
 * signals that were not measured.
 */
public final class SessionData extends Fields {
    private SessionData(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * With what is required, and nothing else.
     *
     * @param userEngagement Engagement level, 0 to 1.
     * @param sessionDuration Length of the session in seconds; fractions are allowed.
     * @return never null
     */
    public static SessionData of(double userEngagement, double sessionDuration) {
        return new SessionData(mapOf("user_engagement", userEngagement, "session_duration", sessionDuration));
    }

    /**
     * With the fields of a map, such as parsed JSON. Takes the collector's report too, of which only
     * {@code session_data} and {@code session_token} are sent.
     *
     * @param fields by their names in JSON
     * @return never null
     */
    public static SessionData fromMap(Map<String, ?> fields) {
        return new SessionData(fields);
    }

    /**
     * Furthest scroll position reached, 0 to 1.
     *
     * @param value the value
     * @return a copy with the value, never null
     */
    public SessionData withScrollDepth(double value) {
        return new SessionData(with("scroll_depth", value));
    }

    /**
     * Clicks and taps.
     *
     * @param value the value
     * @return a copy with the value, never null
     */
    public SessionData withInteractionCount(long value) {
        return new SessionData(with("interaction_count", value));
    }

    /**
     * Pages viewed.
     *
     * @param value the value
     * @return a copy with the value, never null
     */
    public SessionData withPageViews(long value) {
        return new SessionData(with("page_views", value));
    }

    /**
     * Whether the visitor has been here before.
     *
     * @param value the value
     * @return a copy with the value, never null
     */
    public SessionData withReturnVisitor(boolean value) {
        return new SessionData(with("return_visitor", value));
    }
}
