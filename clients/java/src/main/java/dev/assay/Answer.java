package dev.assay;

import java.util.Map;

/** The fields of an answer, and facts about the call. */
public abstract class Answer extends Fields {
    private final Meta meta;

    Answer(Map<String, ?> fields, Meta meta) {
        super(fields);
        this.meta = meta;
    }

    /**
     * Facts about the call itself.
     *
     * @return never null
     */
    public final Meta getMeta() {
        return meta;
    }
}
