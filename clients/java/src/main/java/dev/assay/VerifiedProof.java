package dev.assay;

import java.util.List;
import java.util.Map;

/** What a proof shows: that the log has the receipt's entry, and who has signed that. */
public final class VerifiedProof extends Fields {
    VerifiedProof(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * Whose entry it is.
     *
     * @return never null
     */
    public String getAccountId() {
        return text("account_id");
    }

    /**
     * Number of the entry in the ledger.
     *
     * @return from 1
     */
    public long getSeq() {
        return integer("seq");
    }

    /**
     * Hash of the entry.
     *
     * @return in lower-case hex, never null
     */
    public String getHash() {
        return text("hash");
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
     * Place of the entry in the log.
     *
     * @return from 0
     */
    public long getIndex() {
        return integer("index");
    }

    /**
     * Entries in the log.
     *
     * @return from 1
     */
    public long getSize() {
        return integer("size");
    }

    /**
     * Each witness once, with the latest time at which it says that it saw the log.
     *
     * @return never null, unmodifiable
     */
    public List<Witness> getWitnessedBy() {
        return list("witnessed_by", each -> new Witness(asObject(each)));
    }

    /** Somebody who has cosigned the log. */
    public static final class Witness extends Fields {
        Witness(Map<String, ?> fields) {
            super(fields);
        }

        /**
         * Name of the witness.
         *
         * @return never null
         */
        public String getName() {
            return text("name");
        }

        /**
         * When it saw the log.
         *
         * @return milliseconds since 1970
         */
        public long getAtMs() {
            return integer("at_ms");
        }
    }
}
