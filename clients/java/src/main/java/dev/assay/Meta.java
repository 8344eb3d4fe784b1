package dev.assay;

/** Facts about a call. */
public final class Meta {
    private final String requestId;
    private final String receipt;
    private final boolean isReplayed;
    private final int attempts;

    Meta(String requestId, String receipt, boolean isReplayed, int attempts) {
        this.requestId = requestId;
        this.receipt = receipt;
        this.isReplayed = isReplayed;
        this.attempts = attempts;
    }

    /**
     * Id of the answer. Quote it when you report a problem.
     *
     * @return may be null
     */
    public String getRequestId() {
        return requestId;
    }

    /**
     * Receipt of the call's ledger entry, {@code <seq>.<hash>}.
     *
     * @return null if nothing was billed
     */
    public String getReceipt() {
        return receipt;
    }

    /**
     * Whether this is the stored answer of an earlier call or attempt with the same idempotency key.
     *
     * @return true if it is
     */
    public boolean isReplayed() {
        return isReplayed;
    }

    /**
     * Number of attempts made, including the first.
     *
     * @return from 1
     */
    public int getAttempts() {
        return attempts;
    }
}
