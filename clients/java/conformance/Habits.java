import dev.assay.Ad;
import dev.assay.Assay;
import dev.assay.AssayException;
import dev.assay.CallOptions;
import dev.assay.Json;
import dev.assay.Prediction;
import dev.assay.SessionData;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What the corpus cannot say about the Java client. Takes the URL of a server and the name of a habit; prints what it saw. */
final class Habits {
    private static final SessionData SESSION = SessionData.of(0.75, 180).withScrollDepth(0.5);

    private Habits() {}

    public static void main(String[] arguments) throws Exception {
        Assay.Builder builder = Assay.builder("assay_test_SECRET", arguments[0]);
        switch (arguments[1]) {
            case "print":
                print(builder);
                break;
            case "json":
                for (Object text : (List<?>) Json.parse(arguments[2])) System.out.println(rewrite((String) text));
                break;
            case "getters":
                getters(builder.build());
                break;
            case "interrupt":
                interrupt(builder.build());
                break;
            case "async":
                async(builder.build());
                break;
            case "redirects":
                System.out.println(failureOf(() -> builder.httpClient(HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build())));
                break;
            case "own-client":
                System.out.println(builder.httpClient(HttpClient.newHttpClient()).build().usage().toMap().get("some"));
                break;
            default:
                throw new IllegalArgumentException(arguments[1]);
        }
    }

    private static Throwable failureOf(Supplier<?> call) {
        try {
            return new AssertionError("it returned " + call.get());
        } catch (RuntimeException error) {
            return error;
        }
    }

    private static String rewrite(String text) {
        try {
            return Json.write(Json.parse(text));
        } catch (IllegalArgumentException error) {
            return "refused";
        }
    }

    private static void print(Assay.Builder builder) {
        Assay assay = builder.attemptsMax(1).timeoutMs(300).build();
        StringWriter text = new StringWriter();
        failureOf(() -> assay.predict(SESSION)).printStackTrace(new PrintWriter(text, true));
        failureOf(() -> Assay.builder("assay_test_SECRET\n", "http://127.0.0.1")).printStackTrace(new PrintWriter(text, true));
        System.out.println(builder + " " + assay + " " + text);
    }

    private static void getters(Assay assay) {
        Prediction verdict = assay.predict(SESSION, CallOptions.none().withIdempotencyKey("order-17"));
        System.out.println(verdict.getServiceScore() + " " + verdict.getTrustLevel() + " " + verdict.getAttested() + " " + verdict.getMeta().getReceipt() + " " + verdict.toMap().get("of_tomorrow"));
        System.out.println(failureOf(verdict::getModelVersion) instanceof NoSuchElementException);
        System.out.println(failureOf(() -> verdict.toMap().put("a", "b")) instanceof UnsupportedOperationException);
        // The type of the fallback is that of the call.
        Prediction fallback = Assay.orElse(() -> assay.predict(SESSION), null);
        Ad ad = assay.requestAd(dev.assay.AdRequest.of().withFormat("native").withUserContext(dev.assay.UserContext.of().withAppCategory("shopping"))).getAd();
        System.out.println(fallback.equals(verdict) + " " + ad.toMap().get("service_score"));
    }

    private static void interrupt(Assay assay) throws InterruptedException {
        Thread[] caller = {Thread.currentThread()};
        Thread waker = new Thread(() -> {
            awaitRequest();
            caller[0].interrupt();
        });
        waker.start();
        Throwable error = failureOf(() -> Assay.orElse(() -> assay.predict(SESSION), null));
        System.out.println((error instanceof CancellationException) + " " + Thread.interrupted());
        waker.join();
    }

    private static void async(Assay assay) throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            CompletableFuture<Prediction> silent = assay.async(executor, client -> client.predict(SESSION));
            awaitRequest();
            silent.cancel(true);
            // The only thread is free again, because the cancelled call has ended.
            System.out.println(assay.async(executor, client -> client.predict(SESSION)).get(60, TimeUnit.SECONDS).getServiceScore());
            assay.async(executor, client -> client.predict(SESSION)).get(60, TimeUnit.SECONDS);
        } catch (ExecutionException error) {
            System.out.println(((AssayException) error.getCause()).getCode());
        } finally {
            executor.shutdownNow();
        }
    }

    /** The test closes standard input when the server has the request. */
    private static void awaitRequest() {
        try {
            while (System.in.read() >= 0) {}
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
