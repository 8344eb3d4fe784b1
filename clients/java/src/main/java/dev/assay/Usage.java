// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.List;
import java.util.Map;

/** Calls and revenue over time. */
public final class Usage extends Answer {
    Usage(Map<String, ?> fields, Meta meta) {
        super(fields, meta);
    }

    /**
     * Start of the span, on the hour.
     *
     * @return never null
     */
    public String getFrom() {
        return text("from");
    }

    /**
     * End of the span, exclusive.
     *
     * @return never null
     */
    public String getTo() {
        return text("to");
    }

    /**
     * hour for spans of up to two days, day for longer ones.
     *
     * @return {@code hour}, {@code day}; never null
     */
    public String getGranularity() {
        return text("granularity");
    }

    /**
     * Billed calls.
     *
     * @return the value
     */
    public long getCalls() {
        return integer("calls");
    }

    /**
     * 0.05 per call.
     *
     * @return the value
     */
    public double getGrossUsd() {
        return number("gross_usd");
    }

    /**
     * The developer's share.
     *
     * @return the value
     */
    public double getDeveloperUsd() {
        return number("developer_usd");
    }

    /**
     * What remains for the platform.
     *
     * @return the value
     */
    public double getPlatformUsd() {
        return number("platform_usd");
    }

    /**
     * One item per endpoint that was called.
     *
     * @return never null
     */
    public List<UsageEndpoint> getEndpoints() {
        return list("endpoints", each -> new UsageEndpoint(asObject(each)));
    }

    /**
     * One item per hour or day that had calls.
     *
     * @return never null
     */
    public List<UsagePeriod> getSeries() {
        return list("series", each -> new UsagePeriod(asObject(each)));
    }
}
