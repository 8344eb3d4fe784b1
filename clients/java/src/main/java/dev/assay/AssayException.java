package dev.assay;

/**
 * Thrown when a call yields no result. Match on {@link #getCode()}, never on the message. Invalid arguments are an
 * {@link IllegalArgumentException} instead.
 */
public final class AssayException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Code of the service or of this client. */
    private final String code;
    /** 0 when there was no answer. */
    private final int status;
    /** Whether the same call may succeed later. */
    private final boolean isRetryable;
    /** May be null. */
    private final String requestId;
    /** May be null. */
    private final Double retryAfterSeconds;
    /** From 1. */
    private final int attempts;
    /** May be null. */
    private final String idempotencyKey;

    AssayException(String message, String code, int status, boolean isRetryable, String requestId, Double retryAfterSeconds, Throwable cause) {
        this(message, code, status, isRetryable, requestId, retryAfterSeconds, cause, 1, null);
    }

    private AssayException(String message, String code, int status, boolean isRetryable, String requestId, Double retryAfterSeconds, Throwable cause, int attempts, String idempotencyKey) {
        super(message, cause);
        this.code = code;
        this.status = status;
        this.isRetryable = isRetryable;
        this.requestId = requestId;
        this.retryAfterSeconds = retryAfterSeconds;
        this.attempts = attempts;
        this.idempotencyKey = idempotencyKey;
    }

    AssayException after(int attemptsMade, String keyOfCall) {
        return new AssayException(getMessage(), code, status, isRetryable, requestId, retryAfterSeconds, getCause(), attemptsMade, keyOfCall);
    }

    /**
     * Code of the service, or of this client: {@code network_failure}, {@code timeout}, {@code unreadable_answer} (status
     * 200, with a body that the service would not send) or {@code unexpected_status} (an error status without an error
     * code of the service, most likely from a proxy in between).
     *
     * @return never null
     */
    public String getCode() {
        return code;
    }

    /**
     * HTTP status of the last answer.
     *
     * @return 0 when there was none
     */
    public int getStatus() {
        return status;
    }

    /**
     * Whether the same call may succeed later.
     *
     * @return false for errors that a retry cannot change, such as a wrong key
     */
    public boolean isRetryable() {
        return isRetryable;
    }

    /**
     * Id of the last answer. Quote it when you report a problem.
     *
     * @return may be null
     */
    public String getRequestId() {
        return requestId;
    }

    /**
     * Seconds to wait before the next call.
     *
     * @return null if the service named no time
     */
    public Double getRetryAfterSeconds() {
        return retryAfterSeconds;
    }

    /**
     * Number of attempts made, including the first.
     *
     * @return from 1
     */
    public int getAttempts() {
        return attempts;
    }

    /**
     * Idempotency key of a billable call. A call without an answer may have been billed: repeating it with this key within
     * 24 hours returns the original answer and is not billed again.
     *
     * @return null for calls that are free
     */
    public String getIdempotencyKey() {
        return idempotencyKey;
    }
}
