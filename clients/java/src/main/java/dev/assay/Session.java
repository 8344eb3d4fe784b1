// Generated from Assay's contract by clients/java/print-types.ts.

package dev.assay;

import java.util.Map;

/** Answer of {@code session}: a scored session as it is stored. */
public final class Session extends Verdict {
    Session(Map<String, ?> fields, Meta meta) {
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
     * The signals that were scored: attested ones where the session was attested, otherwise as they were sent.
     *
     * @return never null
     */
    public Signals getSignals() {
        return object("signals", Signals::new);
    }

    /** The signals that were scored: attested ones where the session was attested, otherwise as they were sent. */
    public static final class Signals extends Fields {
        Signals(Map<String, ?> fields) {
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

    /**
     * The endpoint that scored the session.
     *
     * @return never null
     */
    public String getEndpoint() {
        return text("endpoint");
    }

    /**
     * The last reported outcome; null if there is none.
     *
     * @return may be null
     */
    public String getOutcome() {
        return textOrNull("outcome");
    }

    /**
     * Mode of the key that was used.
     *
     * @return never null
     */
    public String getMode() {
        return text("mode");
    }

    /**
     * Whether what the call earned may still be reversed, is confirmed, or was reversed; null in test mode.
     *
     * @return may be null
     */
    public String getSettlement() {
        return textOrNull("settlement");
    }
}
