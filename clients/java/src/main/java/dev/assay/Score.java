// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** The answer of score: the verdict in its shorter shape. */
public final class Score extends Verdict {
    Score(Map<String, ?> fields, Meta meta) {
        super(fields, meta);
    }
}
