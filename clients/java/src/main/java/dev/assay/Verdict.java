// Generated from Assay's contract by scripts/print-client-types.ts.

package dev.assay;

import java.util.List;
import java.util.Map;

/** What all verdicts on a session have. */
public abstract class Verdict extends Answer {
    Verdict(Map<String, ?> fields, Meta meta) {
        super(fields, meta);
    }

    /**
     * Trust in the session, 0 to 100 with one decimal.
     *
     * @return the value
     */
    public double getServiceScore() {
        return number("service_score");
    }

    /**
     * high from 70, medium from 40, otherwise low; derived from service_score as shown.
     *
     * @return {@code high}, {@code medium}, {@code low}; never null
     */
    public String getTrustLevel() {
        return text("trust_level");
    }

    /**
     * USD earned by this call; 0 for a test key.
     *
     * @return the value
     */
    public double getRevenueAttribution() {
        return number("revenue_attribution");
    }

    /**
     * Time from the arrival of the request until its answer was handed to the commit that bills it.
     *
     * @return the value
     */
    public double getProcessingTimeMs() {
        return number("processing_time_ms");
    }

    /**
     * Identifies the session record; later ids sort after earlier ones.
     *
     * @return never null
     */
    public String getSessionId() {
        return text("session_id");
    }

    /**
     * Older name of confidence; always equal to it.
     *
     * @return the value
     */
    public double getAttributionConfidence() {
        return number("attribution_confidence");
    }

    /**
     * The verdict as a single code.
     *
     * @return {@code high_value_user}, {@code standard_user}, {@code low_value_user}, {@code
     * suspected_automation}; never null
     */
    public String getRecommendation() {
        return text("recommendation");
    }

    /**
     * Version of the model that scored the session.
     *
     * @return never null
     */
    public String getModelVersion() {
        return text("model_version");
    }

    /**
     * shipped: the score is on the model's own scale. account: on the account's own, made from the
     * outcomes that it reported.
     *
     * @return {@code shipped}, {@code account}; never null
     */
    public String getCalibration() {
        return text("calibration");
    }

    /**
     * server_timed: the signals in {@code attested} were measured under the service's own clock. asserted:
     * all of them are the caller's word.
     *
     * @return {@code server_timed}, {@code asserted}; never null
     */
    public String getAttestation() {
        return text("attestation");
    }

    /**
     * The signals that were attested; empty unless attestation is server_timed.
     *
     * @return never null
     */
    public List<String> getAttested() {
        return list("attested", Fields::asText);
    }

    /**
     * What is to be known of the session_token; empty if there is nothing, or no token. More codes may be
     * added. Known: crowded_network, late_beats, proxied, origin_mismatch, too_short, token_expired,
     * token_used.
     *
     * @return never null
     */
    public List<String> getAttestationIssues() {
        return list("attestation_issues", Fields::asText);
    }

    /**
     * Probability that the level would be the same if the missing signals were seen and the model had been
     * trained on another sample of sessions.
     *
     * @return the value
     */
    public double getConfidence() {
        return number("confidence");
    }
}
