package dev.assay;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Client of one Assay installation, for servers. Create one and share it: it keeps its connections, and any number of
 * threads may use it.
 *
 * <p>Every method retries retryable errors with exponential back-off and full jitter, and throws an
 * {@link AssayException} when no attempt succeeds. All attempts of a billable call carry the same idempotency key, so that
 * it is billed at most once. Interrupting the thread ends a call with a {@link CancellationException}. No method returns
 * null.
 */
public final class Assay {
    static final String VERSION = "0.1.0";

    private static final List<Integer> RETRYABLE_STATUSES = List.of(429, 500, 502, 503, 504);
    private static final int FIRST_WAIT_MS_MAX = 250;
    private static final int WAIT_MS_MAX = 8_000;
    private static final int MESSAGE_CHARACTERS_MAX = 500;
    private static final Pattern VISIBLE_ASCII = Pattern.compile("[!-~]{1,255}");
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

    private final Transport transport;
    private final String baseUrl;
    private final int attemptsMax;
    private final long totalMsMax;
    private final Clock clock;
    private final DoubleSupplier random;

    private Assay(Builder options) {
        baseUrl = options.baseUrl;
        transport = new Transport(options.httpClient, options.apiKey, baseUrl, options.timeoutMs);
        attemptsMax = options.attemptsMax;
        totalMsMax = options.totalMsMax;
        clock = options.clock;
        random = options.random;
    }

    /**
     * Begins a client.
     *
     * @param apiKey a live or a test key; keep it on your server
     * @param baseUrl base URL of the service, for example {@code https://assay.example.com}
     * @return never null
     * @throws IllegalArgumentException if one of them is missing or wrong; the message never contains the key
     */
    public static Builder builder(String apiKey, String baseUrl) {
        return new Builder(apiKey, baseUrl);
    }

    /**
     * Makes a call, and returns the fallback if every attempt failed with a retryable error. Errors that a retry cannot
     * change, such as a wrong key, are thrown all the same.
     *
     * @param <T> what the call returns
     * @param call the call, such as {@code () -> assay.predict(session)}
     * @param fallback what to return if the service is unavailable; may be null
     * @return what the call returned, or the fallback; null only if the fallback is
     */
    public static <T> T orElse(Supplier<? extends T> call, T fallback) {
        try {
            return call.get();
        } catch (AssayException error) {
            if (error.isRetryable()) return fallback;
            throw error;
        }
    }

    /**
     * Makes a call on another thread. Cancelling the future interrupts the call.
     *
     * @param <T> what the call returns
     * @param executor runs the call
     * @param call the call, such as {@code client -> client.predict(session)}
     * @return the answer to come, never null; it fails with what the call throws
     */
    public <T> CompletableFuture<T> async(ExecutorService executor, Function<? super Assay, ? extends T> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Future<?> task = executor.submit(() -> {
            try {
                answer.complete(call.apply(this));
            } catch (Throwable error) {
                answer.completeExceptionally(error);
            }
        });
        answer.whenComplete((value, error) -> {
            if (answer.isCancelled()) task.cancel(true);
        });
        return answer;
    }

    /**
     * Scores a session. Billable.
     *
     * @param session its signals, or the report that the collector posted to your server
     * @return the verdict
     */
    public Prediction predict(SessionData session) {
        return predict(session, CallOptions.none());
    }

    /**
     * Scores a session. Billable.
     *
     * @param session its signals, or the report that the collector posted to your server; with a token the signals may be
     *     incomplete
     * @param options of the call
     * @return the verdict
     */
    public Prediction predict(SessionData session, CallOptions options) {
        return bill("/api/ml/predict", scoringRequest(session, options), verdict(Prediction::new), options);
    }

    /**
     * Scores a session like {@code predict}, and returns the verdict in its shorter shape. Billable.
     *
     * @param session as for {@code predict}
     * @return the verdict
     */
    public Score score(SessionData session) {
        return score(session, CallOptions.none());
    }

