// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** A part of analysis reasons. */
public final class Reason extends Fields {
    Reason(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * Stable code to match on.
     *
     * @return never null
     */
    public String getCode() {
        return text("code");
    }

    /**
     * Human-readable. It may change.
     *
     * @return never null
     */
    public String getMessage() {
        return text("message");
    }
}
