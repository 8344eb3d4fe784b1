// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** A part of usage series. */
public final class UsagePeriod extends Fields {
    UsagePeriod(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * Start of the hour or day.
     *
     * @return never null
     */
    public String getStart() {
        return text("start");
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
}
