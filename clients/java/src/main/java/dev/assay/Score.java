// Generated from Assay's contract by clients/java/print-types.ts.

package dev.assay;

import java.util.Map;

/** Answer of {@code score}: the verdict in its shorter shape. */
public final class Score extends Verdict {
    Score(Map<String, ?> fields, Meta meta) {
        super(fields, meta);
    }
}
