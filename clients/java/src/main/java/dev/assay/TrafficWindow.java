// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** A time window; the last seven days by default. */
public final class TrafficWindow extends Fields {
    private TrafficWindow(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * With nothing.
     *
     * @return never null
     */
    public static TrafficWindow of() {
        return new TrafficWindow(mapOf());
    }

    /**
     * With the fields of a map, such as parsed JSON.
     *
     * @param fields by their names in JSON
     * @return never null
     */
    public static TrafficWindow fromMap(Map<String, ?> fields) {
        return new TrafficWindow(fields);
    }

    /**
     * ISO 8601 date or time, UTC unless it has an offset. Default: 7 days before {@code to}.
     *
     * @param value the value
     * @return a copy with the value, never null
     */
    public TrafficWindow withFrom(String value) {
        return new TrafficWindow(with("from", value));
    }

    /**
     * ISO 8601 date or time, exclusive. Default: now. At most 92 days after {@code from}.
     *
     * @param value the value
     * @return a copy with the value, never null
     */
    public TrafficWindow withTo(String value) {
        return new TrafficWindow(with("to", value));
    }
}