    /**
     * Scores a session like {@code predict}, and returns the verdict in its shorter shape. Billable.
     *
     * @param session as for {@code predict}
     * @param options of the call
     * @return the verdict
     */
    public Score score(SessionData session, CallOptions options) {
        return bill("/api/ml/score", scoringRequest(session, options), verdict(Score::new), options);
    }

    /**
     * Scores a session like {@code predict}, and explains the score signal by signal. Billable.
     *
     * @param session as for {@code predict}
     * @return the verdict
     */
    public Analysis analyze(SessionData session) {
        return analyze(session, CallOptions.none());
    }

    /**
     * Scores a session like {@code predict}, and explains the score signal by signal. Billable.
     *
     * @param session as for {@code predict}
     * @param options of the call
     * @return the verdict
     */
    public Analysis analyze(SessionData session, CallOptions options) {
        return bill("/api/ml/analyze", scoringRequest(session, options), verdict(Analysis::new), options);
    }

    /**
     * Summarizes your own sessions in a time window. Billable.
     *
     * @param window {@code TrafficWindow.of()} for the last seven days
     * @return the summary
     */
    public Traffic analyzeTraffic(TrafficWindow window) {
        return analyzeTraffic(window, CallOptions.none());
    }

    /**
     * Summarizes your own sessions in a time window. Billable.
     *
     * @param window {@code TrafficWindow.of()} for the last seven days
     * @param options of the call
     * @return the summary
     */
    public Traffic analyzeTraffic(TrafficWindow window, CallOptions options) {
        return bill("/api/servicescore/analyze", window, body(Traffic::new), options);
    }

    /**
     * Requests an ad to show. Free.
     *
     * @param request {@code AdRequest.of()} for a banner
     * @return the ad, or why there is none
     */
    public AdResult requestAd(AdRequest request) {
        return requestAd(request, CallOptions.none());
    }

    /**
     * Requests an ad to show. Free.
     *
     * @param request {@code AdRequest.of()} for a banner
     * @param options of the call
     * @return the ad, or why there is none
     */
    public AdResult requestAd(AdRequest request, CallOptions options) {
        return send("POST", "/api/ads/request", request, options, null, (response, meta) -> {
            if (response.status == 200) return new AdResult(body(Ad::new).apply(response, meta), null, meta);
            String reason = response.header("assay-no-fill");
            return new AdResult(null, reason == null ? "unknown" : reason, meta);
        });
    }

    /**
     * Reads a scored session. Free.
     *
     * @param sessionId id that a scoring call returned
     * @return the session
     */
    public Session session(String sessionId) {
        return session(sessionId, CallOptions.none());
    }

    /**
     * Reads a scored session. Free.
     *
     * @param sessionId id that a scoring call returned
     * @param options of the call
     * @return the session
     */
    public Session session(String sessionId, CallOptions options) {
        return send("GET", "/api/sessions/" + encodePart(sessionId), null, options, null, verdict(Session::new));
    }

    /**
     * Reports how a scored session ended; the last report counts. Free.
     *
     * @param sessionId id that a scoring call returned
     * @param outcome {@code converted}, {@code genuine}, {@code refunded}, {@code fraud} or {@code bot}
     * @return what was recorded
     */
    public RecordedOutcome reportOutcome(String sessionId, String outcome) {
        return reportOutcome(sessionId, outcome, CallOptions.none());
    }

    /**
     * Reports how a scored session ended; the last report counts. Free.
     *
     * @param sessionId id that a scoring call returned
     * @param outcome {@code converted}, {@code genuine}, {@code refunded}, {@code fraud} or {@code bot}
     * @param options of the call
     * @return what was recorded
     */
    public RecordedOutcome reportOutcome(String sessionId, String outcome, CallOptions options) {
        String path = "/api/sessions/" + encodePart(sessionId) + "/outcome";
        return send("POST", path, Fields.mapOf("outcome", outcome), options, null, body(RecordedOutcome::new));
    }

    /**
     * Your live calls of the last 30 days and what they earned. Free.
     *
     * @return the usage
     */
    public Usage usage() {
        return usage(UsageWindow.of(), CallOptions.none());
    }

