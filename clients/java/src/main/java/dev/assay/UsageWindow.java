// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** A time window; the last 30 days by default. */
public final class UsageWindow extends Fields {
    private UsageWindow(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * With nothing.
     *
     * @return never null
     */
    public static UsageWindow of() {
        return new UsageWindow(mapOf());
    }

    /**
     * With the fields of a map, such as parsed JSON.
     *
     * @param fields by their names in JSON
     * @return never null
     */
    public static UsageWindow fromMap(Map<String, ?> fields) {
        return new UsageWindow(fields);
    }

    /**
     * ISO 8601 date or time, UTC unless it has an offset. Default: 30 days before {@code to}.
     *
     * @param value the value
     * @return a copy with the value, never null
     */
    public UsageWindow withFrom(String value) {
        return new UsageWindow(with("from", value));
    }

    /**
     * ISO 8601 date or time, exclusive. Default: now.
     *
     * @param value the value
     * @return a copy with the value, never null
     */
    public UsageWindow withTo(String value) {
        return new UsageWindow(with("to", value));
    }
}
