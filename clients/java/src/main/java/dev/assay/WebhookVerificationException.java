package dev.assay;

import java.util.Map;

/** Thrown by {@link Webhook#verify}. Answer with {@link #getStatus()}, and do nothing else. No text contains a secret. */
public final class WebhookVerificationException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final Map<String, Integer> STATUSES = Map.of("too_large", 413, "bad_secret", 500, "bad_account", 500, "unsupported", 500, "duplicate", 200);

    /** Why it was refused. */
    private final String code;

    WebhookVerificationException(String code, String message) {
        super(message);
        this.code = code;
    }

    /**
     * Why it is not an event to act on: {@code missing_header}, {@code bad_header}, {@code bad_timestamp}, {@code too_old},
     * {@code too_new}, {@code bad_signature}, {@code too_large}, {@code malformed_body}, {@code bad_secret},
     * {@code bad_account} (a public key was given without the account that is expected), {@code other_account} (genuine, but
     * another account's event, or one that names none), {@code unsupported} (this Java has no Ed25519, and there is no other secret) or {@code duplicate}.
     *
     * @return never null
     */
    public String getCode() {
        return code;
    }

    /**
     * What to answer.
     *
     * @return 200 if it was handled before, 400 or 413 if it is refused, 500 if the receiver itself is set up wrongly
     */
    public int getStatus() {
        return STATUSES.getOrDefault(code, 400);
    }

    /**
     * Whether Assay sent it and it was handled before: then there is nothing left to do.
     *
     * @return true if so
     */
    public boolean isDuplicate() {
        return code.equals("duplicate");
    }
}
