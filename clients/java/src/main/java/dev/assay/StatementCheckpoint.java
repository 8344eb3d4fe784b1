// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** A part of statement checkpoint. */
public final class StatementCheckpoint extends Fields {
    StatementCheckpoint(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * Name of the log.
     *
     * @return never null
     */
    public String getOrigin() {
        return text("origin");
    }

    /**
     * Entries that the checkpoint covers.
     *
     * @return the value
     */
    public long getSize() {
        return integer("size");
    }

    /**
     * Root of the log at that size, in base64.
     *
     * @return never null
     */
    public String getRoot() {
        return text("root");
    }

    /**
     * When it was signed.
     *
     * @return never null
     */
    public String getLoggedAt() {
        return text("logged_at");
    }

    /**
     * The signed checkpoint (C2SP tlog-checkpoint).
     *
     * @return never null
     */
    public String getNote() {
        return text("note");
    }
}