    /**
     * Your live calls in a time window and what they earned. Free.
     *
     * @param window {@code UsageWindow.of()} for the last 30 days
     * @param options of the call
     * @return the usage
     */
    public Usage usage(UsageWindow window, CallOptions options) {
        StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
        window.toMap().forEach((name, value) -> query.add(encodePart(name) + "=" + encodePart(String.valueOf(value))));
        return send("GET", "/api/usage" + query, null, options, null, body(Usage::new));
    }

    /**
     * The statement of a month. Free.
     *
     * @param month {@code YYYY-MM}
     * @return the statement
     */
    public Statement statement(String month) {
        return statement(month, CallOptions.none());
    }

    /**
     * The statement of a month. Free.
     *
     * @param month {@code YYYY-MM}
     * @param options of the call
     * @return the statement
     */
    public Statement statement(String month, CallOptions options) {
        return send("GET", "/api/statements/" + encodePart(month), null, options, null, body(Statement::new));
    }

    /**
     * The proof that a ledger entry is in the log. Free. An entry is logged within a minute; until then it is a 404.
     *
     * @param seq number of the entry: what a receipt has before the full stop
     * @return the proof, not verified
     */
    public Proof proof(long seq) {
        return proof(seq, CallOptions.none());
    }

    /**
     * The proof that a ledger entry is in the log. Free. An entry is logged within a minute; until then it is a 404.
     *
     * @param seq number of the entry: what a receipt has before the full stop
     * @param options of the call
     * @return the proof, not verified
     */
    public Proof proof(long seq, CallOptions options) {
        return send("GET", "/api/ledger/proof?seq=" + seq, null, options, null, (response, meta) -> new Proof(response.body, meta));
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "Assay[" + baseUrl + "]";
    }

    private interface Reader<T> extends BiFunction<Transport.Response, Meta, T> {}

    private <T> T bill(String path, Object body, Reader<T> read, CallOptions options) {
        String key = options.idempotencyKey == null ? UUID.randomUUID().toString() : options.idempotencyKey;
        refuseUnless(VISIBLE_ASCII.matcher(key).matches(), "idempotencyKey must consist of 1 to 255 visible ASCII characters");
        return send("POST", path, body, options, key, read);
    }

