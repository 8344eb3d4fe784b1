// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.Map;

/** Where the ad will be shown. Never send personal data. */
public final class UserContext extends Fields {
    private UserContext(Map<String, ?> fields) {
        super(fields);
    }

    /**
     * With nothing.
     *
     * @return never null
     */
    public static UserContext of() {
        return new UserContext(mapOf());
    }

    /**
     * With the fields of a map, such as parsed JSON.
     *
     * @param fields by their names in JSON
     * @return never null
     */
    public static UserContext fromMap(Map<String, ?> fields) {
        return new UserContext(fields);
    }

    /**
     * Category of the calling application, such as gaming. Any name that fits the pattern;
     * case-insensitive.
     *
     * @param value the value
     * @return a copy with the value, never null
     */
    public UserContext withAppCategory(String value) {
        return new UserContext(with("app_category", value));
    }

    /**
     * Score reported by the caller, unverified. It does not qualify for campaigns with a minimum trust:
     * send session_id for that.
     *
     * @param value the value
     * @return a copy with the value, never null
     */
    public UserContext withServiceScore(double value) {
        return new UserContext(with("service_score", value));
    }

    /**
     * Id that a scoring call of this account returned, with a key of the same mode, less than 30 minutes
     * ago: the trust is then verified. Any other id is treated as absent. At most 20 ads per session.
     *
     * @param value the value
     * @return a copy with the value, never null
     */
    public UserContext withSessionId(String value) {
        return new UserContext(with("session_id", value));
    }
}
