import dev.assay.AdRequest;
import dev.assay.AdResult;
import dev.assay.Answer;
import dev.assay.Assay;
import dev.assay.AssayException;
import dev.assay.CallOptions;
import dev.assay.Json;
import dev.assay.Meta;
import dev.assay.Proof;
import dev.assay.ProofException;
import dev.assay.SessionData;
import dev.assay.TrafficWindow;
import dev.assay.UsageWindow;
import dev.assay.Webhook;
import dev.assay.WebhookOptions;
import dev.assay.WebhookVerificationException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Does what each line of its input says with the client, and writes a line with the result. */
final class Adapter {
    private Adapter() {}

    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) out.print(Json.write(reply(objectOf(Json.parse(line)))) + "\n");
        out.flush();
    }

    private static Map<String, Object> reply(Map<String, Object> command) {
        try {
            if (command.get("do").equals("call")) return call(command);
            return mapOf("answer", command.get("do").equals("verify_webhook") ? verifyWebhook(command) : verifyProof(command));
        } catch (WebhookVerificationException error) {
            return mapOf("error", mapOf("code", error.getCode(), "status", error.getStatus()));
        } catch (ProofException error) {
            return mapOf("error", mapOf("code", error.getCode()));
        } catch (IllegalArgumentException error) {
            return mapOf("refused", error.getMessage());
        }
    }

    private static Map<String, Object> call(Map<String, Object> command) {
        List<Object> waits = new ArrayList<>();
        Map<String, Object> options = command.get("options") == null ? Map.of() : objectOf(command.get("options"));
        Assay assay = open(command, waits);
        CallOptions callOptions = CallOptions.none()
            .withIdempotencyKey((String) options.get("idempotency_key"))
            .withSessionToken((String) options.get("session_token"))
            .withTestScenario((String) options.get("test_scenario"));
        Map<String, Object> reply;
        try {
            Object fallback = new Object();
            String method = (String) command.get("method");
            Map<String, Object> arguments = objectOf(command.get("arguments"));
            Object answer = options.containsKey("on_unavailable")
                ? Assay.orElse(() -> make(assay, method, arguments, callOptions), fallback)
                : make(assay, method, arguments, callOptions);
            reply = answer == fallback ? mapOf("fallback", options.get("on_unavailable")) : describe(answer);
        } catch (AssayException error) {
            reply = mapOf("error", mapOf(
                "code", error.getCode(), "status", error.getStatus(), "message", error.getMessage(), "request_id", error.getRequestId(),
                "is_retryable", error.isRetryable(), "retry_after_seconds", error.getRetryAfterSeconds(), "attempts", error.getAttempts(), "idempotency_key", error.getIdempotencyKey()));
        }
        reply.put("waits_ms", waits);
        return reply;
    }

    private static Assay open(Map<String, Object> command, List<Object> waits) {
        Map<String, Object> client = objectOf(command.get("client"));
        Assay.Builder builder = Assay.builder((String) client.get("api_key"), (String) client.get("base_url"));
        if (client.containsKey("timeout_ms")) builder.timeoutMs(wholeOf(client.get("timeout_ms")));
        if (client.containsKey("attempts_max")) builder.attemptsMax((int) wholeOf(client.get("attempts_max")));
        if (client.containsKey("total_ms_max")) builder.totalMsMax(wholeOf(client.get("total_ms_max")));
        if (command.get("chance") == null) return builder.build();
        double chance = ((Number) command.get("chance")).doubleValue();
        return builder.random(() -> chance).clock(new Assay.Clock() {
            private double now;

            @Override
            public double nowMs() {
                return now;
            }

            @Override
            public void sleepMs(double ms) {
                waits.add(ms);
                now += ms;
            }
        }).build();
    }

    /** Java's compiler refuses a fraction. */
    private static long wholeOf(Object value) {
        if (!(value instanceof Long)) throw new IllegalArgumentException("a whole number is expected");
        return (Long) value;
    }

    private static Object make(Assay assay, String method, Map<String, Object> arguments, CallOptions options) {
        switch (method) {
            case "predict":
                return assay.predict(SessionData.fromMap(objectOf(arguments.get("session"))), options);
            case "score":
                return assay.score(SessionData.fromMap(objectOf(arguments.get("session"))), options);
            case "analyze":
                return assay.analyze(SessionData.fromMap(objectOf(arguments.get("session"))), options);
            case "analyze_traffic":
                return assay.analyzeTraffic(arguments.containsKey("window") ? TrafficWindow.fromMap(objectOf(arguments.get("window"))) : TrafficWindow.of(), options);
            case "session":
                return assay.session((String) arguments.get("session_id"), options);
            case "report_outcome":
                return assay.reportOutcome((String) arguments.get("session_id"), (String) arguments.get("outcome"), options);
            case "usage":
                return assay.usage(arguments.containsKey("window") ? UsageWindow.fromMap(objectOf(arguments.get("window"))) : UsageWindow.of(), options);
            case "statement":
                return assay.statement((String) arguments.get("month"), options);
            case "request_ad":
                return assay.requestAd(arguments.containsKey("request") ? AdRequest.fromMap(objectOf(arguments.get("request"))) : AdRequest.of(), options);
            case "proof":
                return assay.proof((Long) arguments.get("seq"), options);
            default:
                throw new IllegalStateException("no such method: " + method);
        }
    }

    private static Map<String, Object> describe(Object answer) {
        if (answer instanceof AdResult) {
            AdResult result = (AdResult) answer;
            return mapOf("answer", mapOf("ad", result.getAd(), "no_fill_reason", result.getNoFillReason()), "meta", describe(result.getMeta()));
        }
        if (answer instanceof Proof) return mapOf("answer", mapOf("proof", ((Proof) answer).getText()), "meta", describe(((Proof) answer).getMeta()));
        return mapOf("answer", answer, "meta", describe(((Answer) answer).getMeta()));
    }

    private static Map<String, Object> describe(Meta meta) {
        return mapOf("request_id", meta.getRequestId(), "receipt", meta.getReceipt(), "replayed", meta.isReplayed(), "attempts", meta.getAttempts());
    }

    private static Object verifyWebhook(Map<String, Object> command) {
        long now = ((Number) command.get("now_ms")).longValue();
        WebhookOptions options = WebhookOptions.defaults().withClock(() -> now);
        if (command.containsKey("tolerance_seconds")) options = options.withToleranceSeconds(((Number) command.get("tolerance_seconds")).doubleValue());
        if (command.containsKey("payload_bytes_max")) options = options.withPayloadBytesMax(((Number) command.get("payload_bytes_max")).intValue());
        if (command.containsKey("account")) options = options.withAccount((String) command.get("account"));
        if (command.containsKey("seen")) options = options.withSeen(((List<?>) command.get("seen"))::contains);
        byte[] payload = Base64.getDecoder().decode((String) command.get("payload_base64"));
        return Webhook.verify(payload, objectOf(command.get("headers")), textsOf(command.get("secrets")), options);
    }

    private static Object verifyProof(Map<String, Object> command) {
        return Proof.verify((String) command.get("proof"), (String) command.get("receipt"), textsOf(command.get("log_keys")), textsOf(command.get("witness_keys")));
    }

    private static Map<String, Object> mapOf(Object... namesAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int index = 0; index < namesAndValues.length; index += 2) map.put((String) namesAndValues[index], namesAndValues[index + 1]);
        return map;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> objectOf(Object value) {
        return (Map<String, Object>) value;
    }

    private static List<String> textsOf(Object value) {
        List<String> texts = new ArrayList<>();
        for (Object each : (List<?>) value) texts.add((String) each);
        return texts;
    }
}