    /** Every attempt is the same request with the same idempotency key. */
    private <T> T send(String method, String path, Object body, CallOptions options, String idempotencyKey, Reader<T> read) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Accept", path.startsWith("/api/ledger/proof") ? "text/plain" : "application/json");
        if (body != null) headers.put("Content-Type", "application/json");
        if (idempotencyKey != null) headers.put("Idempotency-Key", idempotencyKey);
        if (options.testScenario != null) {
            refuseUnless(VISIBLE_ASCII.matcher(options.testScenario).matches(), "testScenario must consist of visible ASCII characters");
            headers.put("Assay-Test-Scenario", options.testScenario);
        }
        byte[] bytes = body == null ? null : Json.write(body).getBytes(StandardCharsets.UTF_8);
        double startedMs = clock.nowMs();
        for (int attempt = 1; ; attempt++) {
            try {
                return readAnswer(transport.send(method, path, bytes, headers), attempt, read);
            } catch (AssayException error) {
                double jitterMsMax = Math.min(WAIT_MS_MAX, FIRST_WAIT_MS_MAX * Math.pow(2, attempt - 1));
                double askedMs = error.getRetryAfterSeconds() == null ? 0 : error.getRetryAfterSeconds() * 1_000;
                double waitMs = askedMs + Math.floor(random.getAsDouble() * jitterMsMax);
                boolean isOutOfTime = clock.nowMs() - startedMs + waitMs > totalMsMax;
                if (!error.isRetryable() || attempt >= attemptsMax || isOutOfTime) throw error.after(attempt, idempotencyKey);
                pause(waitMs);
            }
        }
    }

    private void pause(double waitMs) {
        try {
            clock.sleepMs(waitMs);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw (CancellationException) new CancellationException("the thread was interrupted during a call").initCause(error);
        }
    }

    private static <T> T readAnswer(Transport.Response response, int attempt, Reader<T> read) {
        if (response.status != 200 && response.status != 204) throw readFailure(response);
        boolean isReplayed = "true".equals(response.header("idempotent-replayed"));
        return read.apply(response, new Meta(response.header("x-request-id"), response.header("assay-receipt"), isReplayed, attempt));
    }

    private static AssayException readFailure(Transport.Response response) {
        Map<String, Object> body = parseObject(response.body);
        Object code = body == null ? null : body.get("error");
        boolean isFromService = code instanceof String;
        String message = "The answer had status " + response.status + (isFromService ? "." : " and did not come from Assay.");
        if (isFromService && body.get("message") instanceof String) {
            message = (String) body.get("message");
            message = message.substring(0, Math.min(message.length(), MESSAGE_CHARACTERS_MAX));
        }
        boolean isRetryable = RETRYABLE_STATUSES.contains(response.status) || (response.status == 409 && "idempotency_in_progress".equals(code));
        Double seconds = body == null ? null : Fields.asNumber(body.get("retry_after"));
        String header = response.header("retry-after");
        if (seconds == null && header != null && SECONDS.matcher(header).matches()) seconds = Double.valueOf(header);
        boolean isWait = seconds != null && seconds >= 0 && Double.isFinite(seconds);
        return new AssayException(message, isFromService ? (String) code : "unexpected_status", response.status, isRetryable, response.header("x-request-id"), isWait ? seconds : null, null);
    }

    /** Null unless the text is a JSON object. */
    private static Map<String, Object> parseObject(String text) {
        try {
            return Fields.asObject(Json.parse(text));
        } catch (IllegalArgumentException error) {
            return null;
        }
    }

    private static AssayException unreadable(String message, Transport.Response response, Meta meta) {
        // The call may have been billed, but a retry with the same key returns the same answer: retrying is safe.
        return new AssayException(message, "unreadable_answer", response.status, true, meta.getRequestId(), null, null);
    }

    private static <T> Reader<T> body(BiFunction<Map<String, Object>, Meta, T> make) {
        return (response, meta) -> {
            Map<String, Object> body = response.status == 204 ? Map.of() : parseObject(response.body);
            if (body == null) throw unreadable("The answer is not a JSON object.", response, meta);
            return make.apply(body, meta);
        };
    }

    /** The confidence under both of its names, with either shape of the verdict. */
    private static <T> Reader<T> verdict(BiFunction<Map<String, Object>, Meta, T> make) {
        return (response, meta) -> {
            // An installation that does not know attested sessions answers nothing about them: it has measured nothing.
            Map<String, Object> fields = Fields.mapOf("attestation", "asserted", "attested", List.of(), "attestation_issues", List.of());
            fields.putAll(body((found, ignored) -> found).apply(response, meta));
            Double score = Fields.asNumber(fields.get("service_score"));
            Object confidence = fields.get("confidence") == null ? fields.get("attribution_confidence") : fields.get("confidence");
            boolean hasLevel = List.of("high", "medium", "low").contains(String.valueOf(fields.get("trust_level")));
            if (score == null || !Double.isFinite(score) || !hasLevel || !(confidence instanceof Number)) throw unreadable("The answer does not contain a verdict.", response, meta);
            fields.put("confidence", confidence);
            fields.put("attribution_confidence", confidence);
            return make.apply(fields, meta);
        };
    }

    /** The request has only the two documented fields. What is wrong with them, the service says. */
    private static Map<String, Object> scoringRequest(SessionData session, CallOptions options) {
        Map<String, Object> given = session.toMap();
        boolean isReport = given.containsKey("session_data");
        Object token = options.sessionToken == null || options.sessionToken.isEmpty() ? (isReport ? given.get("session_token") : null) : options.sessionToken;
        Map<String, Object> request = Fields.mapOf("session_data", isReport ? given.get("session_data") : given);
        if (token != null && !token.equals("")) request.put("session_token", token);
        return request;
    }

    private static String encodePart(String text) {
        String form = URLEncoder.encode(text, StandardCharsets.UTF_8);
        return form.replace("+", "%20").replace("%21", "!").replace("%27", "'").replace("%28", "(").replace("%29", ")").replace("%7E", "~");
    }

    private static void refuseUnless(boolean isValid, String message) {
        if (!isValid) throw new IllegalArgumentException(message);
    }

    /** Source of time and delays. Replace it in tests. */
    public interface Clock {
        /**
         * Monotonic time.
         *
         * @return milliseconds; only differences count
         */
        double nowMs();

        /**
         * Waits.
         *
         * @param ms how long, in milliseconds
         * @throws InterruptedException if the thread is interrupted
         */
        void sleepMs(double ms) throws InterruptedException;
    }

    private static final class SystemClock implements Clock {
        @Override
        public double nowMs() {
            return System.nanoTime() / 1e6;
        }

        @Override
        public void sleepMs(double ms) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep((long) (ms * 1e6));
        }
    }

    /** Options of a client. */
    public static final class Builder {
        private static final int ATTEMPTS_BOUND = 100;

        private final String apiKey;
        private final String baseUrl;
        private long timeoutMs = 10_000;
        private int attemptsMax = 5;
        private long totalMsMax = 30_000;
        private HttpClient httpClient;
        private Clock clock = new SystemClock();
        private DoubleSupplier random = () -> ThreadLocalRandom.current().nextDouble();

        private Builder(String apiKey, String baseUrl) {
            refuseUnless(apiKey != null && VISIBLE_ASCII.matcher(apiKey).matches(), "apiKey must be a key from the dashboard: letters, digits and _, without spaces or line breaks");
            refuseUnless(baseUrl != null && isBaseUrl(baseUrl), "baseUrl must be a URL such as https://assay.example.com");
            this.apiKey = apiKey;
            this.baseUrl = baseUrl.replaceAll("/+$", "");
        }

        private static boolean isBaseUrl(String text) {
            try {
                URI uri = new URI(text);
                boolean isHttp = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
                return isHttp && uri.getHost() != null && uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
            } catch (URISyntaxException error) {
                return false;
            }
        }

        private static long parseCount(String name, long value, long max) {
            refuseUnless(value >= 1 && value <= max, name + " must be a whole number from 1 to " + max);
            return value;
        }

        /**
         * Time limit of one attempt, from the connection to the end of the answer. Default: 10,000.
         *
         * @param ms from 1
         * @return this builder
         */
        public Builder timeoutMs(long ms) {
            timeoutMs = parseCount("timeoutMs", ms, Integer.MAX_VALUE);
            return this;
        }

        /**
         * Maximum number of attempts per call, including the first; 1 disables retries. Default: 5.
         *
         * @param attempts from 1 to 100
         * @return this builder
         */
        public Builder attemptsMax(int attempts) {
            attemptsMax = (int) parseCount("attemptsMax", attempts, ATTEMPTS_BOUND);
            return this;
        }

        /**
         * No attempt of a call starts later than this many milliseconds after the first. Default: 30,000.
         *
         * @param ms from 1
         * @return this builder
         */
        public Builder totalMsMax(long ms) {
            totalMsMax = parseCount("totalMsMax", ms, Integer.MAX_VALUE);
            return this;
        }

        /**
         * Makes the requests, for example through a proxy. It must not follow redirects. Default: a client of its own.
         *
         * @param client null for the default
         * @return this builder
         */
        public Builder httpClient(HttpClient client) {
            refuseUnless(client == null || client.followRedirects() == HttpClient.Redirect.NEVER, "httpClient must not follow redirects: they would send the key to another host");
            httpClient = client;
            return this;
        }

        /**
         * Replacement for the system clock, for tests.
         *
         * @param replacement not null
         * @return this builder
         */
        public Builder clock(Clock replacement) {
            clock = replacement;
            return this;
        }

        /**
         * Replacement for chance, for tests.
         *
         * @param replacement returns numbers from 0 (inclusive) to 1 (exclusive)
         * @return this builder
         */
        public Builder random(DoubleSupplier replacement) {
            random = replacement;
            return this;
        }

        /**
         * Makes the client.
         *
         * @return never null
         */
        public Assay build() {
            return new Assay(this);
        }

        /** Without the key. */
        @Override
        public String toString() {
            return "Assay.Builder[" + baseUrl + "]";
        }
    }
}
