// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** A part of statement held. */
public final class HeldMoney extends Fields {
    HeldMoney(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * An operator's hold, or an open finding.
     *
     * @return {@code held}, {@code finding_open}; never null
     */
    public String getBy() {
        return text("by");
    }

    /**
     * Why.
     *
     * @return never null
     */
    public String getReason() {
        return text("reason");
    }

    /**
     * Since when.
     *
     * @return never null
     */
    public String getSince() {
        return text("since");
    }
}
