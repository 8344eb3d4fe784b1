// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** What ad is wanted; every field is optional. */
public final class AdRequest extends Fields {
    private AdRequest(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * With nothing.
     *
     * @return never null
     */
    public static AdRequest of() {
        return new AdRequest(mapOf());
    }

    /**
     * With the fields of a map, such as parsed JSON.
     *
     * @param fields by their names in JSON
     * @return never null
     */
    public static AdRequest fromMap(Map<String, ?> fields) {
        return new AdRequest(fields);
    }

    /**
     * Default: banner.
     *
     * @param value one of {@code banner}, {@code native}, {@code interstitial}
     * @return a copy with the value, never null
     */
    public AdRequest withFormat(String value) {
        return new AdRequest(with("format", value));
    }

    /**
     * Default: feed, or fullscreen for an interstitial.
     *
     * @param value one of {@code feed}, {@code sidebar}, {@code fullscreen}
     * @return a copy with the value, never null
     */
    public AdRequest withPlacement(String value) {
        return new AdRequest(with("placement", value));
    }

    /**
     * Where the ad will be shown. Never send personal data.
     *
     * @param value the value
     * @return a copy with the value, never null
     */
    public AdRequest withUserContext(UserContext value) {
        return new AdRequest(with("user_context", value.toMap()));
    }
}
