// Generated from Assay's contract by clients/java/print-types.ts.

package dev.assay;

import java.util.Map;

/** Answer of {@code reportOutcome}. */
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
     * @return never null
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
