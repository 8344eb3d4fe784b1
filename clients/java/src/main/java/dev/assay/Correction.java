// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** A part of statement corrections. */
public final class Correction extends Fields {
    Correction(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * Its id.
     *
     * @return never null
     */
    public String getRef() {
        return text("ref");
    }

    /**
     * A deposit was paid in; an adjustment corrects.
     *
     * @return {@code deposit}, {@code adjustment}; never null
     */
    public String getKind() {
        return text("kind");
    }

    /**
     * The money that it changes: what can be paid out, or what calls can be charged to.
     *
     * @return {@code earnings}, {@code prepaid}; never null
     */
    public String getOn() {
        return text("on");
    }

    /**
     * May be negative.
     *
     * @return the value
     */
    public double getUsd() {
        return number("usd");
    }

    /**
     * An adjustment always has one.
     *
     * @return may be null
     */
    public String getReason() {
        return textOrNull("reason");
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
     * Number of its ledger entry.
     *
     * @return the value
     */
    public long getSeq() {
        return integer("seq");
    }
}
