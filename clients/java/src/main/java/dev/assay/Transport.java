package dev.assay;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Makes one attempt. Redirects are not followed: they would send the key to another host. */
final class Transport {
    /** More than the service ever sends; a larger body comes from something else. */
    private static final int ANSWER_BYTES_MAX = 4 * 1024 * 1024;

    private final HttpClient client;
    private final String apiKey;
    private final String baseUrl;
    private final long timeoutMs;

    /** Without a client it makes its own. */
    Transport(HttpClient client, String apiKey, String baseUrl, long timeoutMs) {
        this.client = client == null ? openClient() : client;
        this.apiKey = apiKey;
        this.baseUrl = baseUrl;
        this.timeoutMs = timeoutMs;
    }

    /** HTTP/1.1, because HTTP/2 would begin with an upgrade that proxies in between answer in different ways. */
    private static HttpClient openClient() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).followRedirects(HttpClient.Redirect.NEVER).build();
    }

    static final class Response {
        final int status;
        final java.net.http.HttpHeaders headers;
        final String body;

        Response(HttpResponse<byte[]> response) {
            status = response.statusCode();
            headers = response.headers();
            String text = new String(response.body(), StandardCharsets.UTF_8);
            body = text.startsWith("\uFEFF") ? text.substring(1) : text;
        }

        String header(String name) {
            List<String> values = headers.allValues(name);
            return values.isEmpty() ? null : String.join(", ", values);
        }
    }

    Response send(String method, String path, byte[] body, Map<String, String> headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(baseUrl + path))
            .timeout(Duration.ofMillis(timeoutMs))
            .header("X-API-Key", apiKey)
            .header("User-Agent", "assay-java/" + Assay.VERSION)
            .method(method, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofByteArray(body));
        headers.forEach(request::header);
        LimitedBody read = new LimitedBody();
        CompletableFuture<HttpResponse<byte[]>> sent = client.sendAsync(request.build(), info -> read);
        try {
            // The request's own timeout ends with the headers of the answer; this one covers the body too.
            return new Response(sent.get(timeoutMs, TimeUnit.MILLISECONDS));
        } catch (TimeoutException error) {
            throw failure("timeout", error);
        } catch (ExecutionException error) {
            Throwable cause = error.getCause();
            throw failure(cause instanceof HttpTimeoutException ? "timeout" : "network_failure", cause);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw (CancellationException) new CancellationException("the thread was interrupted during a call").initCause(error);
        } finally {
            sent.cancel(true);
            read.cancel();
        }
    }

    private AssayException failure(String code, Throwable cause) {
        String message = code.equals("timeout") ? "No complete answer within " + timeoutMs + " ms." : "The service could not be reached.";
        return new AssayException(message, code, 0, true, null, null, cause);
    }

    /** Collects a body up to a size. */
    private static final class LimitedBody implements HttpResponse.BodySubscriber<byte[]> {
        private final CompletableFuture<byte[]> result = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private volatile Flow.Subscription subscription;

        @Override
        public CompletionStage<byte[]> getBody() {
            return result;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            if (result.isDone()) given.cancel();
            else given.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                byte[] chunk = new byte[buffer.remaining()];
                buffer.get(chunk);
                if (bytes.size() + chunk.length > ANSWER_BYTES_MAX) {
                    result.completeExceptionally(new IOException("The answer is larger than " + ANSWER_BYTES_MAX + " bytes."));
                    subscription.cancel();
                    return;
                }
                bytes.write(chunk, 0, chunk.length);
            }
        }

        @Override
        public void onError(Throwable error) {
            result.completeExceptionally(error);
        }

        @Override
        public void onComplete() {
            result.complete(bytes.toByteArray());
        }

        /** Closes the connection if the body is not complete. */
        void cancel() {
            boolean isOpen = result.completeExceptionally(new CancellationException());
            if (isOpen && subscription != null) subscription.cancel();
        }
    }
}
