// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** A scored session as it is stored. */
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
     * The signals that were scored: attested ones where the session was attested, otherwise as they were
     * sent.
     *
     * @return never null
     */
    public PartialSessionData getSignals() {
        return object("signals", PartialSessionData::new);
    }

    /**
     * The endpoint that scored the session.
     *
     * @return {@code predict}, {@code score}, {@code analyze}; never null
     */
    public String getEndpoint() {
        return text("endpoint");
    }

    /**
     * The last reported outcome; null if there is none.
     *
     * @return {@code converted}, {@code genuine}, {@code refunded}, {@code fraud}, {@code bot}; may be
     * null
     */
    public String getOutcome() {
        return textOrNull("outcome");
    }

    /**
     * Mode of the key that was used.
     *
     * @return {@code live}, {@code test}; never null
     */
    public String getMode() {
        return text("mode");
    }

    /**
     * Whether what the call earned may still be reversed, is confirmed, or was reversed; null in test
     * mode.
     *
     * @return {@code pending}, {@code confirmed}, {@code reversed}; may be null
     */
    public String getSettlement() {
        return textOrNull("settlement");
    }
}
