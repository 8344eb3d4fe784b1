// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** Confirms that an outcome is recorded. */
public final class RecordedOutcome extends Answer {
    RecordedOutcome(Map<String, ?> fields, Meta meta) {
        super(fields, meta);
    }

    /**
     * The session that the outcome belongs to.
     *
     * @return never null
     */
    public String getSessionId() {
        return text("session_id");
    }

    /**
     * The reported outcome; it replaces an earlier one.
     *
     * @return {@code converted}, {@code genuine}, {@code refunded}, {@code fraud}, {@code bot}; never null
     */
    public String getOutcome() {
        return text("outcome");
    }

    /**
     * When it was recorded.
     *
     * @return never null
     */
    public String getRecordedAt() {
        return text("recorded_at");
    }
}
