package dev.assay;

import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** Options of {@link Webhook#verify}, immutable. */
public final class WebhookOptions {
    private static final WebhookOptions DEFAULTS = new WebhookOptions(300, 65_536, null, id -> false, System::currentTimeMillis);

    final double toleranceSeconds;
    final int payloadBytesMax;
    /** Null: not said. */
    final String account;
    final Predicate<String> seen;
    final LongSupplier nowMs;

    private WebhookOptions(double toleranceSeconds, int payloadBytesMax, String account, Predicate<String> seen, LongSupplier nowMs) {
        this.toleranceSeconds = toleranceSeconds;
        this.payloadBytesMax = payloadBytesMax;
        this.account = account;
        this.seen = seen;
        this.nowMs = nowMs;
    }

    /**
     * The defaults.
     *
     * @return never null
     */
    public static WebhookOptions defaults() {
        return DEFAULTS;
    }

    /**
     * How far the time of the signature may be from now, into the past and into the future. Default: 300.
     *
     * @param seconds from 0
     * @return a copy, never null
     */
    public WebhookOptions withToleranceSeconds(double seconds) {
        return new WebhookOptions(seconds, payloadBytesMax, account, seen, nowMs);
    }

    /**
     * Bodies that are larger are refused. Default: 65,536.
     *
     * @param bytes from 1
     * @return a copy, never null
     */
    public WebhookOptions withPayloadBytesMax(int bytes) {
        return new WebhookOptions(toleranceSeconds, bytes, account, seen, nowMs);
    }

    /**
     * Whose events are expected: others are refused. Required with a public key ({@code whpk_…}), which signs the events of
     * all accounts.
     *
     * @param id {@code acct_…}, as the dashboard shows it; not null
     * @return a copy, never null
     */
    public WebhookOptions withAccount(String id) {
        return new WebhookOptions(toleranceSeconds, payloadBytesMax, id == null ? "" : id, seen, nowMs);
    }

    /**
     * Whether an event with this id has been handled: then {@code duplicate} is thrown. Asked after the signature was
     * verified.
     *
     * @param test not null
     * @return a copy, never null
     */
    public WebhookOptions withSeen(Predicate<String> test) {
        return new WebhookOptions(toleranceSeconds, payloadBytesMax, account, test, nowMs);
    }

    /**
     * Replacement for the clock, for tests.
     *
     * @param clock milliseconds since 1970
     * @return a copy, never null
     */
    public WebhookOptions withClock(LongSupplier clock) {
        return new WebhookOptions(toleranceSeconds, payloadBytesMax, account, seen, clock);
    }
}
