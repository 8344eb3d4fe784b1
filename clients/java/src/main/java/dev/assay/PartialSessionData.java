// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/**
 * The signals that were scored: attested ones where the session was attested, otherwise as they were
 * sent.
 */
public final class PartialSessionData extends Fields {
    PartialSessionData(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * Engagement level, 0 to 1.
     *
     * @return may be null
     */
    public Double getUserEngagement() {
        return numberOrNull("user_engagement");
    }

    /**
     * Length of the session in seconds; fractions are allowed.
     *
     * @return may be null
     */
    public Double getSessionDuration() {
        return numberOrNull("session_duration");
    }

    /**
     * Furthest scroll position reached, 0 to 1.
     *
     * @return may be null
     */
    public Double getScrollDepth() {
        return numberOrNull("scroll_depth");
    }

    /**
     * Clicks and taps.
     *
     * @return may be null
     */
    public Long getInteractionCount() {
        return integerOrNull("interaction_count");
    }

    /**
     * Pages viewed.
     *
     * @return may be null
     */
    public Long getPageViews() {
        return integerOrNull("page_views");
    }

    /**
     * Whether the visitor has been here before.
     *
     * @return may be null
     */
    public Boolean getReturnVisitor() {
        return flagOrNull("return_visitor");
    }
}
