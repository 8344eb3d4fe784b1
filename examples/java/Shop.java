import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.assay.*;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A shop's back end: it takes the signals that the page measured, has Assay score them, and decides.
 *
 * <pre>ASSAY_URL=http://127.0.0.1:8080 ASSAY_API_KEY=assay_test_… java -cp assay-client-0.1.0.jar Shop.java</pre>
 *
 * <p>With ASSAY_SITE=site_… Assay measures too, and the shop's word need not be taken for it: docs/attestation.md.
 */
final class Shop {
    private static final int BODY_BYTES_MAX = 4_096;
    private static final int REPORTS_MAX = 10_000;
    private static final Pattern VISIT = Pattern.compile("(?:^|; )visit=([0-9a-f-]{36})");
    /** The highest value of each number; the lowest is 0. */
    private static final Map<String, Integer> NUMBERS_MAX =
        Map.of("user_engagement", 1, "session_duration", 86_400, "scroll_depth", 1, "interaction_count", 100_000, "page_views", 10_000);
    private static final List<String> WHOLE_NUMBERS = List.of("interaction_count", "page_views");

    private final String assayUrl = System.getenv("ASSAY_URL").replaceAll("/+$", "");
    private final String site = System.getenv().getOrDefault("ASSAY_SITE", "");
    private final Path pages = Path.of(System.getenv().getOrDefault("ASSAY_PAGE", "examples/page"));
    private final Assay assay = Assay.builder(System.getenv("ASSAY_API_KEY"), assayUrl).timeoutMs(2_000).totalMsMax(5_000).build();

