package dev.assay;

import java.util.Map;

/** An event whose signature was verified. */
public final class WebhookEvent extends Fields {
    WebhookEvent(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * The same on every attempt to deliver the event: handle each id once.
     *
     * @return {@code evt_…}, never null
     */
    public String getId() {
        return text("id");
    }

    /**
     * What has happened, such as {@code payout.paid}. More types may be added.
     *
     * @return never null
     */
    public String getType() {
        return text("type");
    }

    /**
     * When it happened.
     *
     * @return ISO 8601, never null
     */
    public String getTimestamp() {
        return text("timestamp");
    }

    /**
     * Counts the events of your account without a gap; they may arrive in another order.
     *
     * @return the event's number
     */
    public long getSequence() {
        return integer("sequence");
    }

    /**
     * Whose event it is.
     *
     * @return {@code acct_…}; null if an installation sent it that does not say so yet
     */
    public String getAccount() {
        return textOrNull("account");
    }

    /**
     * What it is about; the reference of your installation lists the fields of each type.
     *
     * @return never null, unmodifiable
     */
    public Map<String, Object> getData() {
        return object("data", data -> data);
    }
}
