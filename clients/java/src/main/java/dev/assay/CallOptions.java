package dev.assay;

/** Options of one call, immutable: {@code CallOptions.none().withIdempotencyKey("order-17")}. */
public final class CallOptions {
    private static final CallOptions NONE = new CallOptions(null, null, null);

    final String idempotencyKey;
    final String sessionToken;
    final String testScenario;

    private CallOptions(String idempotencyKey, String sessionToken, String testScenario) {
        this.idempotencyKey = idempotencyKey;
        this.sessionToken = sessionToken;
        this.testScenario = testScenario;
    }

    /**
     * The options of a call that has none.
     *
     * @return never null
     */
    public static CallOptions none() {
        return NONE;
    }

    /**
     * Identifies a billable call; all its attempts share the key. Pass your own, such as an order number, to make the call
     * idempotent across restarts of your server too. Free calls ignore it.
     *
     * @param key 1 to 255 visible ASCII characters; null for a new random key
     * @return a copy with the key, never null
     */
    public CallOptions withIdempotencyKey(String key) {
        return new CallOptions(key, sessionToken, testScenario);
    }

    /**
     * Token of a session that the service has measured itself, from the collector on the page. A report has its own token;
     * this one is used instead.
     *
     * @param token null and "" mean that there is none
     * @return a copy with the token, never null
     */
    public CallOptions withSessionToken(String token) {
        return new CallOptions(idempotencyKey, token, testScenario);
    }

    /**
     * Forces an answer; works with test keys only.
     *
     * @param scenario such as {@code rate_limited}; null for none
     * @return a copy with the scenario, never null
     */
    public CallOptions withTestScenario(String scenario) {
        return new CallOptions(idempotencyKey, sessionToken, scenario);
    }
}