    /** The last report of each visit's page, for orders that are judged later. The shop's own cookie identifies the visit. */
    private final Map<String, Map<String, Object>> reports = Collections.synchronizedMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Map<String, Object>> eldest) {
            return size() > REPORTS_MAX;
        }
    });

    private final Map<String, HttpHandler> routes = Map.of(
        "GET /", this::showPage,
        "GET /page.css", exchange -> answer(exchange, 200, "text/css", Files.readAllBytes(pages.resolve("page.css"))),
        "GET /page.js", exchange -> answer(exchange, 200, "text/javascript", Files.readAllBytes(pages.resolve("page.js"))),
        "GET /collector.js", exchange -> answer(exchange, 200, "text/javascript", readCollector()),
        "POST /signals", this::takeSignals,
        "POST /judge", exchange -> answerJson(exchange, 200, judge(exchange)));

    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        Shop shop = new Shop();
        if (!shop.site.matches("(site_[0-9A-Za-z]+)?")) throw new IllegalArgumentException("ASSAY_SITE must be the id of a site, such as site_…");
        server.createContext("/", shop::handle);
        server.setExecutor(Executors.newFixedThreadPool(16));
        server.start();
        System.out.println("The shop is open at http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void handle(HttpExchange exchange) throws IOException {
        try {
            String route = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
            if (!routes.containsKey(route)) throw new Refusal(404, "not here");
            routes.get(route).handle(exchange);
        } catch (Refusal refusal) {
            answerJson(exchange, refusal.status, Map.of("error", refusal.getMessage()));
        } catch (IOException | RuntimeException error) {
            error.printStackTrace();
            answerJson(exchange, 500, Map.of("error", "the shop failed"));
        } finally {
            exchange.close();
        }
    }

    /** With a site the collector comes from Assay, and then knows where to report. Without one it comes from us. */
    private void showPage(HttpExchange exchange) throws IOException {
        String source = site.isEmpty() ? "/collector.js" : assayUrl + "/c/v1/collector.js";
        String tag = "<script src=\"" + source + "\" " + (site.isEmpty() ? "" : "data-site=\"" + site + "\" ") + "data-endpoint=\"/signals\" defer></script>";
        URI assayUri = URI.create(assayUrl);
        String origin = assayUri.getScheme() + "://" + assayUri.getAuthority();
        // Ads, and with a site the collector, come from Assay; everything else from us. Nothing inline, no eval.
        exchange.getResponseHeaders().set("Content-Security-Policy", String.join("; ",
            "default-src 'none'", "script-src 'self'" + (site.isEmpty() ? "" : " " + origin), "connect-src 'self' " + origin, "img-src " + origin,
            "style-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"));
        if (visitOf(exchange) == null) exchange.getResponseHeaders().set("Set-Cookie", "visit=" + UUID.randomUUID() + "; HttpOnly; SameSite=Lax; Path=/");
        answer(exchange, 200, "text/html; charset=utf-8", Files.readString(pages.resolve("index.html")).replace("<!-- collector -->", tag).getBytes(StandardCharsets.UTF_8));
    }

    private byte[] readCollector() throws IOException {
        String file = System.getenv("ASSAY_COLLECTOR");
        if (file != null) return Files.readAllBytes(Path.of(file));
        try (InputStream script = URI.create(assayUrl + "/c/v1/collector.js").toURL().openStream()) {
            return script.readAllBytes();
        }
    }

    private void takeSignals(HttpExchange exchange) throws IOException {
        Map<String, Object> report = readReport(exchange);
        Object sequence = report.get("sequence");
        if (!report.containsKey("session_data") || !(sequence instanceof Long) || (Long) sequence < 1) throw new Refusal(400, "not a report");
        String visit = visitOf(exchange);
        // Totals are cumulative and may arrive in any order: the report with the highest sequence holds everything.
        if (visit != null) reports.merge(visit, report, (kept, given) -> (Long) given.get("sequence") > (Long) kept.get("sequence") ? given : kept);
        exchange.sendResponseHeaders(204, -1);
    }

    private Map<String, Object> judge(HttpExchange exchange) throws IOException {
        Map<String, Object> sent = readReport(exchange);
        String visit = visitOf(exchange);
        Map<String, Object> report = sent.containsKey("session_data") || visit == null ? sent : reports.getOrDefault(visit, sent);
        if (!report.containsKey("session_data")) throw new Refusal(400, "nothing is known of this visit");
        // The signals and the token, if there is one; the rest of the report stays here. Without a verdict the shop continues.
        Prediction verdict = Assay.orElse(() -> assay.predict(SessionData.fromMap(report)), null);
        if (verdict == null) return Map.of("trust_level", "unknown", "ads", Map.of());
        UserContext context = UserContext.of().withAppCategory("shopping").withSessionId(verdict.getSessionId());
        Map<String, Object> ads = new LinkedHashMap<>();
        for (String format : List.of("banner", "native", "interstitial")) {
            AdResult result = Assay.orElse(() -> assay.requestAd(AdRequest.of().withFormat(format).withUserContext(context)), null);
            ads.put(format, result == null ? null : result.getAd());
        }
        return Map.of(
            "trust_level", verdict.getTrustLevel(), "service_score", verdict.getServiceScore(), "session_id", verdict.getSessionId(),
            "attestation", verdict.getAttestation(), "attestation_issues", verdict.getAttestationIssues(), "ads", ads);
    }

    /** What the page sends is validated here: only signals and a token are passed on to Assay. */
    private static Map<String, Object> readReport(HttpExchange exchange) throws IOException {
        // A page of another origin cannot send JSON without asking first.
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        if (type == null || !type.startsWith("application/json")) throw new Refusal(415, "send JSON");
        byte[] bytes = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX + 1);
        if (bytes.length > BODY_BYTES_MAX) throw new Refusal(413, "too much");
        Map<?, ?> body = parseObject(new String(bytes, StandardCharsets.UTF_8));
        Map<String, Object> report = new LinkedHashMap<>();
        for (String name : List.of("session_data", "session_token", "sequence")) if (body.containsKey(name)) report.put(name, body.get(name));
        if (report.containsKey("session_data") && !isSession(report.get("session_data"))) throw new Refusal(400, "not a session");
        // Sealed by Assay: it says whether the token is genuine.
        Object token = report.getOrDefault("session_token", "");
        if (!(token instanceof String) || ((String) token).length() > 512) throw new Refusal(400, "not a token");
        return report;
    }

    private static Map<?, ?> parseObject(String text) {
        try {
            return (Map<?, ?>) Json.parse(text);
        } catch (IllegalArgumentException | ClassCastException error) {
            throw new Refusal(400, "not a session");
        }
    }

    private static boolean isSession(Object data) {
        if (!(data instanceof Map) || !((Map<?, ?>) data).keySet().containsAll(List.of("user_engagement", "session_duration"))) return false;
        return ((Map<?, ?>) data).entrySet().stream().allMatch(signal -> isSignal((String) signal.getKey(), signal.getValue()));
    }

    private static boolean isSignal(String name, Object value) {
        if (name.equals("return_visitor")) return value instanceof Boolean;
        if (!NUMBERS_MAX.containsKey(name) || !(value instanceof Number)) return false;
        double number = ((Number) value).doubleValue();
        return number >= 0 && number <= NUMBERS_MAX.get(name) && (!WHOLE_NUMBERS.contains(name) || number == Math.rint(number));
    }

    private static String visitOf(HttpExchange exchange) {
        Matcher match = VISIT.matcher(String.join("; ", exchange.getRequestHeaders().getOrDefault("Cookie", List.of())));
        return match.find() ? match.group(1) : null;
    }

    private static void answerJson(HttpExchange exchange, int status, Map<String, ?> fields) throws IOException {
        answer(exchange, status, "application/json", Json.write(fields).getBytes(StandardCharsets.UTF_8));
    }

    private static void answer(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    /** What the caller did wrong. */
    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final int status;

        Refusal(int status, String message) {
            super(message);
            this.status = status;
        }
    }
}
