// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** A part of statement lines. */
public final class StatementLine extends Fields {
    StatementLine(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * Endpoint that was called, such as predict.
     *
     * @return never null
     */
    public String getEndpoint() {
        return text("endpoint");
    }

    /**
     * Who paid for the calls.
     *
     * @return {@code platform}, {@code developer}; never null
     */
    public String getPayer() {
        return text("payer");
    }

    /**
     * The developer's share when the calls were made.
     *
     * @return the value
     */
    public double getSharePercent() {
        return number("share_percent");
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
