// Generated from Assay's contract by clients/java/print-types.ts.

package dev.assay;

import java.util.Map;

/** Answer of {@code predict}: the verdict on a session. */
public final class Prediction extends Verdict {
    Prediction(Map<String, ?> fields, Meta meta) {
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
}
