// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** The answer of predict: the verdict on a session. */
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
