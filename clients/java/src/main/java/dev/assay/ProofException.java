package dev.assay;

/** Thrown by {@link Proof#verify}. Match on {@link #getCode()}; the message is a sentence for people. */
public final class ProofException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What is wrong. */
    private final String code;

    ProofException(String code, String message) {
        super(message);
        this.code = code;
    }

    /**
     * What is wrong: {@code malformed_proof}, {@code malformed_note}, {@code malformed_checkpoint}, {@code malformed_key},
     * {@code other_receipt}, {@code unknown_log}, {@code bad_signature}, {@code not_included}, or {@code no_ed25519} before
     * Java 15.
     *
     * @return never null
     */
    public String getCode() {
        return code;
    }
}
