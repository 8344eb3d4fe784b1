// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** A part of statement call reversals. */
public final class CallReversal extends Fields {
    CallReversal(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * {@code day:YYYY-MM-DD}, with {@code #n} where a part of the day was reversed.
     *
     * @return never null
     */
    public String getRef() {
        return text("ref");
    }

    /**
     * Number of its ledger entry.
     *
     * @return the value
     */
    public long getSeq() {
        return integer("seq");
    }

    /**
     * When it was booked.
     *
     * @return never null
     */
    public String getAt() {
        return text("at");
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
     * How many calls.
     *
     * @return the value
     */
    public long getCalls() {
        return integer("calls");
    }

    /**
     * The price of the calls, as a positive number.
     *
     * @return the value
     */
    public double getGrossUsd() {
        return number("gross_usd");
    }

    /**
     * What was taken back from the developer, as a positive number.
     *
     * @return the value
     */
    public double getDeveloperUsd() {
        return number("developer_usd");
    }

    /**
     * Why, as the operator or the finding says.
     *
     * @return never null
     */
    public String getReason() {
        return text("reason");
    }
}
